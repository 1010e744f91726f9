#include "server/driver/relax.h"

#include <chrono>
#include <cstdio>
#include <ostream>

#include "analysis/repair/memory_orders.h"
#include "server/driver/exploration_input.h"
#include "server/render/unified_diff.h"

namespace heddle {
namespace {

std::string secondsText(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f s", seconds);
  return text;
}

/// Explores a program with other orders, again and again.
class OrderTrial {
 public:
  OrderTrial(const ExplorationInput& input, const Engine& engine, const Budget& budget)
      : input_(input), engine_(engine), budget_(budget), named_(namedOrders(input.snapshot.text)) {
    for (const NamedOrder& name : named_) written_.push_back(name.order);
  }

  Report explore(const std::vector<MemoryOrder>& orders) {
    ++explorations_;
    Snapshot changed = input_.snapshot;
    changed.text = withOrders(input_.snapshot.text, named_, orders);
    return engine_.analyze(changed, input_.options.options, budget_, Observer{});
  }
  /// What the search for weaker orders ends with, from these on and no weaker than `least`.
  std::vector<MemoryOrder> weakest(const std::vector<MemoryOrder>& from,
                                   const std::vector<MemoryOrder>& least) {
    return weakestOrders(named_, from, least, [this](const std::vector<MemoryOrder>& orders) {
      return explore(orders).verdict == Verdict::Verified;
    });
  }
  std::string text(const std::vector<MemoryOrder>& orders) const {
    return withOrders(input_.snapshot.text, named_, orders);
  }
  size_t changed(const std::vector<MemoryOrder>& orders) const {
    size_t count = 0;
    for (size_t i = 0; i < orders.size(); ++i) count += orders[i] != written_[i] ? 1 : 0;
    return count;
  }
  const std::vector<MemoryOrder>& written() const { return written_; }
  std::vector<MemoryOrder> all(MemoryOrder order) const {
    return std::vector<MemoryOrder>(written_.size(), order);
  }
  size_t explorations() const { return explorations_; }

 private:
  const ExplorationInput& input_;
  const Engine& engine_;
  const Budget& budget_;
  const std::vector<NamedOrder> named_;
  std::vector<MemoryOrder> written_;
  size_t explorations_ = 0;
};

}  // namespace

int runRelax(const RelaxCommand& command, const Engine& engine, Streams streams, std::stop_token stop) {
  std::vector<SourceFile> files;
  if (!readSources({command.file}, files, streams.err)) return kExitUsage;
  const ExplorationInput input = explorationOf(files, command, engine, streams.err);
  const auto begun = std::chrono::steady_clock::now();
  const Budget budget = budgetOf(input.options, std::move(stop));
  OrderTrial trial(input, engine, budget);
  if (trial.written().empty()) {
    streams.err << "heddle: error: " << command.file
                << ": names no memory orders; write those that are left out (memory_order_seq_cst)\n";
    return kExitUsage;
  }
  const Report report = trial.explore(trial.written());
  const bool fails = report.verdict == Verdict::Violated;
  std::vector<MemoryOrder> from = trial.written(), least = trial.all(MemoryOrder::Relaxed);
  if (fails) {
    from = trial.all(MemoryOrder::SeqCst);
    least = trial.written();
  }
  if (fails ? trial.explore(from).verdict != Verdict::Verified : report.verdict != Verdict::Verified) {
    streams.err << "heddle: error: " << command.file << ": "
                << (fails ? "fails with sequentially consistent orders, too, or is not verified with them"
                          : "is not verified as it is; see heddle check")
                << '\n';
    return exitCodeOf(report);
  }
  const std::vector<MemoryOrder> found = trial.weakest(from, least);
  const size_t changed = trial.changed(found);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
  streams.out << "# " << changed << " of " << found.size() << " memory orders "
              << (fails ? "must be stronger" : "can be weaker") << " ("
              << toString(input.options.options.memoryModel) << ": verified; " << trial.explorations()
              << " explorations, " << secondsText(taken.count()) << ")\n"
              << unifiedDiff(command.file, files.front().text,
                             input.withoutHarness(input.snapshot.path, trial.text(found)))
              << std::flush;
  if (budget.check() == StopReason::None) return exitCodeOf(report);
  streams.err
      << "heddle: error: the time was not enough for all orders: others may do as well; give a larger "
         "--budget\n";
  return kExitIncomplete;
}

}  // namespace heddle
