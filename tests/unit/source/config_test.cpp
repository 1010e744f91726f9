// Configuration files: what counts, what is wrong and where, which file holds, and that the schema knows the
// same names.
#include "server/config/config_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "server/state/settings.h"
#include "tests/paths/paths.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::temp_directory_path() / ("heddle-config-" + std::to_string(std::random_device{}()));
  Folder() { fs::create_directories(path); }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  std::string write(const std::string& name, const std::string& text) const {
    fs::create_directories((path / name).parent_path());
    std::ofstream(path / name) << text;
    return (path / name).string();
  }
};

TEST(Config, ValuesAreWhatTheyLookLike) {
  const Config config = parseConfig("budget: 2s\nworkers: 3\nproperties: [assert, race]\nentry: start\n");
  EXPECT_TRUE(config.problems.empty());
  std::vector<std::string> problems;
  const Settings settings = readSettings({}, config.settings, problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(settings.budget.count(), 2000);
  EXPECT_EQ(settings.options.workers, 3u);
  EXPECT_EQ(settings.options.properties, (std::set<Property>{Property::Assert, Property::Race}));
  EXPECT_EQ(settings.options.entry, "start");
}

TEST(Config, MistakesHaveAPlaceAndTheRestCounts) {
  const Config config = parseConfig("budget: soon\nentry: start\n  \ntypo: 1\nworkers:\n");
  ASSERT_EQ(config.problems.size(), 3u);
  EXPECT_EQ(config.problems[0].line, 0u);
  EXPECT_EQ(config.problems[0].column, 8u);
  EXPECT_NE(config.problems[0].message.find("'budget'"), std::string::npos);
  EXPECT_EQ(config.problems[1].line, 3u);
  EXPECT_NE(config.problems[1].message.find("unknown setting 'typo'"), std::string::npos);
  EXPECT_NE(config.problems[2].message.find("no value"), std::string::npos);
  EXPECT_EQ(config.settings.size(), 1u);
}

TEST(Config, WhatIsNoYamlIsOneProblem) {
  for (const char* text : {"a: [", "\t- x", "a: b: c", "- list\n", "just text", "a: &x *x"})
    EXPECT_FALSE(parseConfig(text).problems.empty()) << text;
  for (const char* text : {"", "# nothing\n", "---\n"})
    EXPECT_TRUE(parseConfig(text).problems.empty()) << text;
}

TEST(Config, TheNearestProjectFileHoldsAndUnsavedTextCountsFirst) {
  const Folder folder;
  const std::string outer = folder.write(".heddle.yaml", "entry: outer\n");
  const std::string inner = folder.write("a/.heddle.yaml", "entry: inner\nbaseline: known.txt\n");
  folder.write("a/known.txt", "race-1 looked at\n");
  folder.write("user/heddle/config.yaml", "entry: mine\n");
  const std::string user = (folder.path / "user").string();
  const std::string source = (folder.path / "c.c").string();

  Configs configs = findConfigs((folder.path / "a/b/c.c").string(), user, {});
  ASSERT_TRUE(configs.project && configs.user);
  EXPECT_EQ(configs.project->path, inner);
  EXPECT_EQ(configs.project->config.settings["entry"], "inner");
  EXPECT_EQ(configs.user->config.settings["entry"], "mine");
  std::string problem;
  EXPECT_EQ(readBaselineFile(configs, source, problem), (Baseline{{"race-1", "looked at"}}));
  EXPECT_EQ(problem, "");

  configs = findConfigs((folder.path / "c.c").string(), "", {{outer, "entry: unsaved\n"}});
  EXPECT_EQ(configs.project->config.settings["entry"], "unsaved");
  EXPECT_FALSE(configs.user);
  EXPECT_TRUE(readBaselineFile(configs, source, problem).empty());
  EXPECT_EQ(problem, "") << "the default name need not exist";

  configs = findConfigs((folder.path / "c.c").string(), "", {{outer, "baseline: gone.txt\n"}});
  readBaselineFile(configs, source, problem);
  EXPECT_NE(problem.find("gone.txt"), std::string::npos);
}

TEST(Config, ABaselineNeedsNoConfigurationFile) {
  const Folder folder;
  folder.write("a/.heddle-baseline", "race-1 looked at\n");
  const std::string source = (folder.path / "a/b/c.c").string();
  std::string problem;
  EXPECT_EQ(readBaselineFile(findConfigs(source, "", {}), source, problem),
            (Baseline{{"race-1", "looked at"}}));
  EXPECT_EQ(problem, "");
}

TEST(Config, TheSchemaKnowsTheSameNames) {
  std::ifstream stream(sourceDirectory() + "/docs/config.schema.json");
  const lsp::json schema = lsp::json::parse(stream);
  for (const auto& [name, ignored] : schema["properties"].items()) {
    const Config config = parseConfig(name + ": {}\n");
    ASSERT_EQ(config.problems.size(), 1u) << name;
    EXPECT_EQ(config.problems[0].message.find("unknown setting"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace heddle
