// docs/supported.md points to tests that exist, and to every program about the language.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "tests/paths/paths.h"
#include "tests/programs/program_file.h"

namespace heddle::programs {
namespace {

std::set<std::string> namedFiles() {
  std::ifstream file(sourceDirectory() + "/docs/supported.md");
  std::stringstream page;
  page << file.rdbuf();
  const std::string text = page.str();
  const std::regex path("`(tests/[^`]+\\.[a-z]+)`");
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), path), end; at != end; ++at) found.insert((*at)[1]);
  return found;
}

TEST(SupportedPage, NamesTestsThatExist) {
  const auto named = namedFiles();
  ASSERT_GT(named.size(), 30u);
  for (const std::string& path : named)
    EXPECT_TRUE(std::filesystem::exists(sourceDirectory() + "/" + path)) << path;
}

TEST(SupportedPage, NamesEveryProgramAboutTheLanguage) {
  const auto named = namedFiles();
  size_t programs = 0;
  for (const ProgramFile& program : allPrograms()) {
    if (!program.path.starts_with("tests/programs/language/")) continue;
    ++programs;
    EXPECT_TRUE(named.count(program.path)) << program.path << " is missing in docs/supported.md";
  }
  EXPECT_GE(programs, 40u);
}

}  // namespace
}  // namespace heddle::programs
