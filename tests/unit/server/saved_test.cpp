// Saved findings: what `heddle save` keeps is run before each exploration, red where the bug is back, and
// told where it cannot be followed any more; edits elsewhere do not lose it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "server/driver/check.h"
#include "server/driver/cli_options.h"
#include "server/driver/save.h"
#include "server/saved/saved_engine.h"

namespace heddle {
namespace {

using Json = nlohmann::json;

constexpr const char* kBankHead = R"(#include <assert.h>
#include <pthread.h>
static int balance = 100;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
extern int __VERIFIER_nondet_int(void);
)";
constexpr const char* kWorker = R"(static void *draw(void *arg) {
  int amount = __VERIFIER_nondet_int();
  if (amount != 60) return arg;
  pthread_mutex_lock(&lock);
  int seen = balance;
  pthread_mutex_unlock(&lock);
  if (seen < amount) return arg;
  pthread_mutex_lock(&lock);
  balance = balance - amount;
  pthread_mutex_unlock(&lock);
  return arg;
}
)";
constexpr const char* kMain = R"(int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, draw, 0);
  pthread_create(&two, 0, draw, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(balance >= 0);
  return 0;
}
)";

/// A folder of its own that goes with the test; the file is bank.c in it.
class Saved : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "heddle-saved-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    write(".heddle.yaml", "");
    bank_ = write("src/bank.c", std::string(kBankHead) + kWorker + kMain);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = std::filesystem::path(folder_) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }

  int run(std::vector<std::string> arguments) {
    out_.str("");
    err_.str("");
    const Command command = parseCommandLine(arguments);
    if (const auto* exit = std::get_if<ExitNow>(&command)) {
      err_ << exit->text;
      return exit->code;
    }
    if (const auto* save = std::get_if<SaveCommand>(&command))
      return runSave(*save, pipelineEngine(), {out_, err_}, {});
    return runCheck(std::get<CheckCommand>(command), pipelineEngine(), {out_, err_}, {});
  }

  void save() {
    ASSERT_EQ(run({"save", "--steps", "20000", "--property", "assert", "--name", "overdrawn", bank_, "1"}), 0)
        << err_.str();
  }

  /// What became of the saved finding, with so few steps that no exploration finds anything.
  Json savedNow() {
    run({"check", "--format", "json", "--steps", "1", bank_});
    const Json report = Json::parse(out_.str());
    EXPECT_EQ(report["saved"].size(), 1u) << out_.str();
    found_ = report["findings"];
    verdict_ = report["verdict"];
    return report["saved"][0];
  }

  std::string folder_, bank_;
  std::ostringstream out_, err_;
  Json found_, verdict_;
};

TEST_F(Saved, FailsAgainBeforeAnythingIsExplored) {
  save();
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/.heddle/saved/overdrawn.json"));
  const Json saved = savedNow();
  EXPECT_EQ(saved["state"], "fails") << saved.dump();
  EXPECT_EQ(saved["name"], "overdrawn");
  ASSERT_EQ(found_.size(), 1u);
  EXPECT_EQ(found_[0]["kind"], "assert");
  EXPECT_EQ(found_[0]["schedule"], saved["schedule"]);
  EXPECT_EQ(verdict_, "violated");
}

TEST_F(Saved, FollowsItsTextThroughEditsElsewhere) {
  save();
  // Other lines, other counts of operations, another input before that of each thread.
  write("src/bank.c",
        std::string(kBankHead) +
            "static int visits[4];\nstatic pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;\n" +
            "static void count(int kind) {\n  pthread_mutex_lock(&other);\n  visits[kind & 3]++;\n"
            "  pthread_mutex_unlock(&other);\n}\n" +
            std::string(kWorker).replace(std::string(kWorker).find("  int amount"), 0,
                                         "  int kind = __VERIFIER_nondet_int();\n  count(kind);\n") +
            kMain);
  const Json saved = savedNow();
  EXPECT_EQ(saved["state"], "fails") << saved.dump();
  EXPECT_EQ(saved["line"], 33);
}

TEST_F(Saved, IsNotPossibleWhereALockKeepsItApart) {
  save();
  std::string fixed = std::string("static pthread_mutex_t whole = PTHREAD_MUTEX_INITIALIZER;\n") + kWorker;
  fixed.insert(fixed.find("  pthread_mutex_lock(&lock);"), "  pthread_mutex_lock(&whole);\n");
  fixed.insert(fixed.find("  return arg;\n}"), "  pthread_mutex_unlock(&whole);\n");
  write("src/bank.c", std::string(kBankHead) + fixed + kMain);
  const Json saved = savedNow();
  EXPECT_EQ(saved["state"], "impossible") << saved.dump();
  EXPECT_NE(saved["why"], "");
  EXPECT_EQ(found_.size(), 0u);
}

