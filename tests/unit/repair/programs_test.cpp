// Buggy programs with control flow that hurts (tests/programs/repair): each has the verdicts that its first
// line names, is patched, and the patched program is explored anew: no finding is left.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "analysis/pipeline/pipeline.h"
#include "tests/paths/paths.h"
#include "tests/unit/repair/repaired.h"

namespace heddle::testing {
namespace {

namespace fs = std::filesystem;

std::string textOf(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> programs() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(sourceDirectory()) / "tests/programs/repair"))
    if (entry.path().extension() == ".c") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class RepairProgram : public ::testing::TestWithParam<std::string> {};

TEST_P(RepairProgram, IsPatchedAndThenHasNoFinding) {
  Snapshot snapshot;
  snapshot.path = sourceDirectory() + "/tests/programs/repair/" + GetParam() + ".c";
  snapshot.text = textOf(snapshot.path);
  snapshot.command = commandFromFlags(snapshot.path, {"-std=gnu11"});
  const Report report = explored(snapshot);
  ASSERT_FALSE(report.findings.empty()) << report.problem;
  const std::string first = snapshot.text.substr(0, snapshot.text.find('\n'));
  for (const auto& [property, verdict] : report.properties)
    if (first.find(std::string(toString(property)) + "=") != std::string::npos) {
      EXPECT_NE(first.find(std::string(toString(property)) + "=" + toString(verdict)), std::string::npos)
          << property << ": " << toString(verdict);
    }
  EXPECT_FALSE(bestPatch(snapshot).empty());
}

INSTANTIATE_TEST_SUITE_P(All, RepairProgram, ::testing::ValuesIn(programs()),
                         [](const auto& instance) { return instance.param; });

std::vector<std::string> folders() {
  std::vector<std::string> names;
  for (const auto& entry :
       fs::directory_iterator(fs::path(sourceDirectory()) / "tests/programs/repair/units"))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

class RepairUnits : public ::testing::TestWithParam<std::string> {};

TEST_P(RepairUnits, ArePatchedAndThenHaveNoFinding) {
  const fs::path folder = fs::path(sourceDirectory()) / "tests/programs/repair/units" / GetParam();
  Snapshot snapshot;
  snapshot.path = (folder / "main.c").string();
  snapshot.text = textOf(snapshot.path);
  snapshot.command = commandFromFlags(snapshot.path, {"-std=gnu11"});
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".c" && entry.path().filename() != "main.c")
      snapshot.units.push_back({entry.path().string(), textOf(entry.path()),
                                commandFromFlags(entry.path().string(), {"-std=gnu11"})});
  ASSERT_FALSE(explored(snapshot).findings.empty());
  EXPECT_FALSE(bestPatch(snapshot).empty());
}

INSTANTIATE_TEST_SUITE_P(All, RepairUnits, ::testing::ValuesIn(folders()),
                         [](const auto& instance) { return instance.param; });

TEST(RepairPrograms, AreAtLeastForty) {
  EXPECT_GE(programs().size(), 40u);
}

}  // namespace
}  // namespace heddle::testing
