// GraphModel: a memory model that keeps the execution as a graph and allows what leaves it consistent.
//
// Which accesses have choices: in C11 the atomic ones; under sequential consistency and with store buffers
// (TSO, PSO) all of the program's, since these models are about what the machine does. Plain memory of C11 is
// as the latest write left it: a thread that could see another value races with that write. Data races are
// those of C11 under each model: two conflicting accesses, not both atomic, neither of which happens before
// the other.
//
// Assumes that names and locations outlive it and are the machine's. Threading: belongs to one run.
#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "analysis/interp/core/memory_model.h"
#include "analysis/interp/weak/execution_graph.h"
#include "analysis/model/locations.h"
#include "analysis/model/names.h"
#include "analysis/model/state_key.h"

namespace heddle {

class GraphModel : public MemoryModel {
 public:
  GraphModel(MemoryModelKind kind, const Names& names, const Locations& locations)
      : names_(names), locations_(locations), graph_(Axioms::of(kind)) {}

  void synchronize(const Event& event, bool acquired) override;
  void fence(ThreadId thread, MemoryOrder order) override;
  void input(ThreadId thread, const Value& given) override;
  void access(const Event& event, std::span<const Value> before, std::span<const Value> after) override;
  bool isOpen(const Event& event) const override;
  std::span<const WriteChoice> choices(const Event& event, const Value& memory) override;
  Value valueOf(size_t choice) const override;
  bool isLatestBuffered() const override;
  bool allows(size_t choice, bool writes) override;
  bool take(size_t choice, const Value* written) override;

  /// An access to the program's memory, not to what the interpreter keeps beside it.
  bool isOfProgram(const Event& event) const;
  /// The thread's path depends on inputs with a term, and `value` was chosen for it. Nothing else is known of
  /// these inputs.
  void forked(ThreadId thread, uint64_t value);
  /// Names the graph so far: two runs of one exploration with one key go on alike.
  StateKey key() const;
  /// Called for each race, with the earlier access and the one that is executed.
  void setOnRace(std::function<void(const Event&, const Event&)> onRace) { onRace_ = std::move(onRace); }
  const ExecutionGraph& graph() const { return graph_; }

 private:
  /// An access, for the question which others race with it.
  struct Seen {
    GraphEventId id = kNone;
    Event event;
  };

  void note(ThreadId thread, uint64_t what, LocationId location, GraphEventId source);
  void findRaces(const Event& event, LocationId location, GraphEventId id);
  uint64_t nameOf(GraphEventId id) const;

  const Names& names_;
  const Locations& locations_;
  ExecutionGraph graph_;
  std::map<ThreadId, StateKey> histories_;
  std::map<LocationId, StateKey> orders_;  // of the operations on what is no open location
  std::unordered_map<LocationId, std::vector<Seen>> seen_;
  std::function<void(const Event&, const Event&)> onRace_;
  // Of the access that was asked for last:
  Event event_;
  OpenAccess access_;
  std::vector<WriteChoice> choices_;
};

}  // namespace heddle
