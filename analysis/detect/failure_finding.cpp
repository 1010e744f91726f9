#include "analysis/detect/failure_finding.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

#include "analysis/detect/location_name.h"
#include "analysis/failure_class.h"
#include "analysis/support/harness_names.h"

namespace heddle {

namespace {

/// Without what is quoted, and without numbers.
std::string withoutNames(std::string_view message) {
  std::string out;
  bool isQuoted = false;
  for (const char c : message) {
    if (c == '\'') isQuoted = !isQuoted;
    if (!isQuoted && (c < '0' || c > '9')) out += c;
  }
  return out;
}

bool touch(const TraceEntry& a, const TraceEntry& b) {
  return std::find_first_of(a.cells.begin(), a.cells.end(), b.cells.begin(), b.cells.end()) != a.cells.end();
}

/// Where the last values that the failing thread read came from, if another thread wrote them.
std::vector<RelatedPlace> sourcesOfLastReads(const Program& program, const Names& names,
                                             const Witness& witness) {
  constexpr size_t kTelling = 3;
  std::vector<RelatedPlace> related;
  const std::vector<TraceEntry>& trace = witness.trace;
  for (size_t read = trace.size(); read-- > 0 && related.size() < kTelling;) {
    if (trace[read].thread != witness.failure.thread || trace[read].kind != EventKind::Read) continue;
    for (size_t write = read; write-- > 0;) {
      const TraceEntry& entry = trace[write];
      if (!entry.wrote || !touch(entry, trace[read])) continue;
      const SourcePlace place = sourcePlace(program, entry.place);
      const bool known = std::any_of(related.begin(), related.end(),
                                     [&](const RelatedPlace& r) { return r.place == place; });
      if (entry.thread != witness.failure.thread && !known)
        related.push_back({place, names.label(entry.thread) + ": " + entry.text});
      break;
    }
  }
  return related;
}

}  // namespace

Property propertyOf(FailureKind kind) {
  switch (kind) {
    case FailureKind::Assertion:
      return Property::Assert;
    case FailureKind::Memory:
      return Property::Memory;
    case FailureKind::Misuse:
      return Property::Misuse;
    case FailureKind::Overflow:
      return Property::Overflow;
    case FailureKind::Uninitialized:
      return Property::Uninitialized;
  }
  return Property::Assert;
}

SourcePlace sourcePlace(const Program& program, PlaceId id) {
  const Place& place = program.place(id);
  return {std::string(place.file), place.line, place.column, std::string(place.function)};
}

std::vector<Step> describeSteps(const Program& program, const Names& names,
                                const std::vector<TraceEntry>& trace) {
  std::vector<Step> steps;
  for (const TraceEntry& entry : trace)
    steps.push_back({names.label(entry.thread), sourcePlace(program, entry.place), entry.text,
                     toString(entry.kind), entry.cells, entry.operation, entry.isSync});
  return steps;
}

std::vector<Step> describeShownSteps(const Program& program, const Names& names,
                                     const std::vector<TraceEntry>& trace, size_t last) {
  const std::vector<Step> all = describeSteps(program, names, trace);
  std::vector<Step> shown;
  for (size_t i = 0; i < trace.size(); ++i)
    if (!trace[i].isHidden || i + last >= trace.size()) shown.push_back(all[i]);
  return shown;
}

std::vector<InputValue> describeInputs(const Program& program, const Names& names,
                                       const std::vector<UsedInput>& inputs) {
  std::vector<InputValue> values;
  for (const UsedInput& input : inputs)
    values.push_back({input.name, sourcePlace(program, input.place), names.label(input.thread),
                      input.isSigned ? signExtend(input.bits, input.width) : static_cast<int64_t>(input.bits),
                      !input.isSigned, input.operation, input.isRefused});
  return values;
}

std::vector<ThreadDescription> describeThreads(const Program& program, const Names& names,
                                               const std::vector<TraceEntry>& trace) {
  // A thread's place among those of its creator, and so on up to main.
  std::map<std::vector<uint32_t>, ThreadId> inOrder;
  for (const TraceEntry& entry : trace) {
    std::vector<uint32_t> place;
    for (ThreadId id = entry.thread; names.threadName(id).parent != kNone; id = names.threadName(id).parent)
      place.insert(place.begin(), names.threadName(id).ordinal);
    inOrder.emplace(std::move(place), entry.thread);
  }
  std::vector<ThreadDescription> threads;
  for (const auto& [place, id] : inOrder) {
    const ThreadName& name = names.threadName(id);
    threads.push_back({names.label(id), name.function == kNone ? "main" : program.functionName(name.function),
                       name.ofSignal});
  }
  return threads;
}

std::string_view trimmedLine(std::string_view text, uint32_t line) {
  for (uint32_t at = 1; at < line; ++at) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  std::string_view found = text.substr(0, text.find('\n'));
  const auto isSpace = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!found.empty() && isSpace(found.front())) found.remove_prefix(1);
  while (!found.empty() && isSpace(found.back())) found.remove_suffix(1);
  return found;
}

