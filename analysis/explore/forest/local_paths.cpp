#include "analysis/explore/forest/local_paths.h"

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

std::string sideText(const Forest& forest, const Names& names, const Program& program, Position at) {
  const Node& n = forest[at.node];
  if (n.kind == NodeKind::Branch || n.kind == NodeKind::TryLock)
    return " " + placeText(program, n.place) + "=" + std::to_string(at.slot);
  if (n.kind == NodeKind::Choice) return " " + placeText(program, n.place) + "=" + valueText(at.slot, names);
  return "";
}

/// How each node is reached.
struct Ways {
  std::vector<std::string> prefix;  // the thread and the sides it took
  std::vector<uint32_t> waits;      // events on the way at which the thread may have had to wait
};

bool isWait(const Node& n) {
  return n.kind == NodeKind::Event && (n.event == EventKind::Lock || n.event == EventKind::Join ||
                                       n.event == EventKind::End || n.event == EventKind::Wake || n.rule);
}

Ways waysTo(const Forest& forest, const Names& names, const Program& program) {
  Ways ways{std::vector<std::string>(forest.size()), std::vector<uint32_t>(forest.size(), 0)};
  for (NodeId id = 0; id < forest.size(); ++id) {
    const Node& n = forest[id];
    if (n.parent == kNone) {
      const FunctionId function = names.threadName(n.thread).function;
      ways.prefix[id] =
          names.label(n.thread) + ":" + (function == kNone ? "" : program.functionName(function));
      continue;
    }
    ways.prefix[id] = ways.prefix[n.parent] + sideText(forest, names, program, {n.parent, n.slot});
    ways.waits[id] = ways.waits[n.parent] + (isWait(n) && n.executed ? 1 : 0);
  }
  return ways;
}

}  // namespace

std::set<std::string> localPaths(const Forest& forest, const Names& names, const Program& program) {
  std::set<std::string> texts;
  const Ways ways = waysTo(forest, names, program);
  for (NodeId id = 0; id < forest.size(); ++id) {
    const Node& n = forest[id];
    if (isFork(n.kind))
      for (const uint64_t slot : n.sides) {
        if (isDeadEnd(n, slot)) continue;
        texts.insert(ways.prefix[id] + sideText(forest, names, program, {id, slot}));
      }
    if (!isWait(n) || !n.executed) continue;
    texts.insert(ways.prefix[id] + " " + toString(n.event) + "@" + placeText(program, n.place) + "#" +
                 std::to_string(ways.waits[id]) + (n.failed ? " failed" : ""));
  }
  return texts;
}

std::set<std::string> globalPaths(const Forest& forest, const std::set<GlobalPath>& paths, const Names& names,
                                  const Program& program) {
  std::set<std::string> texts;
  const Ways ways = waysTo(forest, names, program);
  for (const GlobalPath& path : paths) {
    std::set<std::string> threads;  // ids differ between explorations
    for (const Position& at : path) {
      if (at.node == kNone) continue;
      const Node& n = forest[at.node];
      std::string text = ways.prefix[at.node] + sideText(forest, names, program, at);
      if (n.kind == NodeKind::Event && n.event == EventKind::End) {
        text += n.failed ? " failed" : " end";
      } else {
        const NodeId pending = forest.child(at.node, at.slot);
        text += pending == kNone ? " cut" : std::string(" waits for ") + toString(forest[pending].event);
        text += "#" + std::to_string(ways.waits[at.node]);
      }
      threads.insert(text);
    }
    std::string text;
    for (const std::string& thread : threads) text += thread + "; ";
    texts.insert(text);
  }
  return texts;
}

}  // namespace heddle
