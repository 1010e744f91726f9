#include "server/driver/project_options.h"

namespace heddle {

ProjectCommands addProject(CLI::App& app, std::vector<std::string>& files, std::string& output,
                           RawProject& raw) {
  ProjectCommands made;
  made.stubs = app.add_subcommand(
      "stubs",
      "print definitions for the functions that are neither defined nor modelled: heddle stubs FILE... [-- "
      "clang flags]");
  made.stubs->add_option("FILE", files, "C files of one program")->required()->type_name("");

  made.harness =
      app.add_subcommand("harness",
                         "print a program that runs functions of a file side by side: heddle harness "
                         "FILE [FUNCTION...] [-- clang flags]");
  made.harness->add_option("FILE", raw.file, "C file without a main")->required()->type_name("");
  made.harness
      ->add_option("FUNCTION", raw.functions, "functions that it is to call (default: the most promising)")
      ->type_name("");
  made.harness->add_flag("--list", raw.list, "print the titles of all harnesses that can be made");
  made.harness->add_flag("--comment", raw.comment, "print the comment line for the file instead");
  made.harness->add_option("-o", output, "write it there")->type_name("FILE");

  made.scan = app.add_subcommand("scan",
                                 "look at all C files of a folder, explore what is most promising and say "
                                 "what is known of each function: "
                                 "heddle scan [FOLDER] [-- clang flags]");
  made.scan->add_option("FOLDER", raw.folder, "folder (default: this one)")->type_name("");
  made.scan->add_option("--total", raw.total, "wall-clock box of everything (default 60s)")
      ->type_name("TIME");
  made.scan->add_option("--since", raw.since, "only files that differ from this revision of git")
      ->type_name("REV");
  made.scan->add_option("-o", output, "write the report there, and text to stdout")->type_name("FILE");

  made.outcomes = app.add_subcommand("outcomes",
                                     "print which values variables can have at the end, under a memory "
                                     "model: heddle outcomes FILE.c --final "
                                     "x,y, or FILE.litmus [-- clang flags]");
  made.outcomes->add_option("FILE", raw.file, "C file, or litmus test of herd7")->required()->type_name("");
  made.outcomes->add_option("--final", raw.finals, "global variables")->type_name("X,Y")->delimiter(',');

  made.relax = app.add_subcommand("relax",
                                  "print the weakest memory orders with which a program stays verified, or "
                                  "the ones that must be stronger where it fails, as a diff: heddle relax "
                                  "FILE.c [-- clang flags]");
  made.relax->add_option("FILE", raw.file, "C file")->required()->type_name("");

  made.annotate = app.add_subcommand("annotate",
                                     "print which locks guard which data as thread-safety attributes, as a "
                                     "diff, and who breaks those that are written: heddle annotate FILE.c "
                                     "[-- clang flags]");
  made.annotate->add_option("FILE", raw.file, "C file")->required()->type_name("");
  return made;
}

std::optional<std::string> takeScan(const RawProject& raw, ScanCommand& command) {
  const auto total = parseDuration(raw.total);
  if (!total) return "--total '" + raw.total + "' is not a time; write 30s, 2m, or 0 for none";
  command.folder = raw.folder;
  command.total = *total;
  command.since = raw.since;
  return std::nullopt;
}

}  // namespace heddle
