#include "analysis/explore/local_paths.h"

#include <vector>

namespace heddle {

namespace {

/// Addresses differ between explorations; the object and the offset do not.
std::string valueText(uint64_t bits, const Names& names) {
  const ObjectId object = names.objectAt(bits);
  if (object == kNone) return std::to_string(bits);
  const ObjectInfo& info = names.info(object);
  return "object" + std::to_string(static_cast<int>(info.name.kind)) + "." + std::to_string(info.name.site) +
         "." + std::to_string(info.name.ordinal) + "." +
         (info.name.owner == kNone ? "" : names.label(info.name.owner)) + "+" +
         std::to_string(bits - info.base);
}

std::string placeText(const Program& program, PlaceId place) {
  const Place& p = program.place(place);
  return std::to_string(p.line) + ":" + std::to_string(p.column);
}

}  // namespace

std::set<std::string> localPaths(const Forest& forest, const Names& names, const Program& program) {
  std::set<std::string> texts;
  std::vector<std::string> prefix(forest.size());
  std::vector<uint32_t> waits(forest.size(),
                              0);  // events on the path at which the thread may have had to wait
  for (NodeId id = 0; id < forest.size(); ++id) {
    const Node& n = forest[id];
    if (n.parent == kNone) {
      const FunctionId function = names.threadName(n.thread).function;
      prefix[id] = names.label(n.thread) + ":" + (function == kNone ? "" : program.functionName(function));
    } else {
      prefix[id] = prefix[n.parent];
      const Node& parent = forest[n.parent];
      if (parent.kind == NodeKind::Branch || parent.kind == NodeKind::TryLock)
        prefix[id] += " " + placeText(program, parent.place) + "=" + std::to_string(n.slot);
      if (parent.kind == NodeKind::Choice)
        prefix[id] += " " + placeText(program, parent.place) + "=" + valueText(n.slot, names);
    }
    if (n.kind == NodeKind::Branch || n.kind == NodeKind::TryLock)
      for (const uint64_t slot : n.sides)
        texts.insert(prefix[id] + " " + placeText(program, n.place) + "=" + std::to_string(slot));
    if (n.kind == NodeKind::Choice)
      for (const uint64_t slot : n.sides)
        texts.insert(prefix[id] + " " + placeText(program, n.place) + "=" + valueText(slot, names));
    if (n.parent != kNone) waits[id] = waits[n.parent];
    if (n.kind != NodeKind::Event || !n.executed) continue;
    if (n.event != EventKind::Lock && n.event != EventKind::Join && n.event != EventKind::End) continue;
    texts.insert(prefix[id] + " " + toString(n.event) + "@" + placeText(program, n.place) + "#" +
                 std::to_string(++waits[id]) + (n.failed ? " failed" : ""));
  }
  return texts;
}

}  // namespace heddle
