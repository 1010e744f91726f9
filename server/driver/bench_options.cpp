#include "server/driver/bench_options.h"

namespace heddle {
CLI::App* addBench(CLI::App& app, RawBench& raw) {
  CLI::App* bench = app.add_subcommand(
      "bench",
      "explore the benchmark programs and print tables beside the papers' figures: heddle bench [NAME...]");
  bench->add_option("NAME", raw.names, "a row, a pattern ('M*') or a part of a table's title (default all)")
      ->type_name("");
  bench->add_option("--budget", raw.budget, "wall-clock box of each row; 0 = none (default 60s)")
      ->type_name("TIME");
  bench->add_option("--strategy", raw.strategy, "how to explore (default forest)")->type_name("S");
  addStrategyOptions(*bench, raw.strategyOptions);
  bench->add_option("--solver", raw.solver, "sat or z3 (default sat)")->type_name("NAME");
  bench->add_option("-j", raw.workers, "workers (default 1)")->type_name("N")->check(CLI::Range(1U, 1024U));
  bench->add_option("--format", raw.format, "text, json or markdown (default text)")->type_name("F");
  bench->add_option("--output", raw.output, "write the tables there")->type_name("FILE");
  bench->add_option("--plot", raw.plot, "draw the rows that have a target, as SVG")->type_name("FILE");
  bench->add_option("--suite", raw.suite, "another table of programs")->type_name("FILE");
  bench->add_flag(
      "--cost-of-defaults", raw.costOfDefaults,
      "a column: CPU time over that without spurious wake-ups, weak failures and undefined values");
  bench->add_option("--tune", raw.tuning, "another number of the table in docs/tuning.md; any number of them")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  bench->add_flag("--list", raw.list, "print the names of the rows and do nothing");
  return bench;
}

Command takeBench(const RawBench& raw) {
  BenchCommand command;
  if (const auto problem = problemWithEffort(raw.budget, raw.strategy, raw.solver))
    return usageError(*problem);
  if (raw.format == "text")
    command.format = BenchFormat::Text;
  else if (raw.format == "json")
    command.format = BenchFormat::Json;
  else if (raw.format == "markdown")
    command.format = BenchFormat::Markdown;
  else
    return usageError("--format '" + raw.format + "' is unknown; use text, json or markdown");
  command.names = raw.names;
  command.suite = raw.suite;
  command.output = raw.output;
  command.plot = raw.plot;
  command.list = raw.list;
  command.costOfDefaults = raw.costOfDefaults;
  command.budget = *parseDuration(raw.budget);
  if (!raw.tuning.empty()) {
    Tuning tuning;
    for (const std::string& each : raw.tuning)
      if (const auto problem = tuning.set(each)) return usageError("--tune: " + *problem);
    command.tuning = std::make_shared<const Tuning>(tuning);
  }
  command.options.strategy = raw.strategy;
  command.options.solver = raw.solver;
  command.options.workers = raw.workers;
  if (const auto problem = takeStrategyOptions(raw.strategyOptions, command.options.strategy))
    return usageError(*problem);
  return command;
}

}  // namespace heddle
