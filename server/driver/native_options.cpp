#include "server/driver/native_options.h"

namespace heddle {

namespace {

void addCompilerOptions(CLI::App& app, RawNative& raw) {
  app.add_option("--cc-option", raw.compilerOptions,
                 "option for the compiler of the system, as -O1; may be given several times")
      ->type_name("OPT")
      ->allow_extra_args(false)
      ->take_all();
}

}  // namespace

CLI::App* addReproduce(CLI::App& app, std::vector<std::string>& files, std::string& output, RawNative& raw) {
  CLI::App* reproduce = app.add_subcommand(
      "reproduce",
      "make a native program that fails as a finding says, each time: heddle reproduce FILE... FINDING -o "
      "prog [-- clang flags]");
  reproduce
      ->add_option(
          "FILE", files,
          "C files of one program, and last the finding: its number or id, or its schedule in quotes")
      ->required()
      ->expected(2, 1'000'000)
      ->type_name("");
  reproduce->add_option("-o", output, "the program to write (default reproducer)")->type_name("PROG");
  addCompilerOptions(*reproduce, raw);
  return reproduce;
}

CLI::App* addBuild(CLI::App& app, std::vector<std::string>& files, std::string& output, RawNative& raw) {
  CLI::App* build = app.add_subcommand(
      "build",
      "make a native program, safe under scheduling constraints: heddle build FILE... -o prog --enforce [-- "
      "clang flags]");
  build->add_option("FILE", files, "C files of one program")->required()->type_name("");
  build->add_option("-o", output, "the program to write (default a.out)")->type_name("PROG");
  build->add_flag("--enforce", raw.enforce,
                  "find constraints under which it is proved safe, as few as can be, and keep to them");
  build->add_option("--prefix", raw.prefix, "constraints that --write-prefix has written, to be proved again")
      ->type_name("FILE");
  build
      ->add_option("--write-prefix", raw.writePrefix,
                   "write the constraints there, each time there are fewer")
      ->type_name("FILE");
  build
      ->add_option(
          "--relax-from", raw.relaxFrom,
          "when it starts and while it waits, the program looks in this file for constraints that are not "
          "needed any more; with --enforce it is made after the first proof, and the file is written as it "
          "is relaxed")
      ->type_name("FILE");
  build->add_option("--at-least", raw.atLeast, "relax no further than to this many constraints (default 0)")
      ->type_name("N");
  build
      ->add_option(
          "--order", raw.order,
          "of the threads in the trace to begin with: in-turn, last-first, alternating (default: the "
          "one whose constraints cost least)")
      ->type_name("ORDER")
      ->check(CLI::IsMember({"in-turn", "last-first", "alternating"}));
  build
      ->add_option("--measure", raw.measure,
                   "run the program N times with and without the constraints, and say what they cost")
      ->type_name("N")
      ->check(CLI::Range(1U, 100'000U));
  build->add_flag("--shake", raw.shake,
                  "for tests: with HEDDLE_SHAKE=SEED set, threads sleep now and then at every event");
  addCompilerOptions(*build, raw);
  return build;
}

void takeBuild(const RawNative& raw, BuildCommand& command) {
  command.enforce = raw.enforce || !raw.prefix.empty();
  command.shake = raw.shake;
  command.atLeast = raw.atLeast;
  command.measure = raw.measure;
  command.order = raw.order;
  command.prefix = raw.prefix;
  command.writePrefix = raw.writePrefix;
  command.relaxFrom = raw.relaxFrom;
  command.compilerOptions = raw.compilerOptions;
}

}  // namespace heddle
