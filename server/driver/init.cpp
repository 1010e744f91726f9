#include "server/driver/init.h"

#include <filesystem>
#include <fstream>
#include <ostream>

#include "server/config/config_file.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

/// Every setting with its default, so that nothing changes before somebody takes a '#' away.
constexpr const char* kConfig =
    "# Settings of Heddle for this project, on the command line and in editors.\n"
    "# All of them, with what they take: docs/editors/other.md of Heddle.\n"
    "\n"
    "budget: 10s          # of one file\n"
    "# saveBudget: 60s    # after saving, in editors\n"
    "# properties: [assert, race, volatile, deadlock, memory, misuse, uninitialized, atomicity]\n"
    "# entry: main        # where programs begin\n"
    "# unroll: 0          # iterations of each loop; 0: no bound\n"
    "# signals: none      # threads: each signal handler runs, as one more thread; refused: it is "
    "unsupported\n"
    "# unknown: arguments # what calls of unknown functions change\n"
    "baseline: .heddle-baseline  # findings that do not count, one `id reason` a line\n";

constexpr const char* kGithub =
    "# Heddle looks at the C files that a change touches; its findings stand beside the lines.\n"
    "name: heddle\n"
    "on: [push, pull_request]\n"
    "permissions:\n"
    "  contents: read\n"
    "  security-events: write\n"
    "jobs:\n"
    "  heddle:\n"
    "    runs-on: ubuntu-latest\n"
    "    steps:\n"
    "      - uses: actions/checkout@v4\n"
    "        with: { fetch-depth: 0 }\n"
    "      # HEDDLE_ARCHIVE: where your heddle-*-linux-x86_64.tar.xz lies (`./dev package` makes it).\n"
    "      - run: curl -fsSL \"${{ vars.HEDDLE_ARCHIVE }}\" | sudo tar -xJ --strip-components=1 -C "
    "/usr/local\n"
    "      - run: heddle scan --since \"origin/${{ github.base_ref || github.event.repository.default_branch "
    "}}\""
    " --format sarif -o heddle.sarif .\n"
    "      - if: always()\n"
    "        uses: github/codeql-action/upload-sarif@v3\n"
    "        with: { sarif_file: heddle.sarif }\n";

constexpr const char* kGitlab =
    "# Heddle looks at the C files that a change touches. Include it from .gitlab-ci.yml:\n"
    "#   include: .gitlab/heddle.yml\n"
    "heddle:\n"
    "  image: debian:bookworm\n"
    "  variables: { GIT_DEPTH: 0 }\n"
    "  before_script:\n"
    "    - apt-get update && apt-get install -y curl git xz-utils libc6-dev\n"
    "    # HEDDLE_ARCHIVE: where your heddle-*-linux-x86_64.tar.xz lies (`./dev package` makes it).\n"
    "    - curl -fsSL \"$HEDDLE_ARCHIVE\" | tar -xJ --strip-components=1 -C /usr/local\n"
    "  script:\n"
    "    - heddle scan --since \"origin/$CI_DEFAULT_BRANCH\" .\n";

/// Whether it is there now. A file that exists stays.
bool writeNew(const fs::path& path, const char* text, Streams streams) {
  std::error_code error;
  if (fs::exists(path, error)) {
    streams.out << path.string() << ": is there already, and stays as it is\n";
    return true;
  }
  fs::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file) {
    streams.out << path.string() << ": written\n";
    return true;
  }
  streams.err << "heddle: error: " << path.string()
              << ": cannot be written; check the folder and its permissions\n";
  return false;
}

}  // namespace

int runInit(const InitCommand& command, Streams streams) {
  std::error_code error;
  const fs::path folder = fs::path(command.folder).lexically_normal();
  if (!fs::is_directory(folder, error)) {
    streams.err << "heddle: error: " << command.folder << ": is no folder; name the project's\n";
    return kExitUsage;
  }
  bool written = writeNew(folder / kConfigName, kConfig, streams);
  if (command.ci == "github") written &= writeNew(folder / ".github/workflows/heddle.yml", kGithub, streams);
  if (command.ci == "gitlab") written &= writeNew(folder / ".gitlab/heddle.yml", kGitlab, streams);
  if (!written) return kExitUsage;
  streams.out
      << "next: heddle scan " << command.folder
      << "   finds what is there; heddle check FILE --write-baseline .heddle-baseline   leaves out what "
         "is known\n";
  return kExitNoBug;
}

}  // namespace heddle
