// What people forget: headers that say what they are for, files that stay small, one target a folder, no
// machine paths.
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "tests/tidy/sources.h"

namespace heddle::tidy {
namespace {

constexpr size_t kMaxLines = 450;

std::vector<SourceFile> cppFiles() {
  return readSources({"analysis", "protocol", "server", "tests"}, {".h", ".cpp"});
}

TEST(Layout, EveryHeaderOpensWithWhatItIsForAndIsIncludedOnce) {
  std::vector<std::string> found;
  for (const auto& file : readSources({"analysis", "protocol", "server", "tests"}, {".h"})) {
    // Of programs that are explored.
    if (file.path.ends_with(".c.h") || file.path.starts_with("tests/programs/repair/")) continue;
    const auto lines = splitLines(file.text);
    if (lines.empty() || !lines[0].starts_with("// ") || lines[0].size() < 20) {
      found.push_back(file.path + ": does not open with a comment that says what it is for");
    }
    if (withoutComments(file.text).find("#pragma once") == std::string::npos) {
      found.push_back(file.path + ": no #pragma once");
    }
  }
  EXPECT_TRUE(found.empty()) << joined(found);
}

TEST(Layout, NoFileIsTooLong) {
  std::vector<std::string> found;
  for (const auto& file : cppFiles()) {
    const size_t lines = splitLines(file.text).size();
    if (lines > kMaxLines) found.push_back(file.path + ": " + std::to_string(lines) + " lines");
  }
  EXPECT_TRUE(found.empty()) << "more than " << kMaxLines << " lines:\n" << joined(found);
}

TEST(Layout, FileNamesAreSnakeCase) {
  const std::regex snake("[a-z0-9_]+\\.(h|cpp)");
  std::vector<std::string> found;
  for (const auto& file : cppFiles()) {
    const std::string name = file.path.substr(file.path.rfind('/') + 1);
    if (!std::regex_match(name, snake)) found.push_back(file.path);
  }
  EXPECT_TRUE(found.empty()) << joined(found);
}

TEST(Layout, EveryFolderOfTheAnalysisIsOneTarget) {
  std::set<std::string> folders;
  for (const auto& file : readSources({"analysis"}, {".cpp"})) {
    folders.insert(file.path.substr(0, file.path.find('/', std::string("analysis/").size())));
  }
  ASSERT_GE(folders.size(), 2u);
  for (const auto& folder : folders) {
    const std::string target = "heddle_library(heddle_" + folder.substr(folder.rfind('/') + 1);
    EXPECT_NE(readSource(folder + "/CMakeLists.txt").find(target), std::string::npos) << folder;
  }
}

TEST(Layout, NothingNamesAPathOfOneMachine) {
  const std::regex machine(R"((^|[^A-Za-z0-9_.~/-])/(work|root|tmp|home/[a-z]+)(/|"|'|\s|$))");
  ASSERT_TRUE(std::regex_search("\"/root/x\"", machine));
  ASSERT_TRUE(std::regex_search("cd /tmp", machine));
  ASSERT_FALSE(std::regex_search("build/tmp/x and src/work/", machine));
  std::vector<std::string> found;
  for (const auto& file :
       readSources({"analysis", "protocol", "server", "tests", "docs", "cmake", "vscode-extension",
                    "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "CMakeLists.txt", "dev"},
                   {".h", ".cpp", ".c", ".md", ".txt", ".cmake", ".sh", ".lua", ".json", ".ts", "dev"})) {
    if (file.path == "tests/tidy/layout_test.cpp") continue;
    int number = 0;
    for (const auto& line : splitLines(file.text)) {
      ++number;
      if (std::regex_search(line, machine))
        found.push_back(file.path + ":" + std::to_string(number) + ": " + line);
    }
  }
  EXPECT_TRUE(found.empty()) << joined(found);
}

}  // namespace
}  // namespace heddle::tidy
