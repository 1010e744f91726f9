#include "tests/reference/search.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <vector>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/xxhash.h>

#include "tests/reference/frontend.h"

namespace heddle::reference {
namespace {

/// Depth first over all states, with Tarjan's strongly connected components.
class Search {
 public:
  Search(const ProgramCode& code, const Rules& rules, uint64_t mostStates, Decision& decision)
      : machine_(code, rules), most_(mostStates), decision_(decision) {}

  void run() {
    roots_.push_back(machine_.start());
    while (!roots_.empty()) {
      State root = std::move(roots_.back());
      roots_.pop_back();
      if (!numbers_.count(keyOf(root))) visitFrom(std::move(root));
    }
    decision_.failures = machine_.failures();
    decision_.states = nodes_.size();
  }

 private:
  void visitFrom(State root) {
    enter(std::move(root));
    while (!path_.empty()) {
      if (path_.back().next < path_.back().successors.size()) {
        State& state = path_.back().successors[path_.back().next++];
        if (const auto known = numbers_.find(keyOf(state)); known == numbers_.end())
          enter(std::move(state));
        else
          meet(known->second);
      } else {
        leave();
      }
    }
  }

  struct Node {
    uint32_t low = 0;
    bool open = true;         // its component is not complete
    bool waits = false;       // some thread has not ended
    bool assumption = false;  // an assumption stops a thread here
  };
  struct Visit {
    uint32_t node = 0;
    std::vector<State> successors;
    size_t next = 0;
    bool leaves = false;  // some successor is in another component
  };

  /// 128 bits of hash stand for a state: two of a search agree by chance once in 10^26 searches.
  using Key = std::pair<uint64_t, uint64_t>;
  static Key keyOf(const State& state) {
    const std::string text = serialized(state);
    const auto hash =
        llvm::xxh3_128bits(llvm::ArrayRef(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
    return {hash.high64, hash.low64};
  }

  void enter(State state) {
    const uint32_t number = static_cast<uint32_t>(nodes_.size());
    if (number >= most_) throw std::runtime_error("more than " + std::to_string(most_) + " states");
    numbers_.emplace(keyOf(state), number);
    nodes_.push_back({number});
    component_.push_back(number);
    Visit visit;
    visit.node = number;
    if (state.process == Process::Running) expand(state, visit);
    path_.push_back(std::move(visit));
  }

  void expand(const State& state, Visit& visit) {
    bool running = false, assumption = false;
    std::vector<std::optional<Access>> next(state.threads.size());
    for (size_t t = 0; t < state.threads.size(); ++t)
      if (state.threads[t].status == ThreadStatus::Running) next[t] = machine_.nextAccess(state, t);
    for (size_t t = 0; t < state.threads.size(); ++t) {
      if (state.threads[t].status == ThreadStatus::Ended) continue;
      running = true;
      std::vector<Successor> steps;
      assumption |= machine_.step(state, t, steps) == Refusal::Assumption;
      for (Successor& step : steps) {
        for (const Access& access : step.accesses)
          for (size_t other = 0; other < next.size(); ++other)
            if (other != t && next[other]) noteRace(access, *next[other]);
        if (!step.section && step.accesses.size() == 1) noteSectionsAfter(step.state, t, step.accesses[0]);
        (step.optional ? roots_ : visit.successors).push_back(std::move(step.state));
      }
    }
    nodes_[visit.node].waits = running;
    nodes_[visit.node].assumption = assumption;
    for (size_t t = 0; t < state.threads.size(); ++t) {
      int at = static_cast<int>(t);
      for (size_t i = 0; i <= state.threads.size() && at >= 0; ++i) {
        at = machine_.waitsFor(state, static_cast<size_t>(at));
        if (at == static_cast<int>(t)) decision_.deadlock = true;
        if (at >= 0 && state.threads[static_cast<size_t>(at)].status == ThreadStatus::Ended)
          decision_.deadlock = true;
      }
    }
  }

  /// A plain access orders nothing, so what comes right after it races with it, too: an atomic section that
  /// can be left only then.
  void noteSectionsAfter(const State& state, size_t t, const Access& access) {
    if (state.process != Process::Running || access.atomic) return;
    for (size_t other = 0; other < state.threads.size(); ++other) {
      if (other == t || !machine_.beginsSection(state, other)) continue;
      std::vector<Successor> sections;
      machine_.step(state, other, sections);
      for (const Successor& section : sections)
        for (const Access& inside : section.accesses) noteRace(access, inside);
    }
  }

  void noteRace(const Access& a, const Access& b) {
    const bool apart = a.address + a.size <= b.address || b.address + b.size <= a.address;
    if (apart || (!a.write && !b.write) || (a.atomic && b.atomic)) return;
    decision_.races.insert(std::minmax(a.line, b.line));
  }

  void meet(uint32_t number) {
    Visit& visit = path_.back();
    if (nodes_[number].open)
      nodes_[visit.node].low = std::min(nodes_[visit.node].low, nodes_[number].low);
    else
      visit.leaves = true;
  }

  void leave() {
    const Visit done = std::move(path_.back());
    path_.pop_back();
    const bool root = nodes_[done.node].low == done.node;
    if (root) {
      // The whole component is behind this node on the stack.
      bool waits = !done.leaves, assumption = false;
      while (true) {
        const uint32_t member = component_.back();
        component_.pop_back();
        nodes_[member].open = false;
        waits &= nodes_[member].waits;
        assumption |= nodes_[member].assumption;
        if (member == done.node) break;
      }
      if (waits) (assumption ? decision_.stoppedByAssumption : decision_.deadlock) = true;
    }
    if (path_.empty()) return;
    Visit& parent = path_.back();
    if (root)
      parent.leaves = true;
    else {
      parent.leaves |= done.leaves;
      nodes_[parent.node].low = std::min(nodes_[parent.node].low, nodes_[done.node].low);
    }
  }

  Machine machine_;
  uint64_t most_;
  Decision& decision_;
  std::map<Key, uint32_t> numbers_;
  std::vector<Node> nodes_;
  std::vector<uint32_t> component_;
  std::vector<Visit> path_;
  std::vector<State> roots_;  // to begin from: what only an optional step leads to is no way out of a state
};

}  // namespace

bool Decision::violates(const std::string& name) const {
  if (name == "race") return !races.empty();
  if (name == "deadlock") return deadlock;
  return std::any_of(failures.begin(), failures.end(),
                     [&](const Failure& failure) { return failure.first == name; });
}

Decision decide(const std::string& text, const Rules& rules, uint64_t mostStates, unsigned bits) {
  Decision decision;
  try {
    const Compiled compiled = compile(text, bits);
    if (!compiled.module) {
      decision.problem = "does not compile: " + compiled.error;
      return decision;
    }
    const ProgramCode code(*compiled.module);
    Search(code, rules, mostStates, decision).run();
  } catch (const std::exception& problem) {
    decision.problem = problem.what();
  }
  return decision;
}

}  // namespace heddle::reference
