#include "analysis/pipeline/dependence.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <span>

#include "analysis/detect/failure_finding.h"
#include "analysis/interp/core/machine.h"
#include "analysis/interp/schedulers/replay.h"
#include "analysis/interp/weak/graph_model.h"
#include "analysis/pipeline/schedule_inputs.h"

namespace heddle {

namespace {

/// Notes where a run depends on symbols.
class DependenceSink : public ScheduleInputs {
 public:
  DependenceSink(const Names& names, const Schedule& schedule, TermTable& terms)
      : ScheduleInputs(names, schedule), terms_(terms) {}

  void branch(const BranchInfo& info) override {
    depends_ = true;
    places_.insert(info.place);
  }
  void choice(ThreadId, PlaceId place, Term, uint64_t) override {
    depends_ = true;
    places_.insert(place);
  }

  bool depends() const { return depends_; }
  /// Of branches, addresses and sizes that do.
  const std::set<PlaceId>& places() const { return places_; }

 protected:
  TermTable& terms_;

 private:
  std::set<PlaceId> places_;
  bool depends_ = false;
};

/// Follows what becomes of some inputs. What they leave in shared memory is lost.
class InputDependence : public DependenceSink {
 public:
  InputDependence(const Names& names, const Schedule& schedule, TermTable& terms,
                  const InputPositions& inputs)
      : DependenceSink(names, schedule, terms), inputs_(inputs) {}

  Value input(const InputRequest& request) override {
    Value value = DependenceSink::input(request);
    if (inputs_.contains({labelOf(request), request.ordinal})) value.term = terms_.symbol(request.width);
    return value;
  }

 private:
  const InputPositions& inputs_;
};

/// Follows the nulls that unknown functions leave, through shared memory, too.
class LeftNullDependence : public DependenceSink {
 public:
  using DependenceSink::DependenceSink;

  Value leftNull(unsigned width) override { return {0, terms_.symbol(width)}; }
  void read(const Event& e, std::span<Value> values) override {
    for (size_t i = 0; i < values.size(); ++i)
      if (const auto held = held_.find(e.cells[i]); held != held_.end()) values[i].term = held->second;
    DependenceSink::read(e, values);
  }
  void write(const Event& e, std::span<const Value> values) override {
    note(e, values);
    DependenceSink::write(e, values);
  }
  void endUpdate(const Event& e, std::span<const Value> values) override {
    note(e, values);
    DependenceSink::endUpdate(e, values);
  }

 private:
  void note(const Event& e, std::span<const Value> values) {
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i].term == kNoTerm)
        held_.erase(e.cells[i]);
      else
        held_[e.cells[i]] = values[i].term;
    }
  }

  std::map<LocationId, Term> held_;
};

/// `holds`: asked of the run that knows what is shared. True: there was none.
template <typename Sink, typename... Followed>
bool dependsSo(const Program& program, FunctionId entry, const Schedule& schedule, const Budget& budget,
               const std::function<bool(const DependenceSink&)>& holds, const Followed&... followed) {
  Names names(program.pointerBits());
  Locations locations(true);
  MachineOptions options;
  options.entry = entry;
  // As in replayRun.
  constexpr int kMostRuns = 64;
  for (int i = 0; i < kMostRuns; ++i) {
    TermTable terms;
    std::optional<GraphModel> model;
    if (schedule.model) options.memoryModel = &model.emplace(*schedule.model, names, locations);
    Sink sink(names, schedule, terms, followed...);
    ReplayScheduler scheduler(names, schedule);
    Machine machine({program, names, terms, locations}, options, scheduler, sink, budget);
    if (machine.run().outcome != RunOutcome::Relearned) return holds(sink);
    locations.restart();
  }
  return true;
}

/// Whether it depends so on the line of `place`.
std::function<bool(const DependenceSink&)> onLine(const Program& program, const SourcePlace& place) {
  return [&](const DependenceSink& sink) {
    return std::any_of(sink.places().begin(), sink.places().end(), [&](PlaceId deciding) {
      const SourcePlace at = sourcePlace(program, deciding);
      return at.file == place.file && at.line == place.line;
    });
  };
}

}  // namespace

bool dependsOn(const Program& program, FunctionId entry, const Schedule& schedule, const Budget& budget,
               const InputPositions& inputs) {
  return dependsSo<InputDependence>(
      program, entry, schedule, budget, [](const DependenceSink& sink) { return sink.depends(); }, inputs);
}

bool decidesAt(const Program& program, FunctionId entry, const Schedule& schedule, const Budget& budget,
               const InputPositions& inputs, const SourcePlace& place) {
  return dependsSo<InputDependence>(program, entry, schedule, budget, onLine(program, place), inputs);
}

bool isLeftNull(const Program& program, FunctionId entry, const Schedule& schedule, const Budget& budget,
                const SourcePlace& place) {
  return dependsSo<LeftNullDependence>(program, entry, schedule, budget, onLine(program, place));
}

}  // namespace heddle
