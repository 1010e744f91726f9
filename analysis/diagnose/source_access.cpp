#include "analysis/diagnose/source_access.h"

#include <map>
#include <string_view>

#include "analysis/detect/failure_finding.h"
#include "analysis/detect/location_name.h"
#include "analysis/model/sync_rule.h"

namespace heddle {

namespace {

/// As a person says it in a sentence: "takes " a semaphore, "read-locks " a lock.
std::string verbOf(const SyncRule& rule) {
  static const std::map<std::string_view, const char*> kVerbs = {
      {"wait", "takes"},
      {"trywait", "tries to take"},
      {"post", "posts"},
      {"value", "looks at"},
      {"init", "initializes"},
      {"read-lock", "read-locks"},
      {"write-lock", "write-locks"},
      {"try to read-lock", "tries to read-lock"},
      {"try to write-lock", "tries to write-lock"},
      {"read-unlock", "read-unlocks"},
      {"write-unlock", "write-unlocks"},
      {"arrive", "arrives at"},
      {"pass", "passes"},
      {"look", "looks who waits at"},
      {"look whether anyone holds", "looks who holds"},
      {"look at", "enters"},
      {"complete", "completes"},
  };
  const auto found = kVerbs.find(rule.verb);
  return std::string(found == kVerbs.end() ? rule.verb : found->second) + " ";
}

}  // namespace

AccessKind accessKind(EventKind kind) {
  switch (kind) {
    case EventKind::Start:
      return AccessKind::Start;
    case EventKind::End:
      return AccessKind::End;
    case EventKind::Read:
      return AccessKind::Read;
    case EventKind::Write:
      return AccessKind::Write;
    case EventKind::Update:
      return AccessKind::Update;
    case EventKind::Lock:
    case EventKind::LockBusy:
      return AccessKind::Lock;
    case EventKind::Unlock:
      return AccessKind::Unlock;
    case EventKind::Create:
      return AccessKind::Create;
    case EventKind::Join:
      return AccessKind::Join;
    case EventKind::Wait:
    case EventKind::Wake:
      return AccessKind::Wait;
    case EventKind::Signal:
    case EventKind::Broadcast:
      return AccessKind::Signal;
  }
  return AccessKind::Read;
}

SourceAccess SourceView::access(NodeId node) const {
  return {place(node), accessKind(forest()[node].event), object(node), threadFunction(node)};
}

SourcePlace SourceView::place(NodeId node) const {
  return sourcePlace(program_, forest()[node].place);
}

std::string SourceView::thread(NodeId node) const {
  return runner_.names().label(forest()[node].thread);
}

std::string SourceView::threadFunction(NodeId node) const {
  const FunctionId function = runner_.names().threadName(forest()[node].thread).function;
  return program_.functionName(function == kNone ? runner_.options().entry : function);
}

ObjectId SourceView::cellObject(NodeId node) const {
  return runner_.locations().cell(forest()[node].cells[0].location).object;
}

std::string SourceView::objectAt(LocationId location, PlaceId place) const {
  return locationName(program_, runner_, location, place);
}

bool SourceView::isLife(LocationId location) const {
  return isLifeByte(runner_.names().info(runner_.locations().cell(location).object).name);
}

bool SourceView::isUsability(LocationId location) const {
  const Cell& cell = runner_.locations().cell(location);
  const ObjectName& name = runner_.names().info(cell.object).name;
  return name.kind == ObjectKind::Library && name.owner == kNone && name.size == kSyncBytes &&
         cell.offset == kUsableByte;
}

std::string SourceView::useVerb(NodeId node) const {
  const Node& n = forest()[node];
  // Of a thread, the object that its result is in.
  const ObjectName& name = runner_.names().info(runner_.locations().cell(n.cells[0].location).object).name;
  const ObjectName& owner = runner_.names().info(name.site).name;
  const bool isThread = owner.kind == ObjectKind::Library && owner.site == 0;
  const std::string what = isThread ? runner_.names().label(owner.owner) : "`" + object(node) + "`";
  if (n.event == EventKind::Read) return (isThread ? "asks whether it may join or detach " : "uses ") + what;
  const Term value = n.cells[0].value;
  TermTable& terms = runner_.terms();
  if (value == kNoTerm || !terms.isConst(value)) return "changes " + what;
  switch (static_cast<Usable>(terms.constValue(value))) {
    case Usable::Yes:
      return "initializes " + what;
    case Usable::Destroyed:
      return "destroys " + what;
    case Usable::Detached:
      return "detaches " + what;
    case Usable::Joined:
      return "joins " + what;
    case Usable::NotYet:
      break;
  }
  return "changes " + what;
}

std::string SourceView::object(NodeId node) const {
  const Node& n = forest()[node];
  if (n.event == EventKind::Create || n.event == EventKind::Join) return runner_.names().label(n.other);
  return n.cells.empty() ? "" : objectAt(n.cells[0].location, n.place);
}

std::string SourceView::verb(NodeId node) const {
  const Node& n = forest()[node];
  const std::string quoted = "`" + object(node) + "`";
  if (n.rule) return verbOf(*n.rule) + quoted;
  if (!n.cells.empty() && isLife(n.cells[0].location))
    return (n.event == EventKind::Read    ? "uses "
            : n.event == EventKind::Write ? "leaves "
                                          : "frees ") +
           quoted;
  if (!n.cells.empty() && isUsability(n.cells[0].location)) return useVerb(node);
  switch (n.event) {
    case EventKind::Start:
      return "starts";
    case EventKind::End:
      return "ends";
    case EventKind::Read:
      return "reads " + quoted;
    case EventKind::Write:
      return "writes " + quoted;
    case EventKind::Update:
      return "updates " + quoted;
    case EventKind::Lock:
      return "locks " + quoted;
    case EventKind::Unlock:
      return "unlocks " + quoted;
    case EventKind::LockBusy:
      return "finds " + quoted + " locked";
    case EventKind::Create:
      return "creates " + object(node);
    case EventKind::Join:
      return "joins " + object(node);
    case EventKind::Wait:
      return "begins to wait for " + quoted;
    case EventKind::Wake:
      return "is woken by " + quoted;
    case EventKind::Signal:
      return "signals " + quoted;
    case EventKind::Broadcast:
      return "signals " + quoted + " to all";
  }
  return "";
}

std::string SourceView::action(NodeId node) const {
  return thread(node) + " " + verb(node);
}

std::vector<std::string> SourceView::heldLocks(NodeId node) const {
  std::vector<std::string> locks;
  for (const NodeId lock : forest()[node].held) locks.push_back(object(lock));
  return locks;
}

}  // namespace heddle
