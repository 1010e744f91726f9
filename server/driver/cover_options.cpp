#include "server/driver/cover_options.h"

namespace heddle {

CLI::App* addCover(CLI::App& app, std::vector<std::string>& files, std::string& output, std::string& lcov) {
  CLI::App* cover = app.add_subcommand(
      "cover",
      "find inputs and schedules that take each side of each branch: heddle cover FILE... [-o DIR] [--lcov "
      "OUT] [-- clang flags]");
  cover->add_option("FILE", files, "C files of one program")->required()->type_name("");
  cover
      ->add_option("-o", output,
                   "folder for the suite: one file each, which `heddle replay FILE...` takes instead of a "
                   "schedule (default: the suite is printed only)")
      ->type_name("DIR");
  cover->add_option("--lcov", lcov, "write the coverage there, as lcov and genhtml read it")
      ->type_name("OUT");
  return cover;
}

}  // namespace heddle
