#include "analysis/detect/order_finding.h"

#include <algorithm>

#include "analysis/blocked_step.h"
#include "analysis/detect/failure_finding.h"
#include "analysis/detect/location_name.h"

namespace heddle {

namespace {

/// What the node's text calls what it is about.
std::string nameAt(const Program& program, Runner& runner, NodeId node) {
  const Node& n = runner.forest()[node];
  return locationName(program, runner, n.cells[0].location, n.place);
}

std::string holding(const Program& program, Runner& runner, const std::vector<NodeId>& held) {
  if (held.empty()) return "holding no lock";
  std::string text = "holding ";
  for (size_t i = 0; i < held.size(); ++i) text += (i ? ", '" : "'") + nameAt(program, runner, held[i]) + "'";
  return text;
}

std::string holding(const Program& program, Runner& runner, NodeId node) {
  return holding(program, runner, runner.forest()[node].held);
}

/// Without the mutexes that a thread that goes round gives up in each round.
std::vector<NodeId> heldForEver(const Forest& forest, NodeId waiting) {
  std::vector<NodeId> held = forest[waiting].held;
  for (const Forest::Await& await : forest.awaits()) {
    if (std::find(await.reads.begin(), await.reads.end(), waiting) == await.reads.end()) continue;
    std::erase_if(held, [&](NodeId lock) {
      return std::any_of(await.released.begin(), await.released.end(), [&](NodeId released) {
        return forest[released].cells[0].location == forest[lock].cells[0].location;
      });
    });
  }
  return held;
}

/// What a thread waits for.
std::string targetOf(const Program& program, Runner& runner, NodeId waiting) {
  const Node& n = runner.forest()[waiting];
  if (n.event == EventKind::Join) return "the end of " + runner.names().label(n.other);
  const std::string name = "'" + nameAt(program, runner, waiting) + "'";
  if (n.event == EventKind::Wake) return "a signal on " + name;
  if (n.rule) return std::string(n.rule->object) + " " + name;
  return name;
}

/// Why no signal wakes the thread: none came, it came too early, or it woke another.
void explainWake(Finding& finding, const Program& program, Runner& runner, NodeId waiting,
                 const std::vector<TraceEntry>& trace) {
  const Node& n = runner.forest()[waiting];
  const LocationId condition = n.cells[0].location;
  const TraceEntry* before = nullptr;
  const TraceEntry* after = nullptr;
  bool waits = false;
  for (const TraceEntry& entry : trace) {
    if (entry.cells.empty() || entry.cells[0] != condition) continue;
    if (entry.kind == EventKind::Wait && entry.thread == n.thread) {
      waits = true;
      // What came before an earlier wait of this thread is not what this one missed.
      after = nullptr;
    }
    if (entry.kind != EventKind::Signal && entry.kind != EventKind::Broadcast) continue;
    (waits ? after : before) = &entry;
  }
  // Threads that wait for the same reason are told it once.
  const auto say = [&](const std::string& reason) {
    if (finding.message.find(reason) == std::string::npos) finding.message += reason;
  };
  const auto add = [&](const TraceEntry& entry, const std::string& text) {
    RelatedPlace note{sourcePlace(program, entry.place), runner.names().label(entry.thread) + text};
    const bool isKnown =
        std::any_of(finding.related.begin(), finding.related.end(), [&](const RelatedPlace& known) {
          return known.place == note.place && known.message == note.message;
        });
    if (!isKnown) finding.related.push_back(std::move(note));
  };
  if (after) {
    say(", whose signal woke another thread");
    add(*after, " signals here, and another thread is woken");
  } else if (before) {
    say(", which came before it waited (lost wake-up)");
    add(*before, " signals here, when nobody waits");
  } else {
    say(", which nobody gives");
  }
}

bool isLife(Runner& runner, LocationId location) {
  return isLifeByte(runner.names().info(runner.locations().cell(location).object).name);
}

const char* accessVerb(Runner& runner, const Node& n) {
  if (!n.cells.empty() && isLife(runner, n.cells[0].location))
    return n.event == EventKind::Read ? "uses" : "frees";
  if (n.event == EventKind::Update) return "updates";
  return n.event == EventKind::Write ? "writes" : "reads";
}

/// The statement of the access writes the location: of `n++` read and write are one place, and whichever of
/// them is met first, the finding is the same.
bool writesAt(const Forest& forest, NodeId node, LocationId location) {
  for (NodeId id = 0; id < forest.size(); ++id)
    if (forest[id].place == forest[node].place && isMemoryWrite(forest[id]) && cellAt(forest[id], location))
      return true;
  return false;
}

void addObject(Finding& finding, FindingObject object) {
  const auto at = std::lower_bound(finding.about.begin(), finding.about.end(), object);
  if (at == finding.about.end() || *at != object) finding.about.insert(at, std::move(object));
}

/// The end of a thread is what a join waits for.
FindingObject waitedFor(const Program& program, Runner& runner, NodeId waiting) {
  const Node& n = runner.forest()[waiting];
  if (n.event != EventKind::Join) return findingObject(program, runner, n.cells[0].location);
  const FunctionId function = runner.names().threadName(n.other).function;
  return {"end of " + runner.names().label(n.other),
          "end of " + (function == kNone ? "main" : program.functionName(function))};
}

template <typename Executed>
void fillExecution(Finding& finding, const Program& program, Runner& runner, const Executed& executed,
                   std::string_view text) {
  const Names& names = runner.names();
  finding.inputs = describeInputs(program, names, executed.inputs);
  finding.schedule = executed.schedule.toString();
  finding.steps = describeShownSteps(program, names, executed.trace, isRace(finding) ? 2 : 0);
  finding.threads = describeThreads(program, names, executed.trace);
  finding.id = findingId(finding, text);
}

/// As who reads it in the trace calls it, where somebody does.
std::string flagName(const Program& program, Runner& runner, const Race& race) {
  PlaceId place = kNone;
  for (const TraceEntry& entry : race.trace)
    if (entry.kind == EventKind::Read &&
        std::find(entry.cells.begin(), entry.cells.end(), race.flag) != entry.cells.end())
      place = entry.place;
  return locationName(program, runner, race.flag, place);
}

}  // namespace

Finding describeRace(const Program& program, Runner& runner, const Race& race, std::string_view text) {
  const Forest& forest = runner.forest();
  // The write is the more telling place; of two writes, the one further up.
  NodeId primary = race.first, other = race.second;
  const bool firstWrites = writesAt(forest, primary, race.location),
             secondWrites = writesAt(forest, other, race.location);
  const bool secondIsHigher =
      program.place(forest[other].place).line < program.place(forest[primary].place).line;
  if ((!firstWrites && secondWrites) || (firstWrites == secondWrites && secondIsHigher))
    std::swap(primary, other);

  Finding finding;
  const bool areVolatile = forest[primary].isVolatile && forest[other].isVolatile;
  finding.kind = areVolatile || race.flagIsVolatile ? Property::Volatile : Property::Race;
  const std::string name = "'" + locationName(program, runner, race.location, forest[primary].place) + "'";
  finding.message = areVolatile           ? "volatile accesses to " + name
                    : race.flagIsVolatile ? "accesses to " + name
                                          : "data race on " + name;
  if (race.flag != kNone)
    finding.message += std::string(" that only the ") + (race.flagIsVolatile ? "volatile" : "racy") + " '" +
                       flagName(program, runner, race) + "' orders";
  else if (areVolatile)
    finding.message += " that nothing orders";
  else if (isLife(runner, race.location))
    finding.message = forest[other].event == EventKind::Read
                          ? name + " is freed here while another thread uses it"
                          : name + " is freed by two threads, in no order";
  if (race.flag == kNone && !isLife(runner, race.location))
    finding.message += besideHandler(runner.names(), {forest[primary].thread, forest[other].thread});
  finding.place = sourcePlace(program, forest[primary].place);
  // Accesses that only a flag orders are a matter of the flag.
  addObject(finding, findingObject(program, runner, race.flag != kNone ? race.flag : race.location));
  for (const NodeId node : {other, primary}) {
    if (race.flag == kNone && isLife(runner, race.location) && forest[node].event != EventKind::Read)
      finding.freedAt = sourcePlace(program, forest[node].place);
    const Node& n = forest[node];
    finding.related.push_back(
        {sourcePlace(program, n.place), runner.names().label(n.thread) + " " + accessVerb(runner, n) + " '" +
                                            locationName(program, runner, race.location, n.place) +
                                            "' here, " + holding(program, runner, node)});
  }
  fillExecution(finding, program, runner, race, text);
  return finding;
}

Finding describeLostUpdate(const Program& program, Runner& runner, const LostUpdate& lost,
                           std::string_view text) {
  const Forest& forest = runner.forest();
  const std::string name = "'" + locationName(program, runner, lost.location, forest[lost.write].place) + "'";
  const std::string own = runner.names().label(forest[lost.write].thread),
                    other = runner.names().label(forest[lost.between].thread);
  Finding finding;
  finding.kind = Property::Atomicity;
  finding.message =
      "an update of " + name + " can be lost: another thread may write it between the read and this write";
  finding.place = sourcePlace(program, forest[lost.write].place);
  const auto add = [&](NodeId node, const std::string& what) {
    finding.related.push_back(
        {sourcePlace(program, forest[node].place), what + ", " + holding(program, runner, node)});
  };
  addObject(finding, findingObject(program, runner, lost.location));
  add(lost.read, own + " reads " + name + " here");
  add(lost.between, other + " " + accessVerb(runner, forest[lost.between]) + " it here");
  add(lost.write, own + " writes what it has computed from the old value here");
  fillExecution(finding, program, runner, lost, text);
  return finding;
}

std::string besideHandler(const Names& names, const std::array<ThreadId, 2>& threads) {
  const bool isBeside = std::any_of(threads.begin(), threads.end(),
                                    [&](ThreadId thread) { return names.threadName(thread).ofSignal; });
  return isBeside ? ": what a signal handler shares is volatile sig_atomic_t or atomic" : "";
}

Finding describeDeadlock(const Program& program, Runner& runner, const Deadlock& deadlock,
                         std::string_view text) {
  const Forest& forest = runner.forest();
  Finding finding;
  finding.kind = Property::Deadlock;
  const bool isOfJoins = std::all_of(deadlock.waiting.begin(), deadlock.waiting.end(),
                                     [&](NodeId node) { return forest[node].event == EventKind::Join; });
  std::vector<NodeId> locks;
  for (const NodeId node : deadlock.waiting) {
    const Node& n = forest[node];
    const std::vector<NodeId> held = heldForEver(forest, node);
    locks.insert(locks.end(), held.begin(), held.end());
    const std::string thread = runner.names().label(n.thread);
    const std::string target = targetOf(program, runner, node);
    finding.message += (finding.message.empty() ? "deadlock: " : ", ") + thread + " waits for " + target;
    // A join waits for a thread that waits itself: only where all do, it is what the deadlock is about.
    if (n.event != EventKind::Join || isOfJoins) addObject(finding, waitedFor(program, runner, node));
    finding.related.push_back({sourcePlace(program, n.place),
                               thread + " waits for " + target + " here, " + holding(program, runner, held)});
  }
  for (const NodeId lock : locks)
    finding.related.push_back(
        {sourcePlace(program, forest[lock].place),
         runner.names().label(forest[lock].thread) + " locked '" + nameAt(program, runner, lock) + "' here"});
  if (deadlock.holderEnd != kNone) {
    const std::string thread = runner.names().label(forest[deadlock.holderEnd].thread);
    finding.message += ", which " + thread + " kept when it ended";
    for (const NodeId lock : forest[deadlock.holderEnd].held)
      finding.related.push_back({sourcePlace(program, forest[lock].place), thread + " locked it here"});
  }
  for (const NodeId node : deadlock.waiting)
    if (forest[node].event == EventKind::Wake) explainWake(finding, program, runner, node, deadlock.trace);
  finding.place = sourcePlace(program, forest[deadlock.waiting.front()].place);
  fillExecution(finding, program, runner, deadlock, text);
  for (const NodeId node : deadlock.waiting)
    finding.steps.push_back({runner.names().label(forest[node].thread),
                             sourcePlace(program, forest[node].place),
                             "waits for ever for " + targetOf(program, runner, node), kBlockedStep});
  return finding;
}

}  // namespace heddle
