// Pages that must not drift from the code: links lead somewhere, every diagnostic code is documented,
// packages are explained.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "tests/tidy/sources.h"

namespace heddle::tidy {
namespace {

std::vector<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> result;
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at)
    result.push_back((*at)[1]);
  return result;
}

TEST(Docs, LinksLeadToFilesOfTheRepository) {
  const std::regex link(R"(\]\(([^)#\s]+)(#[^)]*)?\))");
  const auto pages = readSources({"docs", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"}, {".md"});
  ASSERT_GE(pages.size(), 4u);
  std::vector<std::string> found;
  for (const auto& page : pages) {
    const std::filesystem::path folder = std::filesystem::path(page.path).parent_path();
    for (const auto& target : matches(page.text, link)) {
      if (target.find("://") != std::string::npos) continue;
      const std::string path = (folder / target).lexically_normal().generic_string();
      if (!existsInRepository(path)) found.push_back(page.path + " links to " + target);
    }
  }
  EXPECT_TRUE(found.empty()) << joined(found);
}

TEST(Docs, EveryDiagnosticCodeIsDocumented) {
  const std::regex code("\"(heddle-[a-z]+(-[a-z]+)*)\"");
  std::set<std::string> codes;
  for (const auto& file : readSources({"analysis", "server"}, {".h", ".cpp"})) {
    for (auto& name : matches(withoutComments(file.text), code)) codes.insert(std::move(name));
  }
  const std::string page = readSource("docs/diagnostics.md");
  for (const auto& name : codes)
    EXPECT_NE(page.find("`" + name + "`"), std::string::npos) << name << " in docs/diagnostics.md";
}

TEST(Docs, EveryPackageThatDevInstallsIsExplained) {
  const std::string dev = readSource("dev");
  const std::string page = readSource("docs/dependencies.md");
  const std::regex list(R"(\w+_packages=\(([^)]*)\))");
  std::vector<std::string> packages;
  for (const auto& names : matches(dev, list)) {
    for (auto& package : matches(names, std::regex(R"(([^\s]+))"))) packages.push_back(std::move(package));
  }
  ASSERT_GE(packages.size(), 10u);
  for (const auto& package : packages) {
    EXPECT_NE(page.find("`" + package + "`"), std::string::npos) << package << " in docs/dependencies.md";
  }
}

TEST(Docs, NoRowOfATableIsTooLongToRead) {
  constexpr size_t kMost = 200;  // characters
  std::vector<std::string> found;
  for (const auto& page : readSources({"docs", "README.md", "CONTRIBUTING.md"}, {".md"})) {
    // Measurements of one program side by side, written by a command.
    if (page.path == "docs/diagnosis-table.md" || page.path == "docs/benchmarks/README.md") continue;
    for (const std::string& line : splitLines(page.text))
      if (line.starts_with("|") && line.size() > kMost)
        found.push_back(page.path + ": " + line.substr(0, 40));
  }
  EXPECT_TRUE(found.empty()) << joined(found);
}

}  // namespace
}  // namespace heddle::tidy
