#include "server/driver/cli_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <thread>

#include "server/driver/cli_document.h"
#include "server/driver/declared_commands.h"
#include "server/driver/suggestion.h"
#include "server/driver/unknown_option.h"
#include "server/sizes/integer_constants.h"
#include "server/version.h"

namespace heddle {
namespace {

template <typename Names>
bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// `NAME=N`; what is wrong with it, if something is.
std::optional<std::string> takeSize(const std::string& word, std::map<std::string, int64_t>& sizes) {
  const size_t equals = word.find('=');
  const auto value =
      equals == std::string::npos ? std::nullopt : integerLiteral(std::string_view(word).substr(equals + 1));
  if (!value || equals == 0 || *value < 1) return "'" + word + "' is no size; write NAME=N, as in WORKERS=2";
  sizes[word.substr(0, equals)] = *value;
  return std::nullopt;
}

std::optional<ExitNow> takeCommon(const RawCommandLine& raw, const std::vector<std::string>& flags,
                                  bool flagsGiven, CommonOptions& out) {
  if (const auto problem = problemWithEffort(raw.budget, raw.strategy, raw.solver))
    return usageError(*problem);
  if (raw.entry.empty()) return usageError("--entry needs the name of a function");
  if (!raw.properties.empty()) {
    if (const auto problem = parseProperties(raw.properties, out.options.properties))
      return usageError("--property: " + *problem);
  }
  out.budget = *parseDuration(raw.budget);
  out.steps = raw.steps;
  out.flags = flags;
  out.flagsGiven = flagsGiven;
  out.environment = raw.environment;
  if (const auto problem = parseUnknown(splitCommas(raw.unknown), out.environment))
    return usageError("--unknown: " + *problem);
  for (const std::string& size : raw.sizes)
    if (const auto problem = takeSize(size, out.sizes)) return usageError("--size: " + *problem);
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
  out.partial = raw.partial;
  out.compileCommands = raw.compileCommands;
  if (flagsGiven && !out.compileCommands.empty())
    return usageError("-p and flags after -- say both how the files are compiled; leave one out");
  out.given = raw.given;
  if (const auto problem = takeStrategyOptions(raw.strategyOptions, out.options.strategy))
    return usageError(*problem);
  if (const auto problem = takeMemoryModel(raw.strategyOptions, out.options.memoryModel))
    return usageError(*problem);
  return std::nullopt;
}

/// The settings of `.heddle.yaml` that options of the command line stand for.
std::set<std::string> givenSettings(const CLI::App& app) {
  constexpr std::array<std::pair<const char*, const char*>, 17> kSettings = {
      {{"--budget", "budget"},
       {"--entry", "entry"},
       {"--strategy", "strategy"},
       {"--property", "properties"},
       {"--unroll", "unroll"},
       {"-j", "workers"},
       {"--memory", "memoryLimit"},
       {"--signals", "signals"},
       {"--signals", "noSignals"},
       {"--no-signals", "signals"},
       {"--no-signals", "noSignals"},
       {"--refuse-signals", "signals"},
       {"--refuse-signals", "noSignals"},
       {"--environment", "environment"},
       {"--malloc-may-fail", "environment"},
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

std::optional<ExitNow> takeFormat(const RawCommandLine& raw, Format& format, bool ofReports,
                                  bool ofPages = false) {
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

std::optional<ExitNow> takeColour(const RawCommandLine& raw, Colour& colour) {
  if (raw.colour == "auto")
    colour = Colour::Auto;
  else if (raw.colour == "always")
    colour = Colour::Always;
  else if (raw.colour == "never")
    colour = Colour::Never;
  else
    return usageError("--color '" + raw.colour + "' is unknown; use auto, always or never");
  return std::nullopt;
}

/// ", did you mean 'check'?" where the first word that nobody expected is near one that is known.
std::string meantInstead(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  const CLI::App& at = chosen.empty() ? app : *chosen.front();
  const std::vector<std::string> unexpected = app.remaining(true);
  if (unexpected.empty()) return "";
  const std::string& word = unexpected.front();
  std::vector<std::string> known;
  if (word.starts_with("-")) {
    for (const CLI::Option* option : at.get_options())
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  } else if (chosen.empty()) {
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
      if (!command->get_group().empty()) known.push_back(command->get_name());
  }
  const std::optional<std::string> near = nearestWord(word.substr(0, word.find('=')), known);
  return near ? ", did you mean '" + *near + "'?" : "";
}

Command takeInit(const RawCommandLine& raw) {
  if (!raw.ci.empty() && raw.ci != "github" && raw.ci != "gitlab")
    return usageError("--ci '" + raw.ci + "' is unknown; use github or gitlab");
  return InitCommand{raw.folder, raw.ci};
}

Command takeCapture(const RawCommandLine& raw, const std::vector<std::string>& build) {
  if (build.empty()) return usageError("capture needs the build behind --: heddle capture -- make");
  return CaptureCommand{build, raw.folder};
}

Command takeCompletion(const RawCommandLine& raw, const CLI::App& app) {
  if (const std::optional<std::string> script = completionScript(app, raw.shell)) return ExitNow{0, *script};
  return usageError("completion: '" + raw.shell + "' is unknown; use bash, zsh or fish");
}

}  // namespace

ExitNow usageError(const std::string& text) {
  return {kExitUsage, "heddle: error: " + text + "\n"};
}

std::optional<std::string> problemWithStrategy(const std::string& name) {
  const std::vector<std::string_view> known = strategiesByName();
  if (contains(known, name)) return std::nullopt;
  return "'" + name + "' is unknown; use " + withCommas(known);
}

std::optional<std::string> problemWithEffort(const std::string& budget, const std::string& strategy,
                                             const std::string& solver) {
  if (!parseDuration(budget))
    return "--budget '" + budget + "' is not a time; write 500ms, 10s, 2m, or 0 for none";
  if (const auto problem = problemWithStrategy(strategy)) return "--strategy: " + *problem;
  if (solver != "sat" && solver != "z3") return "--solver '" + solver + "' is unknown; use sat or z3";
  return std::nullopt;
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

  RawCommandLine raw;
  CLI::App app;
  const DeclaredCommands commands = declareCommandLine(app, raw);

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
    return usageError(what + meantInstead(app) + "; see " + help);
  }

  raw.given = givenSettings(app);
  const auto takeBoth = [&](auto& command) -> std::optional<ExitNow> {
    if (const auto problem = takeCommon(raw, flags, flagsGiven, command)) return *problem;
    return takeFormat(raw, command.format, false);
  };
  if (raw.version) return ExitNow{0, std::string("heddle ") + heddleVersion() + "\n"};
  if (commands.check->parsed() || commands.explain->parsed()) {
    CheckCommand command;
    command.explain = commands.explain->parsed();
    command.full = raw.full;
    if (const auto problem = takeCommon(raw, flags, flagsGiven, command)) return *problem;
    if (const auto problem = takeFormat(raw, command.format, true)) return *problem;
    command.files = raw.files;
    command.output = raw.output;
    command.proveReach = raw.proveReach;
    command.baseline = raw.baseline;
    command.writeBaseline = raw.writeBaseline;
    command.tsanReport = raw.tsanReport;
    if (!raw.tsanReport.empty()) command.options.summarizeAccesses = true;
    command.strict = raw.strict;
    command.quiet = raw.quiet;
    command.svcomp = raw.svcomp;
    if (raw.svcomp.property.empty() &&
        !(raw.svcomp.dataModel + raw.svcomp.witness + raw.svcomp.validate).empty())
      return usageError("--data-model, --witness and --validate belong to --svcomp");
    if (const auto problem = takeColour(raw, command.colour)) return *problem;
    // The short text has no room for it.
    command.options.diagnose = command.explain || command.format == Format::Json || !raw.output.empty();
    return command;
  }
  if (commands.replay->parsed()) {
    ReplayCommand command;
    if (const auto problem = takeBoth(command)) return *problem;
    command.schedule = raw.files.back();
    raw.files.pop_back();
    command.files = raw.files;
    return command;
  }
  if (commands.repair->parsed()) {
    RepairCommand command;
    if (const auto problem = takeCommon(raw, flags, flagsGiven, command)) return *problem;
    if (const auto problem = takeFormat(raw, command.format, true)) return *problem;
    command.options.diagnose = true;  // plans for orders come from there
    command.files = raw.files;
    command.apply = raw.apply;
    command.verbose = raw.verbose;
    return command;
  }
  if (commands.reproduce->parsed()) {
    ReproduceCommand command;
    if (const auto problem = takeBoth(command)) return *problem;
    command.finding = raw.files.back();
    raw.files.pop_back();
    command.files = raw.files;
    if (!raw.output.empty()) command.output = raw.output;
    command.compilerOptions = raw.native.compilerOptions;
    return command;
  }
  if (commands.save->parsed()) {
    SaveCommand command;
    if (const auto problem = takeBoth(command)) return *problem;
    command.finding = raw.files.back();
    raw.files.pop_back();
    command.files = raw.files;
    command.name = raw.name;
    return command;
  }
  if (commands.build->parsed()) {
    BuildCommand command;
    if (const auto problem = takeBoth(command)) return *problem;
    command.files = raw.files;
    if (!raw.output.empty()) command.output = raw.output;
    takeBuild(raw.native, command);
    return command;
  }
  if (commands.cover->parsed()) {
    CoverCommand command;
    if (const auto problem = takeBoth(command)) return *problem;
    command.files = raw.files;
    command.output = raw.output;
    command.lcov = raw.lcov;
    return command;
  }
  if (commands.project.stubs->parsed()) {
    StubsCommand command;
    if (const auto problem = takeBoth(command)) return *problem;
    command.files = raw.files;
    return command;
  }
  if (commands.project.harness->parsed()) {
    HarnessCommand command;
    if (const auto problem = takeCommon(raw, flags, flagsGiven, command)) return *problem;
    command.file = raw.project.file;
    command.functions = raw.project.functions;
    command.list = raw.project.list;
    command.comment = raw.project.comment;
    command.output = raw.output;
    return command;
  }
  if (commands.project.outcomes->parsed()) {
    OutcomesCommand command{{}, raw.project.file, raw.project.finals};
    if (const auto problem = takeBoth(command)) return *problem;
    return command;
  }
  if (commands.project.relax->parsed()) {
    RelaxCommand command{{}, raw.project.file};
    if (const auto problem = takeCommon(raw, flags, flagsGiven, command)) return *problem;
    return command;
  }
  if (commands.project.annotate->parsed()) {
    AnnotateCommand command{{}, raw.project.file};
    if (const auto problem = takeCommon(raw, flags, flagsGiven, command)) return *problem;
    return command;
  }
  if (commands.project.scan->parsed()) {
    ScanCommand command;
    if (const auto problem = takeCommon(raw, flags, flagsGiven, command)) return *problem;
    if (const auto problem = takeFormat(raw, command.format, true, true)) return *problem;
    command.output = raw.output;
    if (const auto problem = takeScan(raw.project, command)) return usageError(*problem);
    return command;
  }
  if (commands.dap->parsed()) return DapCommand{};
  if (commands.worker->parsed()) return WorkerCommand{};
  if (commands.bench->parsed()) return takeBench(raw.bench);
  if (commands.init->parsed()) return takeInit(raw);
  if (commands.capture->parsed()) return takeCapture(raw, flags);
  if (commands.completion->parsed()) return takeCompletion(raw, app);
  if (commands.man->parsed()) return ExitNow{0, manualPage(app)};
  if (flagsGiven)
    return usageError(
        "flags after -- belong to check, explain, replay, repair, reproduce, save, build, cover, stubs, "
        "harness, "
        "scan, outcomes, relax and annotate; see heddle --help");
  return LspCommand{};
}

}  // namespace heddle
