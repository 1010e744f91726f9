#include "server/driver/declared_commands.h"

#include "server/driver/cover_options.h"

namespace heddle {
namespace {

void addCommon(CLI::App& app, RawCommandLine& raw) {
  app.add_option("--entry", raw.entry, "entry point (default main)")->type_name("FN");
  app.add_option("--budget", raw.budget, "wall-clock box: 500ms, 10s, 2m; 0 = none (default 10s)")
      ->type_name("TIME");
  app.add_option_function<std::string>(
         "--environment", [&raw](const std::string& name) { set(raw.environment, *parseFriendliness(name)); },
         "ordinary: opens and other calls of the system succeed; usual: they may fail, allocations succeed; "
         "hostile: allocations may fail, too (default usual)")
      ->type_name("E")
      ->check(CLI::IsMember({"ordinary", "usual", "hostile"}));
  app.add_flag("--malloc-may-fail", raw.environment.mallocMayFail,
               "every allocation may return null, and every creation of a thread fail whose result is used");
  app.add_option("--creations", raw.environment.creations,
                 "threads that each thread can create: a creation beyond whose result the program looks at "
                 "fails (default: each succeeds)")
      ->type_name("N");
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
  app.add_option_function<std::string>(
         "--signals", [&raw](const std::string& name) { raw.environment.signals = *parseSignals(name); },
         "what a program meets that installs signal handlers: none: no signal arrives, which the verdict "
         "names; "
         "threads: each runs at most once, as one more thread; refused: it is unsupported there (default "
         "none)")
      ->type_name("S")
      ->check(CLI::IsMember({"none", "threads", "refused"}));
  app.add_flag_callback(
      "--no-signals", [&raw] { raw.environment.signals = Signals::None; }, "the same as --signals none");
  app.add_flag_callback(
      "--refuse-signals", [&raw] { raw.environment.signals = Signals::Refused; },
      "the same as --signals refused");
  app.add_option("--unknown", raw.unknown,
                 "what calls of functions change that are neither defined nor modelled: nothing, arguments, "
                 "reachable, refused, or FUNCTION= and one of these (default arguments)")
      ->type_name("EFFECT")
      ->allow_extra_args(false)
      ->take_all();
  app.add_option("--args", raw.arguments,
                 "what main is called with, separated by blanks; '' = nothing (default: any few short texts)")
      ->type_name("TEXT");
  app.add_option(
         "-p,--compile-commands-dir", raw.compileCommands,
         "folder of compile_commands.json (default: looked for in the parents of the file and their build/)")
      ->type_name("DIR");
  app.add_flag("--partial", raw.partial,
               "headers that are missing are empty, and functions that do not compile are left out: calls of "
               "them are calls of unknown functions, and the verdict names them (a scan does so anyway)");
  app.add_option("--format", raw.format, "text, json, or sarif for a report, html for a scan (default text)")
      ->type_name("F");
}

void addProperties(CLI::App& app, RawCommandLine& raw) {
  app.add_option("--property", raw.properties, "list of " + propertyNames() + " (default all but overflow)")
      ->type_name("LIST")
      ->allow_extra_args(false)  // what follows are files
      ->take_all();
}

/// What `check` and `explain` share.
void addExploring(CLI::App& app, RawCommandLine& raw) {
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

void addSvcomp(CLI::App& app, SvcompOptions& svcomp) {
  app.add_option("--svcomp", svcomp.property,
                 "a task of SV-COMP: decide what this property file asks for, under the competition's rules")
      ->type_name("FILE.prp");
  app.add_option("--data-model", svcomp.dataModel, "with --svcomp: ILP32 or LP64")
      ->type_name("M")
      ->check(CLI::IsMember({"ILP32", "LP64"}));
  app.add_option("--witness", svcomp.witness,
                 "with --svcomp: write the witness of the verdict there (YAML, format 2.0 or 2.2)")
      ->type_name("FILE");
  app.add_option("--validate", svcomp.validate,
                 "with --svcomp: look for what this witness says, of whichever tool")
      ->type_name("FILE");
}

}  // namespace

DeclaredCommands declareCommandLine(CLI::App& app, RawCommandLine& raw) {
  DeclaredCommands made;
  app.description(
      "Heddle explores all schedules and all inputs of C programs with threads.\n"
      "Without a command it serves the Language Server Protocol on stdin and stdout.");
  app.name("heddle");
  app.require_subcommand(0, 1);
  app.add_flag("--version", raw.version, "print the version");
  app.add_flag("--stdio", raw.stdio, "serve on stdin and stdout (the default)");

  CLI::App* lsp = app.add_subcommand("lsp", "serve the Language Server Protocol on stdin and stdout");
  lsp->add_flag("--stdio", raw.stdio, "accepted for clients that pass it");

  CLI::App* const dap = made.dap =
      app.add_subcommand("dap", "serve the Debug Adapter Protocol on stdin and stdout: walk a finding");
  dap->add_flag("--stdio", raw.stdio, "accepted for clients that pass it");
  // What the server starts for its explorations; of no use by hand.
  made.worker = app.add_subcommand("worker", "")->group("");

  CLI::App* const check = made.check = app.add_subcommand(
      "check", "explore files and print what was found: heddle check [options] FILE... [-- clang flags]");
  check->add_option("FILE", raw.files, "C files")->required()->type_name("");
  addCommon(*check, raw);
  addExploring(*check, raw);
  check
      ->add_option("--strategy", raw.strategy,
                   "how to explore: " + withCommas(strategiesByName()) + " (default forest)")
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
  check
      ->add_option("--write-baseline", raw.writeBaseline,
                   "add what is found to this baseline, as known, instead of counting it")
      ->type_name("FILE");
  check
      ->add_option("--tsan-report", raw.tsanReport,
                   "look for the races that ThreadSanitizer wrote there: each has a schedule, or what was "
                   "explored has none")
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

  addSvcomp(*check, raw.svcomp);
  check->add_flag(
      "--strict", raw.strict,
      "what holds within bounds that the time set (rounds of loops, sizes) is no success: exit code 2");

  CLI::App* const explain = made.explain = app.add_subcommand(
      "explain", "say why each finding happens: heddle explain [options] FILE... [-- clang flags]");
  explain->add_option("FILE", raw.files, "C files")->required()->type_name("");
  addCommon(*explain, raw);
  addMemoryModel(*explain, raw.strategyOptions);
  addExploring(*explain, raw);
  explain->add_flag("--full", raw.full,
                    "also the core, locks held, the nearest passing execution and all plans");

  CLI::App* const replay = made.replay = app.add_subcommand(
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

  CLI::App* const repair = made.repair = app.add_subcommand(
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
  addMemoryModel(*repair, raw.strategyOptions);

  CLI::App* const reproduce = made.reproduce = addReproduce(app, raw.files, raw.output, raw.native);
  CLI::App* const save = made.save =
      app.add_subcommand("save",
                         "keep a finding under .heddle/ as a test that runs before each exploration: heddle "
                         "save FILE... FINDING "
                         "[-- clang flags]");
  save->add_option(
          "FILE", raw.files,
          "C files of one program, and last the finding: its number or id, or its schedule in quotes")
      ->required()
      ->expected(2, 1'000'000)
      ->type_name("");
  save->add_option("--name", raw.name, "name of the file (default: of the program and the finding's id)")
      ->type_name("NAME");
  CLI::App* const build = made.build = addBuild(app, raw.files, raw.output, raw.native);
  CLI::App* const cover = made.cover = addCover(app, raw.files, raw.output, raw.lcov);
  for (CLI::App* native : {reproduce, save, build}) {
    native->add_option("--steps", raw.steps, "box in steps instead of seconds")->type_name("N");
    addCommon(*native, raw);
    addProperties(*native, raw);
  }
  cover->add_option("--steps", raw.steps, "box in steps instead of seconds")->type_name("N");
  addCommon(*cover, raw);

  const ProjectCommands project = made.project = addProject(app, raw.files, raw.output, raw.project);
  for (CLI::App* command :
       {project.stubs, project.harness, project.scan, project.outcomes, project.relax, project.annotate})
    addCommon(*command, raw);
  for (CLI::App* command : {project.outcomes, project.relax, project.annotate})
    addMemoryModel(*command, raw.strategyOptions);
  for (CLI::App* command : {project.scan, project.relax}) addProperties(*command, raw);
  project.scan->add_option("-j", raw.workers, "explorations side by side (default: all cores)")
      ->type_name("N")
      ->check(CLI::Range(1U, 1024U));
  for (CLI::App* command : {check, explain, replay})
    command
        ->add_option("--size", raw.sizes,
                     "another value of a constant that bounds loops: WORKERS=2; any number of them. The "
                     "verdict names it")
        ->type_name("NAME=N")
        ->allow_extra_args(false)
        ->take_all();
  for (CLI::App* command : {check, explain, replay, save})
    command
        ->add_option("--harness", raw.harness,
                     "begin in this harness of a file without a main, as `heddle harness --list` names it")
        ->type_name("TITLE");

  made.bench = addBench(app, raw.bench);
  for (CLI::App* command : {check, explain}) {
    command->add_flag("-q,--quiet", raw.quiet, "findings and problems only: no verdicts of what is well");
    command
        ->add_option("--color", raw.colour,
                     "colours, and the lines of the source: auto (on a terminal), always, never")
        ->type_name("WHEN");
  }

  CLI::App* const init = made.init = app.add_subcommand(
      "init", "write what a project needs to begin: .heddle.yaml, and a job for CI: heddle init [FOLDER]");
  init->add_option("FOLDER", raw.folder, "folder of the project (default: this one)")->type_name("");
  init->add_option("--ci", raw.ci, "also a job that checks each change: github or gitlab")->type_name("KIND");

  CLI::App* const capture = made.capture = app.add_subcommand(
      "capture",
      "run a build and write compile_commands.json from what its compilers are called with: heddle capture "
      "[-o DIR] -- make ...");
  capture->add_option("-o", raw.folder, "folder of compile_commands.json (default: this one)")
      ->type_name("DIR");

  CLI::App* const completion = made.completion = app.add_subcommand(
      "completion", "print a script that completes commands and options: heddle completion bash|zsh|fish");
  completion->add_option("SHELL", raw.shell, "bash, zsh or fish")->required()->type_name("");
  made.man = app.add_subcommand("man", "print the manual page, for man(1): heddle man | man -l -");
  return made;
}

}  // namespace heddle
