// The heddle binary: parses the command line and hands over. Everything else is in the library, where tests
// reach it.
#include <algorithm>
#include <csignal>
#include <iostream>

#include <unistd.h>

#include "analysis/support/installation.h"
#include "server/dap/serve_dap.h"
#include "server/driver/annotate.h"
#include "server/driver/bench.h"
#include "server/driver/build.h"
#include "server/driver/capture.h"
#include "server/driver/check.h"
#include "server/driver/cli_options.h"
#include "server/driver/configured.h"
#include "server/driver/cover.h"
#include "server/driver/harness_command.h"
#include "server/driver/init.h"
#include "server/driver/outcomes.h"
#include "server/driver/relax.h"
#include "server/driver/repair.h"
#include "server/driver/reproduce.h"
#include "server/driver/save.h"
#include "server/driver/scan.h"
#include "server/driver/serve.h"
#include "server/driver/stop_on_signal.h"
#include "server/driver/stubs.h"
#include "server/worker/worker_main.h"
#include "server/worker/worker_pool.h"

int main(int argc, char** argv) {
  using namespace heddle;
  std::signal(SIGPIPE, SIG_IGN);  // a client that goes away is an end of the session, not of the process
  Command command = parseCommandLine({argv + std::min(argc, 1), argv + argc});
  if (const auto* exit = std::get_if<ExitNow>(&command)) {
    (exit->code == 0 ? std::cout : std::cerr) << exit->text << std::flush;
    return exit->code;
  }
  if (std::holds_alternative<WorkerCommand>(command))
    return runWorker(pipelineEngine(), STDIN_FILENO, STDOUT_FILENO);
  if (std::holds_alternative<LspCommand>(command)) {
    const auto pool = std::make_shared<WorkerPool>(std::vector<std::string>{commandToStartAgain(), "worker"});
    pool->warmUp();
    return serveStdio(engineInWorkers(pipelineEngine(), pool));
  }
  if (std::holds_alternative<DapCommand>(command))
    return serveDap(pipelineEngine(), userConfigFolder(), STDIN_FILENO, STDOUT_FILENO);
  if (const auto* bench = std::get_if<BenchCommand>(&command))  // before any thread: it forks
    return runBench(*bench, pipelineEngine(), {std::cout, std::cerr});
  if (const auto* capture = std::get_if<CaptureCommand>(&command))  // as above
    return runCapture(*capture, {std::cout, std::cerr});
  if (const auto* init = std::get_if<InitCommand>(&command)) return runInit(*init, {std::cout, std::cerr});
  std::visit(
      [](auto& chosen) {
        if constexpr (std::is_base_of_v<CommonOptions, std::decay_t<decltype(chosen)>>)
          chosen.userFolder = userConfigFolder();
      },
      command);
  StopOnSignal signals;
  const Streams streams{std::cout, std::cerr, isatty(STDOUT_FILENO) != 0, isatty(STDERR_FILENO) != 0};
  if (const auto* check = std::get_if<CheckCommand>(&command))
    return runCheck(*check, pipelineEngine(), streams, signals.token());
  if (const auto* repair = std::get_if<RepairCommand>(&command))
    return runRepair(*repair, pipelineEngine(), streams, signals.token());
  if (const auto* reproduce = std::get_if<ReproduceCommand>(&command))
    return runReproduce(*reproduce, pipelineEngine(), streams, signals.token());
  if (const auto* save = std::get_if<SaveCommand>(&command))
    return runSave(*save, pipelineEngine(), streams, signals.token());
  if (const auto* stubs = std::get_if<StubsCommand>(&command))
    return runStubs(*stubs, pipelineEngine(), streams);
  if (const auto* harness = std::get_if<HarnessCommand>(&command))
    return runHarness(*harness, pipelineEngine(), streams);
  if (const auto* outcomes = std::get_if<OutcomesCommand>(&command))
    return runOutcomes(*outcomes, pipelineEngine(), streams, signals.token());
  if (const auto* relax = std::get_if<RelaxCommand>(&command))
    return runRelax(*relax, pipelineEngine(), streams, signals.token());
  if (const auto* annotate = std::get_if<AnnotateCommand>(&command))
    return runAnnotate(*annotate, pipelineEngine(), streams, signals.token());
  if (const auto* scan = std::get_if<ScanCommand>(&command))
    return runScan(*scan, pipelineEngine(), streams, signals.token());
  if (const auto* build = std::get_if<BuildCommand>(&command))
    return runBuild(*build, pipelineEngine(), streams, signals.token());
  if (const auto* cover = std::get_if<CoverCommand>(&command))
    return runCover(*cover, pipelineEngine(), streams, signals.token());
  return runReplay(std::get<ReplayCommand>(command), pipelineEngine(), streams, signals.token());
}
