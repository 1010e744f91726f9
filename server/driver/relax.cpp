#include "server/driver/relax.h"

#include <chrono>
#include <cstdio>
#include <ostream>

#include "analysis/repair/weaker_orders.h"
#include "server/driver/exploration_input.h"
#include "server/render/duration_text.h"
#include "server/render/unified_diff.h"

namespace heddle {
namespace {

/// Empty: orders were found.
std::string problemOf(const WeakerOrders& orders) {
  switch (orders.outcome) {
    case WeakerOrders::Outcome::Found:
      return {};
    case WeakerOrders::Outcome::NoOrders:
      return "names no memory orders; write those that are left out (memory_order_seq_cst)";
    case WeakerOrders::Outcome::OrdersIgnored:
      return "memory orders make no difference under the memory model sc; leave --memory-model out";
    case WeakerOrders::Outcome::NotVerified:
      return "is not verified as it is; see heddle check";
    case WeakerOrders::Outcome::FailsWithStrong:
      return "fails with sequentially consistent orders, too, or is not verified with them";
  }
  return {};
}

}  // namespace

int runRelax(const RelaxCommand& command, const Engine& engine, Streams streams, std::stop_token stop) {
  std::vector<SourceFile> files;
  if (!readSources({command.file}, files, streams.err)) return kExitUsage;
  const ExplorationInput input = explorationOf(files, command, engine, streams.err);
  const auto begun = std::chrono::steady_clock::now();
  const Budget budget = budgetOf(input.options, std::move(stop));
  const Options& options = input.options.options;
  const WeakerOrders orders =
      weakerOrders(input.snapshot.text, options.memoryModel, [&](const std::string& text) {
        Snapshot changed = input.snapshot;
        changed.text = text;
        return engine.analyze(changed, options, budget, Observer{});
      });
  if (const std::string problem = problemOf(orders); !problem.empty()) {
    streams.err << "heddle: error: " << command.file << ": " << problem << '\n';
    return orders.explorations == 0 ? kExitUsage : exitCodeOf(orders.report);
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
  streams.out << "# " << toString(orders) << " (" << toString(options.memoryModel) << ": verified; "
              << orders.explorations << " explorations, " << secondsText(taken) << ")\n"
              << unifiedDiff(command.file, files.front().text,
                             input.withoutHarness(input.snapshot.path, orders.text))
              << std::flush;
  if (budget.check() == StopReason::None) return exitCodeOf(orders.report);
  streams.err
      << "heddle: error: the time was not enough for all orders: others may do as well; give a larger "
         "--budget\n";
  return kExitIncomplete;
}

}  // namespace heddle
