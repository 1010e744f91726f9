// The command line as plain data: what the user asked for, or one line that says what is wrong with it and
// what to do.
//
// Threading: pure functions.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analysis/pipeline/pipeline.h"
#include "server/driver/bench_command.h"
#include "server/driver/option_words.h"
#include "server/driver/svcomp_options.h"

namespace heddle {

constexpr int kExitNoBug = 0;
constexpr int kExitBug = 1;
constexpr int kExitIncomplete = 2;
constexpr int kExitUsage = 3;

struct CommonOptions {
  Options options;
  std::chrono::milliseconds budget{10'000};  // 0: none
  std::optional<uint64_t> steps;
  uint64_t memory = 0;             // bytes that the process may hold; 0: no limit
  std::vector<std::string> flags;  // after `--`; they take the place of a compile command
  bool flagsGiven = false;
  Environment environment;
  std::set<std::string> given;  // settings, by their names in `.heddle.yaml`, that the command line decides
  std::string userFolder;       // holds heddle/config.yaml; empty: none is read
  bool partial = false;         // what does not compile is left out
  bool onlyNeeded = false;      // of the files after the first, link those that define what is missing
  std::map<std::string, int64_t> sizes;  // other values of constants, by name
  std::string compileCommands;           // folder of compile_commands.json; empty: it is looked for
};

enum class Format : uint8_t { Text, Json, Sarif, Html };

/// Colours, and lines of the source beside places; Auto: where stdout is a terminal.
enum class Colour : uint8_t { Auto, Always, Never };

struct LspCommand {};

struct DapCommand {};  // serves the Debug Adapter Protocol

struct WorkerCommand {};  // explores for a server: see worker_main.h

struct CheckCommand : CommonOptions {
  std::vector<std::string> files;
  Format format = Format::Text;
  std::string output;         // empty: stdout
  std::string baseline;       // file of suppressed findings; empty: the project's
  bool explain = false;       // `heddle explain`: why each finding happens
  bool full = false;          // and all that is known of it
  bool proveReach = false;    // look whether seeded failures are found
  std::string writeBaseline;  // findings are added to it; empty: none
  std::string tsanReport;     // ThreadSanitizer's text, whose races are looked for; empty: none
  bool strict = false;        // what holds within bounds that the budget set is no success
  bool quiet = false;         // findings and problems only
  Colour colour = Colour::Auto;
  SvcompOptions svcomp;
  unsigned sideBySide = 1;  // explorations at once; heddle-mpi decides it
};

struct InitCommand {
  std::string folder = ".";
  std::string ci;  // "github", "gitlab", or empty: none
};

struct CaptureCommand {
  std::vector<std::string> build;  // the user's command, its program first
  std::string folder = ".";        // of compile_commands.json
};

struct ReplayCommand : CommonOptions {
  std::vector<std::string> files;  // of one program
  std::string schedule;
  Format format = Format::Text;
};

struct RepairCommand : CommonOptions {
  std::vector<std::string> files;  // of one program; the first is repaired
  Format format = Format::Text;
  unsigned apply = 0;    // number of the patch to write, from 1; 0: print them all
  bool verbose = false;  // also what was rejected, and why
};

struct ReproduceCommand : CommonOptions {
  std::vector<std::string> files;  // of one program
  std::string finding;             // its number or id, or a schedule
  std::string output = "reproducer";
  std::vector<std::string> compilerOptions;
  Format format = Format::Text;
};

struct SaveCommand : CommonOptions {
  std::vector<std::string> files;  // of one program
  std::string finding;             // its number or id, or a schedule
  std::string name;                // of the file; empty: made of the program's and the finding's
  Format format = Format::Text;
};

struct BuildCommand : CommonOptions {
  std::vector<std::string> files;  // of one program
  std::string output = "a.out";
  bool enforce = false;
  uint32_t atLeast = 0;     // relaxes no further than to this many constraints
  std::string order;        // of the threads; empty: the best
  bool shake = false;       // for tests: threads sleep now and then at their events
  std::string prefix;       // a file of constraints to keep to; empty: they are looked for
  std::string writePrefix;  // the file to write them to, whenever there are fewer; empty: none
  uint32_t measure = 0;     // runs that tell what the constraints cost; 0: nothing is run
  std::string relaxFrom;    // the file from which the program takes fewer when it starts; empty: none
  std::vector<std::string> compilerOptions;
  Format format = Format::Text;
};

struct CoverCommand : CommonOptions {
  std::vector<std::string> files;  // of one program
  std::string output;              // folder of the suite; empty: it is not written
  std::string lcov;                // empty: none
  Format format = Format::Text;
};

struct StubsCommand : CommonOptions {
  std::vector<std::string> files;  // of one program
  Format format = Format::Text;
};

struct HarnessCommand : CommonOptions {
  std::string file;
  std::vector<std::string> functions;  // that it is to call; empty: the most promising
  bool list = false;
  bool comment = false;
  std::string output;  // empty: stdout
};

struct ScanCommand : CommonOptions {
  std::string folder = ".";
  std::chrono::milliseconds total{60'000};  // of everything; 0: none
  Format format = Format::Text;
  std::string output;  // empty: stdout
  std::string since;   // a revision: only files that differ from it; empty: all
};

struct OutcomesCommand : CommonOptions {
  std::string file;                 // C, or a litmus test of herd7
  std::vector<std::string> finals;  // global variables; those of a litmus test are in its condition
  Format format = Format::Text;
};

struct RelaxCommand : CommonOptions {
  std::string file;
};

struct AnnotateCommand : CommonOptions {
  std::string file;
};

/// Print `text` (on stderr when the code is not 0) and exit.
struct ExitNow {
  int code = 0;
  std::string text;
};

/// The end of a command line that cannot be followed; `text` is one sentence without its full stop.
ExitNow usageError(const std::string& text);

using Command = std::variant<LspCommand, DapCommand, WorkerCommand, CheckCommand, ReplayCommand,
                             RepairCommand, ReproduceCommand, SaveCommand, BuildCommand, CoverCommand,
                             StubsCommand, HarnessCommand, ScanCommand, OutcomesCommand, RelaxCommand,
                             AnnotateCommand, BenchCommand, InitCommand, CaptureCommand, ExitNow>;

/// `arguments` without the program's name.
Command parseCommandLine(const std::vector<std::string>& arguments);

/// Shared by the command line and the editor's settings; an error text when a name is unknown or not built
/// yet.
std::optional<std::string> problemWithStrategy(const std::string& name);
/// The values of --budget, --strategy and --solver; the text names the option.
std::optional<std::string> problemWithEffort(const std::string& budget, const std::string& strategy,
                                             const std::string& solver);
std::optional<std::string> parseProperties(const std::vector<std::string>& names, std::set<Property>& out);

}  // namespace heddle
