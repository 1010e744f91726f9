// heddle-mpi: `heddle scan`, `check` and `explain` whose explorations are done by the ranks of an MPI job,
// one at a time by each. Rank 0 runs the command, all others serve it.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <thread>

#include <unistd.h>

#include "analysis/support/installation.h"
#include "server/driver/check.h"
#include "server/driver/cli_options.h"
#include "server/driver/configured.h"
#include "server/driver/scan.h"
#include "server/driver/stop_on_signal.h"
#include "server/mpi/mailbox.h"
#include "server/mpi/rank_main.h"
#include "server/mpi/rank_pool.h"
#include "server/version.h"
#include "server/worker/worker_main.h"
#include "server/worker/worker_pool.h"

namespace heddle {
namespace {

constexpr const char* kHelp =
    "usage: mpirun --enable-recovery -np N heddle-mpi [--code FILE] scan|check|explain ARGUMENTS...\n"
    "As heddle scan, check and explain (see heddle scan --help), whose explorations N ranks do side by "
    "side.\n"
    "  --code FILE   write the exit code there as well, for mpirun --enable-recovery gives 0 always\n";

/// Both ends must read what the other writes: the version, and the size of the program's file.
std::string buildOfThis() {
  std::error_code error;
  const auto size = std::filesystem::file_size(programPath(), error);
  return std::string(heddleVersion()) + ' ' + (error ? "" : std::to_string(size));
}

int sayUsageError(const std::string& text) {
  std::cerr << "heddle: error: " << text << '\n' << std::flush;
  return kExitUsage;
}

/// What the command asks for beyond what ranks can do, as one line; empty: nothing.
std::string problemWith(const CommonOptions& common) {
  if (common.memory != 0)
    return "--memory is about one process; limit the ranks with the batch system (srun --mem), or leave it "
           "out";
  return "";
}

int run(ScanCommand command, const Engine& engine, unsigned ranks, Streams streams, std::stop_token stop) {
  if (command.given.contains("workers"))
    return sayUsageError("-j: the ranks say how many explorations run side by side; leave it out");
  if (const std::string problem = problemWith(command); !problem.empty()) return sayUsageError(problem);
  command.userFolder = userConfigFolder();
  command.options.workers = ranks;
  return runScan(command, engine, streams, std::move(stop));
}

int run(CheckCommand command, const Engine& engine, unsigned ranks, Streams streams, std::stop_token stop) {
  if (const std::string problem = problemWith(command); !problem.empty()) return sayUsageError(problem);
  command.userFolder = userConfigFolder();
  command.sideBySide = ranks;
  // Ranks share the cores of a machine; who wants threads in each of them says so.
  if (!command.given.contains("workers")) {
    command.options.workers = 1;
    command.given.insert("workers");
  }
  return runCheck(command, engine, streams, std::move(stop));
}

int runCommand(const std::vector<std::string>& words, RankPool& pool, unsigned ranks, std::stop_token stop) {
  if (!words.empty() && (words.front() == "--help" || words.front() == "-h")) {
    std::cout << kHelp;
    return kExitNoBug;
  }
  const Command command = parseCommandLine(words);
  if (const auto* exit = std::get_if<ExitNow>(&command)) {
    (exit->code == 0 ? std::cout : std::cerr) << exit->text;
    return exit->code;
  }
  const auto ask = [&pool](FrameKind kind, const std::string& body, const std::string& path,
                           const Budget& budget, const std::function<void(const Frame&)>& hear) {
    return pool.ask(kind, body, path, budget, hear);
  };
  const Engine engine = lookingThrough(engineThrough(pipelineEngine(), ask), ask);
  // mpirun makes a terminal of stdout whatever it leads to, so that says nothing of the user's.
  const Streams streams{std::cout, std::cerr, false, false};
  if (const auto* scan = std::get_if<ScanCommand>(&command))
    return run(*scan, engine, ranks, streams, std::move(stop));
  if (const auto* check = std::get_if<CheckCommand>(&command)) {
    if (check->quiet) pool.beQuiet();
    return run(*check, engine, ranks, streams, std::move(stop));
  }
  return sayUsageError("heddle-mpi does scan, check and explain; for the rest use heddle");
}

/// `--code FILE` in front of the command; taken away. False: the file is missing.
bool takeCodeFile(std::vector<std::string>& words, std::string& file) {
  if (words.empty() || words.front() != "--code") return true;
  if (words.size() < 2) return false;
  file = words[1];
  words.erase(words.begin(), words.begin() + 2);
  return true;
}

int runFirst(std::vector<std::string> words, RankPool& pool, unsigned ranks, std::stop_token stop) {
  // OpenMPI tells its ranks how they were started.
  const char* recovers = std::getenv("OMPI_MCA_orte_enable_recovery");
  const bool isOpenMpi = std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr;
  if (ranks > 1 && isOpenMpi && std::getenv("SLURM_STEP_ID") == nullptr &&
      (recovers == nullptr || std::string(recovers) == "0"))
    std::cerr
        << "heddle: note: mpirun ends all ranks when one dies; with mpirun --enable-recovery the others "
           "go on\n"
        << std::flush;
  std::string file;
  if (!takeCodeFile(words, file)) return sayUsageError("--code needs the name of a file");
  const int code = runCommand(words, pool, ranks, std::move(stop));
  if (file.empty()) return code;
  std::ofstream output(file, std::ios::trunc);
  output << code << '\n' << std::flush;
  return output ? code : sayUsageError(file + ": cannot be written; check the path and its permissions");
}

}  // namespace
}  // namespace heddle

int main(int argc, char** argv) {
  using namespace heddle;
  std::signal(SIGPIPE, SIG_IGN);  // a worker may be gone when it is written to
  // What a rank starts for its explorations: no rank itself.
  if (argc == 2 && std::string(argv[1]) == "worker")
    return runWorker(pipelineEngine(), STDIN_FILENO, STDOUT_FILENO);
  Mailbox mailbox(&argc, &argv);
  if (!mailbox.problem().empty()) return sayUsageError(mailbox.problem());
  const auto own = std::make_shared<WorkerPool>(std::vector<std::string>{commandToStartAgain(), "worker"});
  const std::string build = buildOfThis();
  if (mailbox.rank() != 0) serveRank(mailbox, own, build);

  RankPool pool(mailbox.size(), own, build, std::cerr);
  int code = kExitUsage;
  bool isWhole = false;
  {
    StopOnSignal signals;
    std::thread command([&] {
      code = runFirst({argv + std::min(argc, 1), argv + argc}, pool, static_cast<unsigned>(mailbox.size()),
                      signals.token());
      pool.finish();
    });
    isWhole = pool.serve(mailbox);
    command.join();
  }
  Mailbox::leave(isWhole, code);
}
