#include "server/dap/navigation.h"

#include <algorithm>
#include <optional>

namespace heddle::dap {

namespace {

struct Line {
  uint32_t depth = 0;
  uint64_t frame = 0;
  uint32_t line = 0;
  bool operator==(const Line&) const = default;
};

Line lineOf(const TimeTravel& travel, const Stop& stop) {
  return {stop.depth, stop.frame, travel.program().place(stop.place).line};
}

/// Where the thread stands at the position: its next stop tells.
std::optional<Line> lineAt(const TimeTravel& travel, uint64_t position, ThreadId thread) {
  const std::vector<Stop>& stops = travel.stops();
  for (uint64_t i = position; i < stops.size(); ++i)
    if (stops[i].thread == thread) return lineOf(travel, stops[i]);
  return std::nullopt;
}

}  // namespace

uint64_t lineAfter(const TimeTravel& travel, uint64_t from, ThreadId thread, StepKind kind) {
  const std::vector<Stop>& stops = travel.stops();
  const std::optional<Line> here = lineAt(travel, from, thread);
  if (!here) return travel.end();
  for (uint64_t i = from + 1; i < stops.size(); ++i) {
    const Stop& stop = stops[i];
    if (stop.thread != thread || stop.statement == kNone) continue;
    if (kind == StepKind::Out && stop.depth >= here->depth) continue;
    if (kind == StepKind::Over && stop.depth > here->depth) continue;
    if (kind != StepKind::Out && lineOf(travel, stop) == *here) continue;
    return i;
  }
  return travel.end();
}

uint64_t lineBefore(const TimeTravel& travel, uint64_t from, ThreadId thread) {
  const std::vector<Stop>& stops = travel.stops();
  const std::optional<Line> here = lineAt(travel, from, thread);
  const uint32_t depth = here && here->depth > 0 ? here->depth : ~0u;
  std::optional<uint64_t> found;
  Line line;
  for (uint64_t i = std::min<uint64_t>(from, stops.size()); i-- > 0;) {
    const Stop& stop = stops[i];
    if (stop.thread != thread || stop.depth > depth) continue;
    if (found && lineOf(travel, stop) != line) break;
    if (stop.statement == kNone) continue;
    if (!found) line = lineOf(travel, stop);
    found = i;
  }
  return found.value_or(0);
}

uint64_t eventsBefore(const TimeTravel& travel, uint64_t position) {
  return position < travel.end() ? travel.stops()[position].events : travel.steps().size();
}

int64_t occurrenceOf(const TimeTravel& travel, uint64_t step) {
  const std::vector<Step>& steps = travel.steps();
  return std::count_if(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(step), [&](const Step& s) {
    return s.thread == steps[step].thread && s.event == steps[step].event;
  });
}

std::optional<size_t> stepNamed(const TimeTravel& travel, const std::string& thread, const std::string& text,
                                int64_t occurrence) {
  const std::vector<Step>& steps = travel.steps();
  for (size_t i = 0; i < steps.size(); ++i)
    if (steps[i].thread == thread && steps[i].event == text && occurrence-- == 0) return i;
  return std::nullopt;
}

uint64_t stopOfEvent(const TimeTravel& travel, uint64_t event) {
  const std::vector<Stop>& stops = travel.stops();
  // Of the stops with so many events before them the last one is the event's own.
  const auto after = std::upper_bound(stops.begin(), stops.end(), event,
                                      [](uint64_t e, const Stop& stop) { return e < stop.events; });
  if (after == stops.begin()) return 0;
  const auto last = after - 1;
  return last->statement == kNone && last->events == event ? static_cast<uint64_t>(last - stops.begin())
                                                           : travel.end();
}

uint64_t eventAfter(const TimeTravel& travel, uint64_t from) {
  const std::vector<Stop>& stops = travel.stops();
  for (uint64_t i = from + 1; i < stops.size(); ++i)
    if (stops[i].statement == kNone) return i;
  return travel.end();
}

uint64_t eventBefore(const TimeTravel& travel, uint64_t from) {
  const std::vector<Stop>& stops = travel.stops();
  for (uint64_t i = std::min<uint64_t>(from, stops.size()); i-- > 0;)
    if (stops[i].statement == kNone) return i;
  return 0;
}

uint64_t firstLine(const TimeTravel& travel) {
  const std::vector<Stop>& stops = travel.stops();
  for (uint64_t i = 0; i < stops.size(); ++i)
    if (stops[i].statement != kNone) return i;
  return 0;
}

}  // namespace heddle::dap
