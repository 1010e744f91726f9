#include "server/state/native_desk.h"

#include <boost/asio/post.hpp>

#include "server/native/native_build.h"
#include "server/schedule/load_snapshot.h"

namespace heddle {
namespace {

NativeDesk::Outcome reproduced(const Engine& engine, const NativeDesk::Request& request,
                               const Budget& budget) {
  NativeDesk::Outcome outcome;
  outcome.program = engine.reproducer(request.snapshot, request.options, request.schedule->first,
                                      request.schedule->second, budget);
  outcome.problem = outcome.program.problem;
  // As the command line does it: a debugger shows the program as it is written.
  if (outcome.problem.empty()) outcome.problem = engine.build(outcome.program, request.output, {});
  return outcome;
}

NativeDesk::Outcome constrained(const Engine& engine, const NativeDesk::Request& request,
                                const Budget& budget) {
  NativeDesk::Outcome outcome;
  if (request.prefix) {
    outcome.enforcement.prefix = *request.prefix;
  } else {
    outcome.enforcement = engine.constrain(request.snapshot, request.options, budget);
    if (!outcome.enforcement.found)
      outcome.problem = outcome.enforcement.problem.empty() ? "no constraints were proved in the time"
                                                            : outcome.enforcement.problem;
  }
  if (!outcome.problem.empty() || request.output.empty()) return outcome;
  outcome.program = engine.enforced(request.snapshot, request.options, outcome.enforcement.prefix);
  outcome.problem = outcome.program.problem;
  if (outcome.problem.empty()) outcome.problem = engine.build(outcome.program, request.output, {"-O2"});
  return outcome;
}

NativeDesk::Outcome relaxed(const Engine& engine, const NativeDesk::Request& request, const Budget& budget) {
  NativeDesk::Outcome outcome;
  outcome.orders =
      weakerOrders(request.snapshot.text, request.options.memoryModel, [&](const std::string& text) {
        Snapshot changed = request.snapshot;
        changed.text = text;
        return engine.analyze(changed, request.options, budget, Observer{});
      });
  if (outcome.orders.outcome != WeakerOrders::Outcome::Found)
    outcome.problem = "no memory orders were found: the program is not verified in the time";
  else if (budget.check() != StopReason::None)
    outcome.problem = "the time was not enough to try all memory orders";
  return outcome;
}

}  // namespace

NativeDesk::NativeDesk(boost::asio::any_io_executor loop, ThreadPool& pool, Engine engine)
    : loop_(std::move(loop)),
      pool_(pool),
      engine_(std::make_shared<const Engine>(std::move(engine))),
      self_(std::make_shared<NativeDesk*>(this)) {}

NativeDesk::~NativeDesk() {
  stop_.request_stop();
}

void NativeDesk::stop() {
  stop_.request_stop();
  stop_ = std::stop_source();
}

void NativeDesk::start(Request request, Done done) {
  pool_.run([loop = loop_, engine = engine_, stop = stop_.get_token(), weakSelf = std::weak_ptr(self_),
             request = std::move(request), done = std::move(done)]() mutable {
    loadSnapshot(request.snapshot, request.textFromDisk, *engine, nullptr);
    Budget budget = Budget::forDuration(request.budget);
    budget.withStop(stop);
    Outcome outcome;
    if (!request.output.empty()) outcome.problem = problemWithOutput(request.output);
    if (outcome.problem.empty())
      outcome = request.relaxes    ? relaxed(*engine, request, budget)
                : request.schedule ? reproduced(*engine, request, budget)
                                   : constrained(*engine, request, budget);
    boost::asio::post(loop, [weakSelf, done = std::move(done), outcome = std::move(outcome)] {
      if (weakSelf.lock()) done(outcome);
    });
  });
}

}  // namespace heddle