TEST_F(Saved, PassesWhereTheAssertionHolds) {
  save();
  std::string text = std::string(kBankHead) + kWorker + kMain;
  text.replace(text.find("balance = 100"), 13, "balance = 200");
  write("src/bank.c", text);
  const Json saved = savedNow();
  EXPECT_EQ(saved["state"], "passes") << saved.dump();
  EXPECT_EQ(found_.size(), 0u);
}

TEST_F(Saved, IsLostWithItsText) {
  save();
  std::string text = std::string(kBankHead) + kWorker + kMain;
  for (size_t at; (at = text.find("draw")) != std::string::npos;) text.replace(at, 4, "take");
  write("src/bank.c", text);
  const Json saved = savedNow();
  EXPECT_EQ(saved["state"], "lost") << saved.dump();
  EXPECT_NE(saved["why"].get<std::string>().find("is gone"), std::string::npos) << saved["why"];
  run({"check", "--steps", "1", bank_});
  EXPECT_NE(out_.str().find("saved: overdrawn: cannot be followed any more"), std::string::npos)
      << out_.str();
}

TEST_F(Saved, AFileThatIsDamagedIsTold) {
  save();
  for (const auto& [text, why] : {std::pair<std::string, std::string>{"{", "no JSON"},
                                  {"[]", "an object is missing"},
                                  {R"({"format": 2})", "a later Heddle wrote it"},
                                  {R"({"format": 1, "turns": 3})", "'file' must be a text"}}) {
    write(".heddle/saved/overdrawn.json", text);
    const Json saved = savedNow();
    EXPECT_EQ(saved["state"], "lost");
    EXPECT_NE(saved["why"].get<std::string>().find(why), std::string::npos) << saved["why"];
  }
}

TEST_F(Saved, IsReadAsItWasWritten) {
  save();
  const std::vector<SavedFile> files = savedBeside(bank_);
  ASSERT_EQ(files.size(), 1u);
  const auto& saved = std::get<SavedFinding>(files[0].content);
  EXPECT_EQ(saved.file, "src/bank.c");
  EXPECT_FALSE(saved.run.turns.empty());
  EXPECT_EQ(std::get<SavedFinding>(readSaved(toText(saved))), saved);
}

TEST_F(Saved, WhatIsOnlyPossibleStaysSo) {
  // Nobody in the file says that a count may be read while it is changed.
  const std::string counter = write("src/counter.c", R"(#include <pthread.h>
struct counter { pthread_mutex_t lock; int calls; };
void counter_init(struct counter *c) { pthread_mutex_init(&c->lock, 0); c->calls = 0; }
void counter_add(struct counter *c) {
  pthread_mutex_lock(&c->lock);
  c->calls++;
  pthread_mutex_unlock(&c->lock);
}
int counter_get(struct counter *c) { return c->calls; }
)");
  const std::vector<std::string> check = {
      "check", "--format", "json", "--steps", "20000", "--harness", "counter_add || counter_get", counter};
  run(check);
  const Json explored = Json::parse(out_.str());
  ASSERT_EQ(explored["findings"].size(), 0u) << out_.str();
  ASSERT_EQ(explored["warnings"].size(), 1u) << out_.str();
  ASSERT_EQ(run({"save", "--steps", "20000", "--harness", "counter_add || counter_get", "--name", "calls",
                 counter, explored["warnings"][0]["schedule"].get<std::string>()}),
            0)
      << err_.str();
  run(check);
  const Json report = Json::parse(out_.str());
  ASSERT_EQ(report["saved"].size(), 1u) << out_.str();
  EXPECT_EQ(report["saved"][0]["state"], "fails") << report["saved"];
  EXPECT_EQ(report["findings"].size(), 0u);
  EXPECT_EQ(report["warnings"].size(), 1u);
  EXPECT_EQ(report["verdict"], explored["verdict"]);
}

TEST_F(Saved, WhatCannotBeSavedIsOneLine) {
  EXPECT_EQ(run({"save", "--steps", "20000", bank_, "99"}), kExitUsage);
  EXPECT_NE(err_.str().find("no finding '99'; the findings are"), std::string::npos) << err_.str();
  EXPECT_EQ(run({"save", bank_, "T0*1"}), kExitUsage);
  EXPECT_NE(err_.str().find("nothing fails on this schedule"), std::string::npos) << err_.str();
  EXPECT_EQ(run({"save", "--name", "../x", bank_, "1"}), kExitUsage);
  EXPECT_NE(err_.str().find("--name"), std::string::npos) << err_.str();
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/.heddle"));
}

}  // namespace
}  // namespace heddle
