#include "server/dap/breakpoints.h"

#include <algorithm>
#include <cstdlib>

#include "analysis/debug/expression.h"

namespace heddle::dap {

namespace {

/// The first statement of each function that begins on the line, or on the first line after it that has any.
std::set<uint32_t> statementsAt(const Program& program, const std::string& file, int64_t line,
                                uint32_t& actual) {
  actual = 0;
  for (const Statement& statement : program.statements) {
    const Place& place = program.place(statement.place);
    if (place.file == file && place.line >= line && (actual == 0 || place.line < actual)) actual = place.line;
  }
  std::set<uint32_t> found;
  std::set<std::string_view> functions;
  for (uint32_t i = 0; actual != 0 && i < program.statements.size(); ++i) {
    const Place& place = program.place(program.statements[i].place);
    if (place.file == file && place.line == actual && functions.insert(place.function).second)
      found.insert(i);
  }
  return found;
}

ThreadId threadAt(const TimeTravel& travel, uint64_t position) {
  return position < travel.end() ? travel.stops()[position].thread : kNone;
}

bool holds(Execution& state, ThreadId thread, const std::string& condition) {
  if (condition.empty()) return true;
  const Thread* at = state.thread(thread);
  if (!at || at->frames.empty()) return false;
  const Evaluated value = evaluate(state, thread, at->frames.size() - 1, condition);
  const auto* known = std::get_if<DebugValue>(&value);
  // What cannot be evaluated stops: else a mistake in the condition would look like a line never reached.
  return !known || truthOf(ValueView(state), *known).value_or(true);
}

bool touches(const Locations& locations, const Event& event, const MemoryObject& object, uint64_t offset,
             uint64_t size) {
  return std::any_of(event.cells.begin(), event.cells.end(), [&](LocationId id) {
    const Cell& cell = locations.cell(id);
    return cell.object == object.id && cell.offset < offset + size && offset < cell.offset + cell.size;
  });
}

std::string numberText(const std::string& bytes) {
  uint64_t bits = 0;
  for (size_t i = bytes.size(); i-- > 0;) bits = bits << 8 | static_cast<unsigned char>(bytes[i]);
  return std::to_string(signExtend(bits, static_cast<unsigned>(bytes.size() * 8)));
}

}  // namespace

std::string dataIdOf(uint64_t address, uint64_t size, const std::string& name) {
  return std::to_string(address) + ":" + std::to_string(size) + ":" + name;
}

std::string Breakpoints::filterOf(const Claim& claim) {
  switch (claim.kind) {
    case Property::Race:
    case Property::Volatile:
      return "race";
    case Property::Deadlock:
      return "deadlock";
    case Property::Assert:
      return "assert";
    default:
      return "memory";
  }
}

std::vector<Breakpoint> Breakpoints::setLines(const TimeTravel& travel,
                                              const SetBreakpointsArguments& arguments) {
  const std::string file = arguments.source.path.value_or("");
  std::vector<Point>& points = lines_[file];
  points.clear();
  std::vector<Breakpoint> out;
  for (const SourceBreakpoint& asked : arguments.breakpoints.value_or(std::vector<SourceBreakpoint>{})) {
    Breakpoint answer;
    answer.id = ++lastId_;
    uint32_t line = 0;
    std::set<uint32_t> statements = statementsAt(travel.program(), file, asked.line, line);
    answer.verified = !statements.empty();
    if (answer.verified) {
      answer.line = line;
      points.push_back({answer.id, std::move(statements), asked.condition.value_or(""), "breakpoint"});
    } else {
      answer.message = "there is no code of the program here or below";
    }
    out.push_back(std::move(answer));
  }
  return out;
}

std::vector<Breakpoint> Breakpoints::setFunctions(const TimeTravel& travel,
                                                  const SetFunctionBreakpointsArguments& arguments) {
  functions_.clear();
  std::vector<Breakpoint> out;
  const Program& program = travel.program();
  for (const FunctionBreakpoint& asked : arguments.breakpoints) {
    Breakpoint answer;
    answer.id = ++lastId_;
    std::set<uint32_t> statements;
    for (const Function& function : program.functions) {
      if (!function.defined || function.name != asked.name) continue;
      for (uint32_t pc = function.entry; pc < function.end && statements.empty(); ++pc)
        if (program.code[pc].op == Opcode::Statement) statements.insert(program.code[pc].a);
    }
    answer.verified = !statements.empty();
    if (answer.verified)
      functions_.push_back(
          {answer.id, std::move(statements), asked.condition.value_or(""), "function breakpoint"});
    else
      answer.message = "the program defines no function '" + asked.name + "'";
    out.push_back(std::move(answer));
  }
  return out;
}

std::vector<Breakpoint> Breakpoints::setData(TimeTravel& travel,
                                             const SetDataBreakpointsArguments& arguments) {
  watches_.clear();
  std::vector<Breakpoint> out;
  for (const DataBreakpoint& asked : arguments.breakpoints) {
    Breakpoint answer;
    answer.id = ++lastId_;
    char* rest = nullptr;
    Watch watch;
    watch.id = answer.id;
    watch.address = std::strtoull(asked.dataId.c_str(), &rest, 10);
    if (*rest == ':') watch.size = std::strtoull(rest + 1, &rest, 10);
    if (*rest == ':') watch.name = rest + 1;
    const std::string access = asked.accessType.value_or("write");
    watch.reads = access != "write";
    watch.writes = access != "read";
    watch.condition = asked.condition.value_or("");
    // Addresses are given in the order of the run: of another schedule it may be something else.
    const ObjectId object = watch.size == 0 ? kNone : travel.names().objectAt(watch.address);
    answer.verified =
        object != kNone &&
        travel.program().describe(travel.names().info(object).name,
                                  watch.address - travel.names().info(object).base, watch.size) == watch.name;
    if (answer.verified)
      watches_.push_back(std::move(watch));
    else
      answer.message = "there is no such memory in this run";
    out.push_back(std::move(answer));
  }
  return out;
}

void Breakpoints::setExceptions(const std::vector<std::string>& filters) {
  exceptions_ = {filters.begin(), filters.end()};
}

void Breakpoints::findWatched(TimeTravel& travel, uint64_t position, Execution& state, const Watch& watch,
                              std::string& before) {
  const ValueView values(state);
  const std::optional<std::string> now = values.bytes(watch.address, watch.size);
  // A change that was no event happened after the stop before this one.
  if (now && !before.empty() && *now != before && watch.writes && position > 0) {
    const auto isThere = [&](const Hit& hit) {
      return hit.position == position - 1 && !hit.ids.empty() && hit.ids.front() == watch.id;
    };
    const auto known = std::find_if(hits_.rbegin(), hits_.rend(), isThere);
    const ThreadId writer = threadAt(travel, position - 1);
    const std::string change =
        watch.size <= 8 ? ": " + numberText(before) + " → " + numberText(*now) : std::string();
    if (known != hits_.rend())
      known->text += change;
    else if (holds(state, writer, watch.condition))
      hits_.push_back({position - 1,
                       writer,
                       "data breakpoint",
                       state.names.label(writer) + " writes " + watch.name + change,
                       {watch.id}});
  }
  if (now) before = *now;
  if (position >= travel.end() || travel.stops()[position].statement != kNone) return;
  const Thread* thread = state.thread(travel.stops()[position].thread);
  MemoryObject* object = state.memory.at(watch.address);
  if (!thread || !object) return;
  const Event& event = thread->next.event;
  const bool writes = event.kind == EventKind::Write || event.kind == EventKind::Update;
  const bool reads = event.kind == EventKind::Read || event.kind == EventKind::Update;
  if (!((writes && watch.writes) || (reads && watch.reads)) ||
      !touches(state.locations, event, *object, watch.address - object->base, watch.size))
    return;
  if (holds(state, thread->id, watch.condition))
    hits_.push_back({position,
                     thread->id,
                     "data breakpoint",
                     thread->label + (writes ? " writes " : " reads ") + watch.name,
                     {watch.id}});
}

void Breakpoints::find(TimeTravel& travel) {
  hits_.clear();
  const std::vector<Stop>& stops = travel.stops();
  std::vector<const Point*> points;
  for (const auto& [file, of] : lines_)
    for (const Point& point : of) points.push_back(&point);
  for (const Point& point : functions_) points.push_back(&point);
  std::map<uint32_t, std::vector<const Point*>> byStatement;
  bool needsState = !watches_.empty();
  for (const Point* point : points) {
    needsState |= !point->condition.empty();
    for (const uint32_t statement : point->statements) byStatement[statement].push_back(point);
  }
  const auto visit = [&](uint64_t position, Execution* state) {
    if (position >= stops.size() || stops[position].statement == kNone) return;
    const auto here = byStatement.find(stops[position].statement);
    if (here == byStatement.end()) return;
    for (const Point* point : here->second)
      if (!state || holds(*state, stops[position].thread, point->condition))
        hits_.push_back({position, stops[position].thread, point->reason, "", {point->id}});
  };
  if (needsState) {
    std::vector<std::string> before(watches_.size());
    travel.walk(0, travel.end(), [&](uint64_t position, Execution& state) {
      visit(position, &state);
      for (size_t i = 0; i < watches_.size(); ++i)
        findWatched(travel, position, state, watches_[i], before[i]);
      return true;
    });
  } else if (!byStatement.empty()) {
    for (uint64_t i = 0; i < stops.size(); ++i) visit(i, nullptr);
  }
  for (const Claim& claim : travel.claims())
    if (exceptions_.contains(filterOf(claim)))
      hits_.push_back({claim.position, claim.thread, "exception", claim.message, {}});
  // What is wrong is told before where it is.
  const auto key = [](const Hit& hit) { return std::pair(hit.position, hit.reason != "exception"); };
  std::stable_sort(hits_.begin(), hits_.end(), [&](const Hit& a, const Hit& b) { return key(a) < key(b); });
}

const Hit* Breakpoints::after(uint64_t from, uint64_t to) const {
  for (const Hit& hit : hits_)
    if (hit.position > from && hit.position <= to) return &hit;
  return nullptr;
}

const Hit* Breakpoints::before(uint64_t from) const {
  for (size_t i = hits_.size(); i-- > 0;)
    if (hits_[i].position < from) return &hits_[i];
  return nullptr;
}

const Hit* Breakpoints::at(uint64_t position) const {
  for (const Hit& hit : hits_)
    if (hit.position == position) return &hit;
  return nullptr;
}

}  // namespace heddle::dap
