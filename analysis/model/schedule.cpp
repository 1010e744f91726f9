#include "analysis/model/schedule.h"

#include <charconv>

namespace heddle {

namespace {

constexpr std::string_view kInitial = "init";

bool isLabel(std::string_view text) {
  if (text.size() < 2 || text[0] != 'T') return false;
  for (const char c : text.substr(1))
    if ((c < '0' || c > '9') && c != '.') return false;
  return true;
}

bool isInputLabel(std::string_view text) {
  const size_t at = text.find('@');
  if (at == std::string_view::npos) return isLabel(text);
  const std::string_view operation = text.substr(at + 1);
  return isLabel(text.substr(0, at)) && !operation.empty() &&
         operation.find_first_not_of("0123456789") == std::string_view::npos;
}

template <typename Number>
bool parseNumber(std::string_view text, Number& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

/// Cuts the text up to the next `separator` off the front of `rest`.
std::string_view cut(std::string_view& rest, char separator) {
  const size_t at = rest.find(separator);
  const std::string_view head = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view() : rest.substr(at + 1);
  return head;
}

bool parseSegment(std::string_view token, Schedule& schedule) {
  ScheduleSegment segment;
  const size_t star = token.find('*');
  segment.thread = std::string(token.substr(0, star));
  if (!isLabel(segment.thread)) return false;
  if (star != std::string_view::npos &&
      (!parseNumber(token.substr(star + 1), segment.operations) || segment.operations == 0))
    return false;
  schedule.segments.push_back(segment);
  return true;
}

bool parseInputs(std::string_view token, Schedule& schedule) {
  std::string_view rest = token;
  const std::string label(cut(rest, '='));
  if (!isInputLabel(label) || rest.empty()) return false;
  std::vector<int64_t>& values = schedule.inputs[label];
  while (!rest.empty()) {
    int64_t value = 0;
    if (!parseNumber(cut(rest, ','), value)) return false;
    values.push_back(value);
  }
  return true;
}

/// "T1@37", or where `mayBeInitial` "init".
bool parseOperation(std::string_view text, bool mayBeInitial, OperationName& out) {
  if (mayBeInitial && text == kInitial) return true;
  const std::string_view label = cut(text, '@');
  out.thread = std::string(label);
  return isLabel(label) && parseNumber(text, out.operation) && out.operation != 0;
}

/// What stands behind the bar beside inputs: a memory model, or what an operation reads.
bool parseMemory(std::string_view token, Schedule& schedule) {
  if (!schedule.model) return (schedule.model = parseMemoryModel(token)).has_value();
  OperationName operation, write;
  std::string_view rest = token;
  const std::string_view left = cut(rest, '<');
  if (!parseOperation(left, false, operation) || !parseOperation(rest, true, write)) return false;
  schedule.writes[operation] = write;
  return true;
}

std::string textOf(const OperationName& name) {
  return name.thread.empty() ? std::string(kInitial) : name.thread + "@" + std::to_string(name.operation);
}

}  // namespace

std::string inputLabel(const std::string& thread, uint64_t memoryOperation) {
  return memoryOperation == 0 ? thread : thread + "@" + std::to_string(memoryOperation);
}

std::string Schedule::toString() const {
  std::string text;
  for (const ScheduleSegment& segment : segments) {
    if (!text.empty()) text += ' ';
    text += segment.thread;
    if (segment.operations != 1) text += "*" + std::to_string(segment.operations);
  }
  bool first = true;
  for (const auto& [label, values] : inputs) {
    if (values.empty()) continue;
    text += first ? (text.empty() ? "| " : " | ") : " ";
    first = false;
    text += label + "=";
    for (size_t i = 0; i < values.size(); ++i) text += (i ? "," : "") + std::to_string(values[i]);
  }
  if (!model) return text;
  if (first) text += text.empty() ? "|" : " |";
  text += " " + std::string(heddle::toString(*model));
  for (const auto& [operation, write] : writes) text += " " + textOf(operation) + "<" + textOf(write);
  return text;
}

std::optional<Schedule> Schedule::parse(std::string_view text, std::string& error) {
  Schedule schedule;
  bool inInputs = false;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view token = cut(rest, ' ');
    if (token.empty()) continue;
    if (token == "|" && !inInputs) {
      inInputs = true;
      continue;
    }
    const bool isInput = token.find('=') != std::string_view::npos;
    if (!(!inInputs ? parseSegment(token, schedule)
          : isInput ? parseInputs(token, schedule)
                    : parseMemory(token, schedule))) {
      error = "'" + std::string(token) + "' is not " +
              (inInputs ? "a list of inputs (expected e.g. T1=3,0)" : "a schedule step (expected e.g. T1*4)");
      return std::nullopt;
    }
  }
  return schedule;
}

}  // namespace heddle