std::string findingId(const Finding& finding, std::string_view text) {
  uint64_t hash = 1469598103934665603ull;  // FNV-1a
  auto add = [&hash](std::string_view part) {
    for (const char c : part) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
    hash = (hash ^ 0xff) * 1099511628211ull;
  };
  add(toString(finding.kind));
  add(finding.place.function);
  add(trimmedLine(text, finding.place.line));
  for (const FindingObject& object : finding.about) add(object.name);
  if (finding.about.empty()) add(withoutNames(finding.message));
  char buffer[17];
  std::snprintf(buffer, sizeof buffer, "%016llx", static_cast<unsigned long long>(hash));
  return std::string(toString(finding.kind)) + "-" + buffer;
}

/// An allocation, or the creation of a thread, has failed, and no pointer was made up as null: nulls come of
/// the former.
static bool isOfFailedAllocation(const Program& program, const Witness& witness) {
  const auto isMadeNull = [&](const UsedInput& input) {
    return input.width == 1 && input.bits == 0 &&
           program.place(input.place).function.starts_with(kObjectMakerPrefix);
  };
  return std::any_of(witness.inputs.begin(), witness.inputs.end(),
                     [](const UsedInput& input) { return input.isRefused; }) &&
         std::none_of(witness.inputs.begin(), witness.inputs.end(), isMadeNull);
}

/// Where another file's code comes to what fails in this one: a function in a header tells its user little.
/// Line 0: nowhere.
static RelatedPlace callFromElsewhere(const Program& program, const Failure& failure) {
  const std::string_view file = program.place(failure.place).file;
  for (const PlaceId id : failure.calls) {
    const SourcePlace call = sourcePlace(program, id);
    if (call.line != 0 && call.file != file && !call.function.starts_with(kHarnessPrefix))
      return {call, kCalledHere + call.function + "'"};
  }
  return {};
}

Finding describeFailure(const Program& program, const Names& names, const Witness& witness,
                        std::string_view text) {
  Finding finding;
  finding.kind = propertyOf(witness.failure.kind);
  finding.message = witness.failure.message;
  finding.place = sourcePlace(program, witness.failure.place);
  finding.related = sourcesOfLastReads(program, names, witness);
  if (RelatedPlace call = callFromElsewhere(program, witness.failure); call.place.line != 0)
    finding.related.push_back(std::move(call));
  finding.inputs = describeInputs(program, names, witness.inputs);
  // Of one call it is a matter of the system, not of the caller.
  if (program.environment.callersFit && isOfFailedAllocation(program, witness))
    assumeFailedAllocation(finding);
  finding.schedule = witness.schedule.toString();
  finding.steps = describeShownSteps(program, names, witness.trace);
  finding.threads = describeThreads(program, names, witness.trace);
  if (const Failure& failure = witness.failure; failure.freed != kNone) {
    finding.about = {findingObject(program, program.lifeOf(names.info(failure.freed).name), 0, 1)};
    finding.freedAt = sourcePlace(program, failure.freedAt);
  }
  finding.id = findingId(finding, text);
  return finding;
}

}  // namespace heddle
