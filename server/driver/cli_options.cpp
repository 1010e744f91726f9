#include "server/driver/cli_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <thread>

#include "server/driver/bench_options.h"
#include "server/driver/cover_options.h"
#include "server/driver/native_options.h"
#include "server/driver/project_options.h"
#include "server/driver/strategy_options.h"
#include "server/driver/unknown_option.h"
#include "server/version.h"

namespace heddle {
namespace {

template <typename Names>
bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

template <typename Names>
std::string joined(const Names& names) {
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "" : ", ") + std::string(name);
  return out;
}

ExitNow usageError(const std::string& text) {
  return {kExitUsage, "heddle: error: " + text + "\n"};
}

/// What CLI11 fills before it is checked and becomes a command.
struct Raw {
  std::vector<std::string> files;
  std::string entry = "main", budget = "10s", strategy = "forest", format = "text", output, baseline,
              solver = "sat";
  std::vector<std::string> properties;
  std::optional<uint64_t> steps;
  uint32_t unroll = 0;
  unsigned workers = 0;
  std::string checkpoint;
  uint64_t memoryMib = 0;
  Environment environment;
  bool onlyNeeded = false, full = false;
  std::optional<std::string> arguments;
  std::vector<std::string> unknown;
  std::string harness;
  bool proveReach = false;
  bool everyAccess = false, census = false, all = false, stdio = false, version = false, verbose = false;
  unsigned apply = 0;
  RawStrategy strategyOptions;
  RawNative native;
  std::string lcov;
  std::set<std::string> given;
};

void addCommon(CLI::App& app, Raw& raw) {
  app.add_option("--entry", raw.entry, "entry point (default main)")->type_name("FN");
  app.add_option("--budget", raw.budget, "wall-clock box: 500ms, 10s, 2m; 0 = none (default 10s)")
      ->type_name("TIME");
  app.add_flag("--malloc-may-fail", raw.environment.mallocMayFail, "every allocation may return null");
  app.add_flag("--check-leaks", raw.environment.checkLeaks,
               "heap memory still allocated when the program ends is a memory error");
  app.add_flag("--undefined-any", raw.environment.undefinedIsInput,
               "what was never written has any value (default: 0, named as an assumption)");
  app.add_flag("--no-spurious-wakeups", raw.environment.noSpuriousWakeups,
               "assume that no wait on a condition variable ends without a signal");
  app.add_flag("--no-weak-failures", raw.environment.noWeakFailures,
               "assume that no weak compare-exchange fails where it could succeed");
  app.add_flag("--volatile-atomic", raw.environment.volatileIsAtomic,
               "accesses to volatile objects count as atomic, as in kernels");
  app.add_flag("--no-signals", raw.environment.noSignals,
               "assume that no signal arrives where a program installs a handler (default: unsupported)");
  app.add_option("--unknown", raw.unknown,
                 "what calls of functions change that are neither defined nor modelled: nothing, arguments, "
                 "reachable, refused, or FUNCTION= and one of these (default arguments)")
      ->type_name("EFFECT")
      ->allow_extra_args(false)
      ->take_all();
  app.add_option("--args", raw.arguments,
                 "what main is called with, separated by blanks; '' = nothing (default: any few short texts)")
      ->type_name("TEXT");
  app.add_option("--format", raw.format, "text, json, or sarif for a report, html for a scan (default text)")
      ->type_name("F");
}

void addProperties(CLI::App& app, Raw& raw) {
  app.add_option("--property", raw.properties, "list of " + propertyNames() + " (default all but overflow)")
      ->type_name("LIST")
      ->allow_extra_args(false)  // what follows are files
      ->take_all();
}

/// What `check` and `explain` share.
void addExploring(CLI::App& app, Raw& raw) {
  app.add_option("--steps", raw.steps, "deterministic box: number of events and queries")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  addProperties(app, raw);
  app.add_option("--unroll", raw.unroll, "bound on loop iterations per thread and loop (default none)")
      ->type_name("N")
      ->check(CLI::Range(0U, 1'000'000'000U));
  app.add_option("--memory", raw.memoryMib,
                 "end as incomplete when the process holds this much (default none)")
      ->type_name("MIB")
      ->check(CLI::Range(1U, 1U << 20));
  app.add_option("--solver", raw.solver, "sat or z3 (default sat)")->type_name("NAME");
}

std::optional<ExitNow> takeCommon(const Raw& raw, const std::vector<std::string>& flags, bool flagsGiven,
                                  CommonOptions& out) {
  const std::optional<std::chrono::milliseconds> budget = parseDuration(raw.budget);
  if (!budget)
    return usageError("--budget '" + raw.budget + "' is not a time; write 500ms, 10s, 2m, or 0 for none");
  if (const auto problem = problemWithStrategy(raw.strategy)) return usageError("--strategy: " + *problem);
  if (raw.solver != "sat" && raw.solver != "z3")
    return usageError("--solver '" + raw.solver + "' is unknown; use sat or z3");
  if (raw.entry.empty()) return usageError("--entry needs the name of a function");
  if (!raw.properties.empty()) {
    if (const auto problem = parseProperties(raw.properties, out.options.properties))
      return usageError("--property: " + *problem);
  }
  out.budget = *budget;
  out.steps = raw.steps;
  out.flags = flags;
  out.flagsGiven = flagsGiven;
  out.environment = raw.environment;
  if (const auto problem = parseUnknown(splitCommas(raw.unknown), out.environment))
    return usageError("--unknown: " + *problem);
  if (raw.arguments) out.environment.arguments = splitBlanks(*raw.arguments);
  out.options.entry = raw.entry;
  out.options.harness = raw.harness;
  out.options.strategy = raw.strategy;
  out.options.solver = raw.solver;
  out.options.unroll = raw.unroll;
  out.options.workers = raw.workers != 0 ? raw.workers : std::max(1U, std::thread::hardware_concurrency());
  out.options.everyAccessIsEvent = raw.everyAccess;
  if (raw.census && raw.strategy != "forest") return usageError("--census belongs to --strategy forest");
  out.options.census = raw.census;
  if (!raw.checkpoint.empty() && raw.strategy != "forest")
    return usageError("--checkpoint belongs to --strategy forest");
  out.options.checkpoint = raw.checkpoint;
  out.memory = raw.memoryMib << 20;
  out.onlyNeeded = raw.onlyNeeded;
  out.given = raw.given;
  if (const auto problem = takeStrategyOptions(raw.strategyOptions, out.options.strategy))
    return usageError(*problem);
  if (const auto problem = takeMemoryModel(raw.strategyOptions, out.options.memoryModel))
    return usageError(*problem);
  return std::nullopt;
}

/// The settings of `.heddle.yaml` that options of the command line stand for.
std::set<std::string> givenSettings(const CLI::App& app) {
  constexpr std::array<std::pair<const char*, const char*>, 10> kSettings = {{{"--budget", "budget"},
                                                                              {"--entry", "entry"},
                                                                              {"--strategy", "strategy"},
                                                                              {"--property", "properties"},
                                                                              {"--unroll", "unroll"},
                                                                              {"-j", "workers"},
                                                                              {"--memory", "memoryLimit"},
                                                                              {"--no-signals", "noSignals"},
                                                                              {"--unknown", "unknown"},
                                                                              {"--args", "args"}}};
  std::set<std::string> given;
  for (const CLI::App* chosen : app.get_subcommands())
    for (const auto& [option, setting] : kSettings)
      if (const CLI::Option* found = chosen->get_option_no_throw(option);
          found != nullptr && found->count() != 0)
        given.insert(setting);
  return given;
}

std::optional<ExitNow> takeFormat(const Raw& raw, Format& format, bool ofReports, bool ofPages = false) {
  const char* const known = ofPages     ? "text, json, sarif or html"
                            : ofReports ? "text, json or sarif"
                                        : "text or json";
  if (raw.format == "text")
    format = Format::Text;
  else if (raw.format == "json")
    format = Format::Json;
  else if (raw.format == "sarif" && ofReports)
    format = Format::Sarif;
  else if (raw.format == "html" && ofPages)
    format = Format::Html;
  else
    return usageError("--format '" + raw.format + "' is unknown here; use " + known);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> problemWithStrategy(const std::string& name) {
  const std::vector<std::string_view> known = strategiesByName();
  if (contains(known, name)) return std::nullopt;
  return "'" + name + "' is unknown; use " + joined(known);
}

std::optional<std::string> parseProperties(const std::vector<std::string>& lists, std::set<Property>& out) {
  std::set<Property> chosen;
  for (const std::string& name : splitCommas(lists)) {
    const std::optional<Property> property = parseProperty(name);
    if (!property) return "'" + name + "' is unknown; use a list of " + propertyNames();
    chosen.insert(*property);
  }
  if (chosen.empty()) return "the list is empty; name at least one of " + propertyNames();
  out = std::move(chosen);
  return std::nullopt;
}

Command parseCommandLine(const std::vector<std::string>& arguments) {
  const auto separator = std::find(arguments.begin(), arguments.end(), "--");
  const bool flagsGiven = separator != arguments.end();
  const std::vector<std::string> flags(flagsGiven ? separator + 1 : separator, arguments.end());

  Raw raw;
  CLI::App app(
      "Heddle explores all schedules and all inputs of C programs with threads.\n"
      "Without a command it serves the Language Server Protocol on stdin and stdout.",
      "heddle");
  app.require_subcommand(0, 1);
  app.add_flag("--version", raw.version, "print the version");
  app.add_flag("--stdio", raw.stdio, "serve on stdin and stdout (the default)");

  CLI::App* lsp = app.add_subcommand("lsp", "serve the Language Server Protocol on stdin and stdout");
  lsp->add_flag("--stdio", raw.stdio, "accepted for clients that pass it");

  CLI::App* dap =
      app.add_subcommand("dap", "serve the Debug Adapter Protocol on stdin and stdout: walk a finding");
  dap->add_flag("--stdio", raw.stdio, "accepted for clients that pass it");
  // What the server starts for its explorations; of no use by hand.
  const CLI::App* worker = app.add_subcommand("worker", "")->group("");

  CLI::App* check = app.add_subcommand(
      "check", "explore files and print what was found: heddle check [options] FILE... [-- clang flags]");
  check->add_option("FILE", raw.files, "C files")->required()->type_name("");
  addCommon(*check, raw);
  addExploring(*check, raw);
  check
      ->add_option("--strategy", raw.strategy,
                   "how to explore: " + joined(strategiesByName()) + " (default forest)")
      ->type_name("S");
  addStrategyOptions(*check, raw.strategyOptions);
  addMemoryModel(*check, raw.strategyOptions);
  check->add_option("-j", raw.workers, "workers (default: all cores)")
      ->type_name("N")
      ->check(CLI::Range(1U, 1024U));
  check
      ->add_option("--baseline", raw.baseline,
                   "findings to leave out of the exit code: `id reason`, one a line (default: the project's "
                   ".heddle-baseline)")
      ->type_name("FILE");
  check->add_option("--output", raw.output, "write the report there, and text to stdout")->type_name("FILE");
  check->add_flag("--all", raw.all, "go on after the first finding of each kind (the default)");
  check
      ->add_option("--checkpoint", raw.checkpoint,
                   "keep every run in this file, and go on from what it holds: the exploration may be killed")
      ->type_name("FILE");
  check->add_flag("--census", raw.census,
                  "when everything is explored, execute and count every combination of the threads' paths");
  check->add_flag("--prove-reach", raw.proveReach,
                  "check Heddle itself: a failure seeded at the end of each thread must be found, or the end "
                  "be named as not reached");
  check->add_flag("--every-access", raw.everyAccess,
                  "treat every access to memory as visible to other threads");

  CLI::App* explain = app.add_subcommand(
      "explain", "say why each finding happens: heddle explain [options] FILE... [-- clang flags]");
  explain->add_option("FILE", raw.files, "C files")->required()->type_name("");
  addCommon(*explain, raw);
  addExploring(*explain, raw);
  explain->add_flag("--full", raw.full,
                    "also the core, locks held, the nearest passing execution and all plans");

  CLI::App* replay = app.add_subcommand(
      "replay", "run one schedule again: heddle replay FILE... 'SCHEDULE' [-- clang flags]");
  replay
      ->add_option("FILE", raw.files,
                   "C files of one program, and last the schedule as a finding prints it, in quotes")
      ->required()
      ->expected(2, 1'000'000)
      ->type_name("");
  addCommon(*replay, raw);
  addProperties(*replay, raw);
  replay->add_flag(
      "--only-needed", raw.onlyNeeded,
      "of the files after the first, link only those that define what is missing, as `check` does when "
      "it is given several programs");

  CLI::App* repair = app.add_subcommand(
      "repair",
      "print verified patches for what is found: heddle repair FILE [OTHER...] [--apply N] [-- clang flags]");
  repair->add_option("FILE", raw.files, "C files of one program")->required()->type_name("");
  repair
      ->add_option("--apply", raw.apply, "write patch N into its files, all or none, and print nothing else")
      ->type_name("N")
      ->check(CLI::Range(1U, 1000U));
  repair->add_flag("--verbose", raw.verbose, "also list what was tried and rejected, with the reason");
  repair->add_option("--steps", raw.steps, "box in steps instead of seconds: the same result on any machine")
      ->type_name("N");
  addCommon(*repair, raw);

  CLI::App* reproduce = addReproduce(app, raw.files, raw.output, raw.native);
  CLI::App* build = addBuild(app, raw.files, raw.output, raw.native);
  CLI::App* cover = addCover(app, raw.files, raw.output, raw.lcov);
  for (CLI::App* native : {reproduce, build}) {
    native->add_option("--steps", raw.steps, "box in steps instead of seconds")->type_name("N");
    addCommon(*native, raw);
    addProperties(*native, raw);
  }
  cover->add_option("--steps", raw.steps, "box in steps instead of seconds")->type_name("N");
  addCommon(*cover, raw);

  RawProject rawProject;
  const ProjectCommands project = addProject(app, raw.files, raw.output, rawProject);
  for (CLI::App* command : {project.stubs, project.harness, project.scan, project.outcomes})
    addCommon(*command, raw);
  addMemoryModel(*project.outcomes, raw.strategyOptions);
  addProperties(*project.scan, raw);
  for (CLI::App* command : {check, explain, replay})
    command
        ->add_option("--harness", raw.harness,
                     "begin in this harness of a file without a main, as `heddle harness --list` names it")
        ->type_name("TITLE");

  RawBench rawBench;
  const CLI::App* bench = addBench(app, rawBench);

  std::vector<std::string> own(arguments.begin(), separator);
  std::reverse(own.begin(), own.end());  // CLI11 takes them from the back
  try {
    app.parse(own);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    return ExitNow{0, chosen.empty() ? app.help() : chosen.front()->help()};
  } catch (const CLI::Error& error) {
    const auto chosen = app.get_subcommands();
    const std::string help =
        chosen.empty() ? "heddle --help" : "heddle " + chosen.front()->get_name() + " --help";
    std::string what = error.what();
    std::replace(what.begin(), what.end(), '\n', ' ');
    return usageError(what + "; see " + help);
  }

  raw.given = givenSettings(app);
  const auto takeBoth = [&](auto& command) -> std::optional<ExitNow> {
    if (const auto problem = takeCommon(raw, flags, flagsGiven, command)) return *problem;
    return takeFormat(raw, command.format, false);
  };
  if (raw.version) return ExitNow{0, std::string("heddle ") + heddleVersion() + "\n"};
  if (check->parsed() || explain->parsed()) {
    CheckCommand command;
    command.explain = explain->parsed();
    command.full = raw.full;
    if (const auto problem = takeCommon(raw, flags, flagsGiven, command)) return *problem;
    if (const auto problem = takeFormat(raw, command.format, true)) return *problem;
    command.files = raw.files;
    command.output = raw.output;
    command.proveReach = raw.proveReach;
    command.baseline = raw.baseline;
    // The short text has no room for it.
    command.options.diagnose = command.explain || command.format == Format::Json || !raw.output.empty();
    return command;
  }
  if (replay->parsed()) {
    ReplayCommand command;
    if (const auto problem = takeBoth(command)) return *problem;
    command.schedule = raw.files.back();
    raw.files.pop_back();
    command.files = raw.files;
    return command;
  }
  if (repair->parsed()) {
    RepairCommand command;
    if (const auto problem = takeBoth(command)) return *problem;
    command.options.diagnose = true;  // plans for orders come from there
    command.files = raw.files;
    command.apply = raw.apply;
    command.verbose = raw.verbose;
    return command;
  }
  if (reproduce->parsed()) {
    ReproduceCommand command;
    if (const auto problem = takeBoth(command)) return *problem;
    command.finding = raw.files.back();
    raw.files.pop_back();
    command.files = raw.files;
    if (!raw.output.empty()) command.output = raw.output;
    command.compilerOptions = raw.native.compilerOptions;
    return command;
  }
  if (build->parsed()) {
    BuildCommand command;
    if (const auto problem = takeBoth(command)) return *problem;
    command.files = raw.files;
    if (!raw.output.empty()) command.output = raw.output;
    takeBuild(raw.native, command);
    return command;
  }
  if (cover->parsed()) {
    CoverCommand command;
    if (const auto problem = takeBoth(command)) return *problem;
    command.files = raw.files;
    command.output = raw.output;
    command.lcov = raw.lcov;
    return command;
  }
  if (project.stubs->parsed()) {
    StubsCommand command;
    if (const auto problem = takeBoth(command)) return *problem;
    command.files = raw.files;
    return command;
  }
  if (project.harness->parsed()) {
    HarnessCommand command;
    if (const auto problem = takeCommon(raw, flags, flagsGiven, command)) return *problem;
    command.file = rawProject.file;
    command.functions = rawProject.functions;
    command.list = rawProject.list;
    command.comment = rawProject.comment;
    command.output = raw.output;
    return command;
  }
  if (project.outcomes->parsed()) {
    OutcomesCommand command{{}, rawProject.file, rawProject.finals};
    if (const auto problem = takeBoth(command)) return *problem;
    return command;
  }
  if (project.scan->parsed()) {
    ScanCommand command;
    if (const auto problem = takeCommon(raw, flags, flagsGiven, command)) return *problem;
    if (const auto problem = takeFormat(raw, command.format, true, true)) return *problem;
    command.output = raw.output;
    if (const auto problem = takeScan(rawProject, command)) return usageError(*problem);
    return command;
  }
  if (dap->parsed()) return DapCommand{};
  if (worker->parsed()) return WorkerCommand{};
  if (bench->parsed()) return takeBench(rawBench);
  if (flagsGiven)
    return usageError(
        "flags after -- belong to check, explain, replay, repair, reproduce, build, cover, stubs, harness, "
        "scan and outcomes; see heddle --help");
  return LspCommand{};
}

}  // namespace heddle
