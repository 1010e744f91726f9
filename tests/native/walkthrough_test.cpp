// docs/enforce.md: what its examples print is what the commands print, apart from times and counts of
// executions.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "tests/native/native_run.h"
#include "tests/paths/paths.h"

namespace heddle::native {
namespace {

struct Example {
  std::string command;
  std::vector<std::string> lines;
};

/// The commands of the page's indented blocks, each with what is printed below it.
std::vector<Example> examplesOf(const std::string& page) {
  std::ifstream stream(sourceDirectory() + "/" + page);
  std::vector<Example> examples;
  bool inExample = false;
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with("    ")) {
      inExample = false;
    } else if (line.starts_with("    $ ")) {
      examples.push_back({line.substr(6), {}});
      inExample = true;
    } else if (inExample) {
      examples.back().lines.push_back(line.substr(4));
    }
  }
  return examples;
}

std::string masked(std::string text) {
  text = std::regex_replace(text, std::regex(R"(\d+\.\d+ s)"), "# s");
  text = std::regex_replace(text, std::regex(R"(\d+ executions)"), "# executions");
  return std::regex_replace(text, std::regex(R"((/[\w.-]+)+/)"), "");  // folders
}

TEST(Walkthrough, PrintsWhatThePageShows) {
  const Scratch scratch;
  std::filesystem::create_directory_symlink(sourceDirectory() + "/docs", scratch.file("docs"));
  const std::vector<Example> examples = examplesOf("docs/enforce.md");
  ASSERT_GE(examples.size(), 3u);
  for (const Example& example : examples) {
    const NativeRun run = runShell("bash -c 'cd " + scratch.file("") + " && PATH=" + binaryDirectory() +
                                       "/bin:$PATH && " + example.command + "'",
                                   120);
    const std::string printed = masked(run.text);
    size_t at = 0;
    for (const std::string& line : example.lines) {
      const size_t found = printed.find(masked(line), at);
      EXPECT_NE(found, std::string::npos) << example.command << " does not print\n"
                                          << line << "\nbut\n"
                                          << run.text;
      if (found != std::string::npos) at = found;
    }
  }
}

}  // namespace
}  // namespace heddle::native
