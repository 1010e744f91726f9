#include "server/render/interleaving.h"

#include <algorithm>
#include <map>

namespace heddle {
namespace {

size_t width(const std::string& text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// Where the how-manieth character begins, in bytes.
size_t byteOf(const std::string& text, size_t character) {
  size_t bytes = 0;
  for (size_t seen = 0; bytes < text.size(); bytes++)
    if ((static_cast<unsigned char>(text[bytes]) & 0xC0) != 0x80 && seen++ == character) break;
  return bytes;
}

/// Cut to `columns` characters in the middle, for names differ at their ends, and never inside a character;
/// control characters become spaces, so that a row stays one line.
std::string cell(std::string text, size_t columns) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  const size_t all = width(text);
  if (all <= columns) return text;
  const size_t kept = columns - 3, begin = kept / 2;
  return text.substr(0, byteOf(text, begin)) + "..." + text.substr(byteOf(text, all - (kept - begin)));
}

std::string padRight(const std::string& text, size_t columns) {
  return text + std::string(columns - std::min(columns, width(text)), ' ');
}

std::string padLeft(const std::string& text, size_t columns) {
  return std::string(columns - std::min(columns, width(text)), ' ') + text;
}

std::string placeInColumn(const Step& step, const std::string& mainFile) {
  if (step.place.line == 0) return "";
  const std::string number = std::to_string(step.place.line);
  if (step.place.file.empty() || mainFile.empty() || baseName(step.place.file) == baseName(mainFile))
    return number;
  return baseName(step.place.file) + ":" + number;
}

struct Columns {
  std::vector<std::string> labels;  // in order of appearance in `threads`
  std::vector<std::string> headers;
  std::map<std::string, size_t> number;  // label → column
};

Columns columnsOf(const std::vector<ThreadDescription>& threads, const std::vector<Step>& steps) {
  Columns columns;
  const auto add = [&](const std::string& label, const std::string& function) {
    if (!columns.number.emplace(label, columns.labels.size()).second) return;
    columns.labels.push_back(label);
    columns.headers.push_back(function.empty() ? label : label + " " + function);
  };
  for (const ThreadDescription& thread : threads) {
    const bool takesPart = std::any_of(steps.begin(), steps.end(),
                                       [&](const Step& step) { return step.thread == thread.label; });
    if (takesPart) add(thread.label, titleOf(thread));
  }
  for (const Step& step : steps) add(step.thread, "");
  return columns;
}

/// At most `maxRows`, and one line more for what is left out: the failure, what has to be shown first, the
/// end, and some of the beginning.
std::vector<bool> shownSteps(const std::vector<Step>& steps, const InterleavingOptions& options) {
  std::vector<bool> shown(steps.size(), steps.size() <= options.maxRows);
  if (steps.size() <= options.maxRows) return shown;
  size_t lines = 1;  // with one for each gap
  const auto show = [&](size_t i) {
    if (shown[i]) return;
    const bool hasGapBefore = i > 0 && !shown[i - 1], hasGapBehind = i + 1 < shown.size() && !shown[i + 1];
    const size_t more = (hasGapBefore ? 1 : 0) + (hasGapBehind ? 1 : 0);  // a row, and its gap parted or gone
    if (lines + more > options.maxRows + 1) return;
    lines += more;
    shown[i] = true;
  };
  show(steps.size() - 1);
  for (size_t i = steps.size(); i-- > 0;)
    if (std::find(options.first.begin(), options.first.end(), steps[i].place) != options.first.end()) show(i);
  const size_t head = options.maxRows / 4;
  for (size_t i = steps.size(); i-- > steps.size() - (options.maxRows - head);) show(i);
  for (size_t i = 0; i < steps.size(); ++i) show(i);
  return shown;
}

}  // namespace

std::string baseName(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string inputText(const InputValue& input) {
  return input.isUnsigned ? std::to_string(static_cast<uint64_t>(input.value)) : std::to_string(input.value);
}

std::vector<std::string> renderInputs(const std::vector<InputValue>& inputs) {
  std::vector<std::string> lines;
  std::string last;  // without how often it came
  unsigned times = 1;
  for (const InputValue& input : inputs) {
    std::string line = (input.name.empty() ? "input" : input.name) + " = " + inputText(input);
    std::string where = input.place.line != 0 ? "line " + std::to_string(input.place.line) : "";
    if (!input.thread.empty()) where += (where.empty() ? "" : ", ") + input.thread;
    if (!where.empty()) line += " (" + where + ")";
    if (!lines.empty() && line == last) {
      lines.back() = line + ", " + std::to_string(++times) + " times";
      continue;
    }
    times = 1;
    last = line;
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<Step> stepsToFailure(const Finding& finding) {
  std::vector<Step> steps = finding.steps;
  if (steps.empty() || isRace(finding) || finding.kind == Property::Deadlock) return steps;
  const Step last = steps.back();
  if (last.place.function == finding.place.function)
    steps.push_back({last.thread, finding.place, finding.message});
  return steps;
}

std::string renderInterleaving(const std::vector<ThreadDescription>& threads, const std::vector<Step>& steps,
                               const InterleavingOptions& options) {
  if (steps.empty()) return "";
  const Columns columns = columnsOf(threads, steps);
  const std::vector<bool> shown = shownSteps(steps, options);
  size_t placeWidth = 4;
  std::vector<size_t> widths;
  for (const std::string& header : columns.headers) widths.push_back(width(cell(header, options.maxColumn)));
  for (size_t i = 0; i < steps.size(); i++) {
    if (!shown[i]) continue;
    placeWidth = std::max(placeWidth, width(placeInColumn(steps[i], options.mainFile)));
    size_t& column = widths[columns.number.at(steps[i].thread)];
    if (i + 1 < steps.size()) column = std::max(column, width(cell(steps[i].event, options.maxColumn)));
  }

  std::string out = padLeft("line", placeWidth);
  for (size_t c = 0; c < widths.size(); c++)
    out += "  " + (c + 1 < widths.size() ? padRight(cell(columns.headers[c], options.maxColumn), widths[c])
                                         : cell(columns.headers[c], options.maxColumn));
  out += '\n';
  for (size_t i = 0; i < steps.size(); i++) {
    if (!shown[i]) {
      size_t left = 1;
      while (i + left < steps.size() && !shown[i + left]) ++left;
      out +=
          padLeft("...", placeWidth) + "  (" + std::to_string(left) + (left == 1 ? " step)\n" : " steps)\n");
      i += left - 1;
      continue;
    }
    std::string row = padLeft(placeInColumn(steps[i], options.mainFile), placeWidth);
    const size_t column = columns.number.at(steps[i].thread);
    for (size_t c = 0; c < column; c++) row += "  " + std::string(widths[c], ' ');
    // Nothing stands right of the last row, which is the failure itself.
    out += row + "  " +
           cell(steps[i].event, i + 1 < steps.size() ? options.maxColumn : 3 * options.maxColumn) + '\n';
  }
  return out;
}

}  // namespace heddle
