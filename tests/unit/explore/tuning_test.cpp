// The table of numbers that decide what is tried: what it takes, who sees it, and the page that lists it.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "analysis/pipeline/pipeline.h"
#include "analysis/support/tuning.h"
#include "tests/paths/paths.h"
#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

std::string number(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

std::string defaultOf(const TuningRow& row) {
  const Tuning& standard = Tuning::standard();
  return row.share ? number(standard.*row.share) : std::to_string(standard.*row.limit);
}

TEST(Tuning, DefaultsAreInTheirRanges) {
  for (const TuningRow& row : tuningRows()) {
    Tuning tuning;
    const std::string name(row.name);
    EXPECT_FALSE(tuning.set(name + "=" + defaultOf(row))) << name;
    EXPECT_TRUE(tuning.set(name + "=-1")) << name;
    EXPECT_TRUE(tuning.set(name + "=" + (row.share ? "1.5" : std::to_string(row.most + 1)))) << name;
    EXPECT_TRUE(tuning.set(name + "=1x")) << name;
    EXPECT_TRUE(tuning.set(name + "=nan")) << name;
    EXPECT_TRUE(tuning.set(name)) << name;
  }
  EXPECT_TRUE(Tuning().set("nothing=1"));
}

TEST(Tuning, PartsOfABudgetHaveItsNumbers) {
  auto tuning = std::make_shared<Tuning>();
  tuning->states = 0.25;
  const Budget budget = Budget().withSteps(1'000).withTuning(tuning);
  EXPECT_EQ(budget.part(0.5).tuning().states, 0.25);
  EXPECT_EQ(budget.part(&Tuning::states).stepLimit(), 251u);
  EXPECT_EQ(Budget().withSteps(1'000).part(&Tuning::states).stepLimit(), 401u);
}

TEST(Tuning, AProofOfTooManyLocationsIsNotTried) {
  const std::string text =
      "int level; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
      "void *in(void *p) { while (heddle_input_bool()) { pthread_mutex_lock(&m); if (level < 9) level++;"
      " pthread_mutex_unlock(&m); } return p; }\n"
      "void *out(void *p) { while (heddle_input_bool()) { pthread_mutex_lock(&m); if (level > 0) level--;"
      " pthread_mutex_unlock(&m); } return p; }\n"
      "int main(void) { pthread_t a, b; pthread_create(&a, 0, in, 0); pthread_create(&b, 0, out, 0);\n"
      "  pthread_join(a, 0); pthread_join(b, 0); assert(level >= 0 && level <= 9); return 0; }\n";
  Options options;
  options.properties = {Property::Assert};
  const auto checked = [&](uint64_t locations) {
    auto tuning = std::make_shared<Tuning>();
    tuning->systemLocations = locations;
    return check(text, options, 20'000, Budget().withTuning(tuning)).verdict;
  };
  EXPECT_EQ(checked(100), Verdict::Verified);
  EXPECT_NE(checked(1), Verdict::Verified);
}

std::string grouped(uint64_t value) {
  std::string digits = std::to_string(value);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

TEST(Tuning, ThePageListsEachNumber) {
  std::ifstream file(sourceDirectory() + "/docs/tuning.md");
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  for (const TuningRow& row : tuningRows()) {
    const std::string value = row.share ? defaultOf(row) : grouped(Tuning::standard().*row.limit);
    const std::string range = row.share ? "0 to 1" : grouped(row.least) + " to " + grouped(row.most);
    const std::string line = "| `" + std::string(row.name) + "` | " + value + " | " + range + " | " +
                             std::string(row.meaning) + " |\n";
    EXPECT_NE(page.find(line), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace heddle::test
