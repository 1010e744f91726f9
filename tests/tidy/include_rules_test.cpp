#include <gtest/gtest.h>

#include "tests/tidy/include_rules.h"

namespace heddle::tidy {
namespace {

Rules pageRules() {
  return parseRules(readSource("docs/architecture.md"));
}

std::vector<SourceFile> productSources() {
  return readSources({"analysis", "protocol", "server"}, {".h", ".cpp"});
}

TEST(IncludeRules, EveryFileKeepsTheRulesOfTheArchitecturePage) {
  const Rules rules = pageRules();
  const auto sources = productSources();
  ASSERT_GT(sources.size(), 10u);
  std::vector<std::string> found;
  for (const auto& file : sources) {
    for (auto& violation : violations(rules, file)) found.push_back(std::move(violation));
  }
  EXPECT_TRUE(found.empty()) << joined(found);
}

TEST(IncludeRules, EveryRuleNamesFoldersThatExist) {
  const Rules rules = pageRules();
  ASSERT_GE(rules.folders.size(), 10u);
  ASSERT_GE(rules.words.size(), 3u);
  for (const auto& [name, rule] : rules.folders) {
    EXPECT_TRUE(existsInRepository(name)) << name;
    for (const auto& folder : rule.folders)
      EXPECT_TRUE(existsInRepository(folder)) << name << " lists " << folder;
  }
}

TEST(IncludeRules, ThePageKeepsTheFourWalls) {
  for (const auto& [name, rule] : pageRules().folders) {
    const bool inServer = name.starts_with("server");
    const bool inAnalysis = name.starts_with("analysis");
    for (const auto& folder : rule.folders) {
      const bool stays = inServer || folder.starts_with(inAnalysis ? "analysis" : "protocol");
      EXPECT_TRUE(stays) << name << " lists " << folder;
    }
    for (const auto& library : rule.libraries) {
      bool fits = true;
      if (library == "z3") fits = name == "analysis/solver/z3";
      if (library == "asio" || library == "sockets" || library == "cli11") fits = inServer;
      if (library == "nlohmann") fits = !inAnalysis;
      if (library == "llvm" || library == "clang") fits = inAnalysis;
      EXPECT_TRUE(fits) << name << " lists " << library;
    }
  }
}

TEST(IncludeRules, NoFolderOfTheAnalysisIsInACircle) {
  const Rules rules = pageRules();
  for (const auto& [from, rule] : rules.folders) {
    for (const auto& to : rule.folders) {
      const auto other = rules.folders.find(to);
      if (other == rules.folders.end() || to == from || from.starts_with(to + "/")) continue;
      EXPECT_FALSE(other->second.folders.contains(from)) << from << " and " << to << " list each other";
    }
  }
}

// The checker itself: each kind of violation is seen, and what is allowed is not reported.
class Checker : public testing::Test {
 protected:
  static std::vector<std::string> judge(const std::string& path, const std::string& text) {
    static const Rules rules = parseRules(
        "| Folder | Job | Ours | Libraries |\n|---|---|---|---|\n"
        "| `analysis` | report | – | – |\n"
        "| `analysis/model` | events | – | – |\n"
        "| `analysis/solver` | queries | `analysis/model` | – |\n"
        "| `analysis/solver/z3` | backend | `analysis/solver` | `z3` |\n\n"
        "| Word | Only in |\n|---|---|\n| `utf-?16` | `server/convert` |\n");
    return violations(rules, {path, text});
  }
};

TEST_F(Checker, AcceptsWhatIsListedAndTheOwnFolder) {
  EXPECT_TRUE(
      judge("analysis/solver/a.cpp", "#include \"analysis/model/term.h\"\n#include <vector>\n").empty());
  EXPECT_TRUE(judge("analysis/solver/a.cpp", "#include \"analysis/solver/z3/z3_solver.h\"\n").empty());
  EXPECT_TRUE(judge("analysis/solver/z3/a.cpp", "#include <z3++.h>\n").empty());
}

TEST_F(Checker, ReportsTheWrongDirection) {
  EXPECT_EQ(judge("analysis/model/a.h", "#include \"analysis/solver/solver.h\"\n").size(), 1u);
  EXPECT_EQ(judge("analysis/model/a.h", "  # include \"protocol/base.h\"\n").size(), 1u);
  EXPECT_EQ(judge("analysis/report.h", "#include \"analysis/model/term.h\"\n").size(), 1u);
}

TEST_F(Checker, ReportsLibrariesThatAreNotListed) {
  EXPECT_EQ(judge("analysis/solver/a.cpp", "#include <z3++.h>\n").size(), 1u);
  EXPECT_EQ(judge("analysis/model/a.h", "#include <nlohmann/json.hpp>\n").size(), 1u);
  EXPECT_EQ(judge("analysis/model/a.h", "#include <sys/socket.h>\n").size(), 1u);
  EXPECT_EQ(judge("analysis/model/a.h", "#include <some/other/library.h>\n").size(), 1u);
}

TEST_F(Checker, ReportsPathsThatAreNotFromTheRootAndFoldersWithoutARule) {
  EXPECT_EQ(judge("analysis/model/a.cpp", "#include \"a.h\"\n").size(), 1u);
  EXPECT_EQ(judge("analysis/other/a.cpp", "").size(), 1u);
}

TEST_F(Checker, ReportsConfinedWordsInCodeButNotInComments) {
  EXPECT_EQ(judge("analysis/model/a.cpp", "int utf16Column;\n").size(), 1u);
  EXPECT_EQ(judge("analysis/model/a.cpp", "auto a = \"UTF-16\";\n").size(), 1u);
  EXPECT_TRUE(judge("analysis/model/a.cpp", "// no UTF-16 here\nint a; /* nor\n UTF-16 here */\n").empty());
}

TEST_F(Checker, IgnoresIncludesInComments) {
  EXPECT_TRUE(judge("analysis/model/a.cpp", "// #include <z3++.h>\n/*\n#include <z3++.h>\n*/\n").empty());
}

}  // namespace
}  // namespace heddle::tidy
