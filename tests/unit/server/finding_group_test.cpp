// One bug, one finding: what is grouped, and what a suppressed one does to its group.
#include <gtest/gtest.h>

#include "server/render/explain_text.h"
#include "server/render/finding_group.h"
#include "server/render/json_report.h"
#include "server/render/sarif_report.h"
#include "server/render/text_report.h"

namespace heddle {
namespace {

using Objects = std::vector<FindingObject>;

Finding found(Property kind, const Objects& about, uint32_t line, std::vector<uint32_t> related = {}) {
  Finding finding;
  finding.kind = kind;
  finding.message = "claim " + std::to_string(line);
  finding.about = about;
  finding.place = {"", line, 1, "f"};
  finding.id = std::string(toString(kind)) + std::to_string(line);
  finding.schedule = "T0*1";
  for (const uint32_t at : related) finding.related.push_back({{"", at, 1, "f"}, "here"});
  return finding;
}

Finding freed(Property kind, const std::string& what, uint32_t at, uint32_t line) {
  Finding finding = found(kind, {{what, "life of struct config"}}, line);
  finding.freedAt = {"", at, 1, "g" + std::to_string(at)};
  return finding;
}

const FindingObject kBuckets = {"buckets[]#1", "struct cache->buckets[]"},
                    kOtherBuckets = {"buckets[]#2", "struct cache->buckets[]"},
                    kSize = {"size#1", "struct cache->size"}, kX = {"x", "x"}, kA = {"a", "a"},
                    kB = {"b", "b"};

TEST(FindingGroup, RacesOfOneMemberAreOneBug) {
  const std::vector<Finding> findings = {
      found(Property::Race, {kBuckets}, 3, {3, 4}), found(Property::Race, {kBuckets}, 5, {5, 6}),
      found(Property::Race, {kOtherBuckets}, 7, {7, 4}), found(Property::Race, {kOtherBuckets}, 8, {8, 9}),
      found(Property::Race, {kSize}, 3, {3, 4})};
  const std::vector<FindingGroup> groups = groupsOf(findings);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].also.size(), 2u) << "another line; another allocation with an access in common";
  EXPECT_EQ(groups[1].head->place.line, 8u);
  EXPECT_EQ(groups[2].head->about, Objects{kSize});
}

TEST(FindingGroup, WhatOneCallDoesWrongIsOneBug) {
  const auto withPlan = [](Finding finding, RepairPlan::Kind kind, uint32_t line) {
    RepairPlan& plan = finding.plans.emplace_back();
    plan.kind = kind;
    SourceAccess call;
    call.place = {"", line, 1, "add"};
    plan.regions = {{call}};
    return finding;
  };
  using Kind = RepairPlan::Kind;
  const Finding misuse = withPlan(found(Property::Misuse, {kA}, 8), Kind::StrongerCall, 4),
                race = found(Property::Race, {kX}, 5);
  EXPECT_TRUE(isSameBug(misuse, withPlan(race, Kind::StrongerCall, 4)));
  EXPECT_FALSE(isSameBug(misuse, withPlan(race, Kind::StrongerCall, 6))) << "another call";
  EXPECT_FALSE(isSameBug(misuse, withPlan(race, Kind::CriticalSections, 4)));
  EXPECT_FALSE(
      isSameBug(withPlan(misuse, Kind::CriticalSections, 4), withPlan(race, Kind::CriticalSections, 4)))
      << "what is kept apart may need several sections";
}

TEST(FindingGroup, ARaceThatNeedsTheOrderOfAnotherOneComesFromIt) {
  const Finding ready = found(Property::Race, {kX}, 3, {3, 4});
  Finding data = found(Property::Race, {kA}, 7, {7, 8});
  EXPECT_FALSE(isSameBug(ready, data));
  data.core.push_back({ready.related[1].place, "T0", ready.related[0].place, "T1", "T0 before T1"});
  EXPECT_TRUE(isSameBug(ready, data));
  EXPECT_TRUE(isSameBug(data, ready));
  data.kind = Property::Assert;
  EXPECT_FALSE(isSameBug(ready, data)) << "the assertion may fail without a race";
  data.kind = Property::Memory;
  EXPECT_TRUE(isSameBug(ready, data)) << "the pointer that was read too early";
}

TEST(FindingGroup, BadAccessesByWhatOneWriteLeftAreOneBug) {
  const auto null = [](uint32_t line, uint32_t writtenAt) {
    Finding finding = found(Property::Memory, {}, line, {writtenAt});
    finding.message = "null pointer dereference";
    return finding;
  };
  EXPECT_TRUE(isSameBug(null(39, 60), null(41, 60)));
  EXPECT_FALSE(isSameBug(null(39, 60), null(41, 61))) << "another write";
}

TEST(FindingGroup, PossibleBadAccessesByOnePointerAreOneBug) {
  const auto bad = [](const std::string& message, uint32_t line) {
    Finding finding = found(Property::Memory, {}, line);
    finding.message = message;
    finding.possible = true;
    return finding;
  };
  const Finding null = bad("null pointer dereference", 39);
  EXPECT_TRUE(isSameBug(null, bad("read of the code of function g", 39))) << "wherever the pointer leads";
  EXPECT_FALSE(isSameBug(null, bad("null pointer dereference", 40)));
  EXPECT_FALSE(isSameBug(null, bad("free of 'x', which is not the start of a heap object", 39)));
  const Finding beyond = bad("out-of-bounds write to 'row' (offset 3 of 3 bytes)", 50);
  EXPECT_TRUE(isSameBug(beyond, bad("out-of-bounds write to 'row' (offset 7 of 7 bytes)", 52)));
  EXPECT_FALSE(isSameBug(beyond, bad("out-of-bounds write to 'line' (offset 7 of 7 bytes)", 52)));
  Finding elsewhere = bad("out-of-bounds write to 'row' (offset 7 of 7 bytes)", 52);
  elsewhere.place.function = "g";
  EXPECT_FALSE(isSameBug(beyond, elsewhere));
  Finding certain = null;
  certain.possible = false;
  EXPECT_FALSE(isSameBug(certain, bad("read of the code of function g", 39)));
}

TEST(FindingGroup, WhatIsTakenDownTooEarlyAndItsUsesAreOneBug) {
  const Finding whileLocked = found(Property::Misuse, {kA}, 99, {54});
  EXPECT_TRUE(isSameBug(whileLocked, found(Property::Misuse, {kA}, 73, {99})));
  EXPECT_FALSE(isSameBug(whileLocked, found(Property::Misuse, {kB}, 73, {99}))) << "another object";
  Finding freeing = found(Property::Misuse, {kA}, 100, {54});
  freeing.place.function = "g";
  Finding use = freed(Property::Memory, "session", 100, 74);
  use.freedAt = freeing.place;
  EXPECT_TRUE(isSameBug(use, freeing));
  EXPECT_FALSE(isSameBug(use, whileLocked));
}

TEST(FindingGroup, WordsDoNotMatter) {
  Finding one = found(Property::Race, {kX}, 3), other = found(Property::Race, {kX}, 5);
  other.message = "otherwise worded";
  EXPECT_TRUE(isSameBug(one, other));
  other.about = {kA};
  other.message = one.message;
  EXPECT_FALSE(isSameBug(one, other));
  EXPECT_FALSE(isSameBug(found(Property::Memory, {}, 3), found(Property::Memory, {}, 4)))
      << "failures that are about no object have nothing in common";
}

TEST(FindingGroup, AllUsesOfWhatIsFreedAreOneBug) {
  const std::vector<Finding> findings = {
      freed(Property::Memory, "config", 43, 64), freed(Property::Memory, "config", 43, 43),
      freed(Property::Race, "config", 43, 43),   freed(Property::Memory, "config", 50, 66),
      freed(Property::Memory, "other", 51, 67),  found(Property::Memory, {}, 68)};
  const std::vector<FindingGroup> groups = groupsOf(findings);
  ASSERT_EQ(groups.size(), 4u);
  EXPECT_EQ(groups[0].also.size(), 2u) << "the race of a use with the free goes with one cure";
}

TEST(FindingGroup, WhatOneFunctionTakesDownIsOneBug) {
  const Finding block = freed(Property::Memory, "group", 55, 43);
  Finding other = freed(Property::Memory, "log", 56, 47);
  other.freedAt.function = block.freedAt.function;
  Finding destroyed = found(Property::Misuse, {}, 65, {54});
  destroyed.related.front().place.function = block.freedAt.function;
  EXPECT_TRUE(isSameBug(block, other)) << "two blocks";
  EXPECT_TRUE(isSameBug(block, destroyed)) << "a mutex in it";
  EXPECT_FALSE(isSameBug(destroyed, found(Property::Misuse, {}, 65, {54}))) << "nothing is freed";
  Finding own = block, more = other;
  own.threads = more.threads = {{"T0", block.freedAt.function}};
  EXPECT_FALSE(isSameBug(own, more)) << "in what a thread runs, much may be freed";
}

TEST(FindingGroup, ADeadlockIsTheSameFromEachSide) {
  EXPECT_TRUE(isSameBug(found(Property::Deadlock, {kA, kB}, 3), found(Property::Deadlock, {kA, kB}, 9)));
  EXPECT_FALSE(isSameBug(found(Property::Deadlock, {kA, kB}, 3), found(Property::Deadlock, {kA}, 9)));
  EXPECT_FALSE(isSameBug(found(Property::Deadlock, {{"end of T1", "end of f"}}, 3),
                         found(Property::Deadlock, {{"end of T2", "end of f"}}, 4)));
}

TEST(FindingGroup, ASuppressedOneStandsAloneAndHidesNoOther) {
  Report report;
  report.file = "a.c";
  report.findings = {found(Property::Race, {kX}, 1), found(Property::Race, {kX}, 2),
                     found(Property::Race, {kX}, 3)};
  const std::map<std::string, std::string> suppressed = {{report.findings[0].id, "meant"}};
  const std::vector<FindingGroup> groups = groupsOf(report.findings, suppressed);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_TRUE(groups[0].also.empty());
  EXPECT_EQ(groups[1].head->place.line, 2u);
  EXPECT_EQ(groups[1].also.size(), 1u);

  const auto json = reportJson(report, suppressed);
  ASSERT_EQ(json["findings"].size(), 2u);
  EXPECT_EQ(json["findings"][0]["suppressed"], "meant");
  EXPECT_FALSE(json["findings"][1].contains("suppressed"));
  EXPECT_EQ(json["findings"][1]["also"][0]["line"], 3);
  const auto sarif = sarifReport({{report, "", suppressed}});
  const auto& results = sarif["runs"][0]["results"];
  ASSERT_EQ(results.size(), 2u);
  EXPECT_TRUE(results[0].contains("suppressions"));
  EXPECT_FALSE(results[1].contains("suppressions"));
  EXPECT_EQ(results[1]["partialFingerprints"]["heddleFinding/v2"], report.findings[1].id);
  EXPECT_EQ(results[1]["relatedLocations"][0]["message"]["text"], "the same bug: claim 3");
}

TEST(Explain, IsShortUnlessAskedForAll) {
  Report report;
  report.file = "a.c";
  report.verdict = Verdict::Violated;
  Finding finding = found(Property::Assert, {}, 40);
  finding.threads = {{"T0", "main"}, {"T1", "f"}};
  finding.inputs = {{"n", {"", 3, 1, "f"}, "T0", 7}};
  Explanation why;
  why.claim = "T1 writes `x` (line 5) between T0's read (line 9) and write (line 9) of `x`";
  for (uint32_t i = 0; i < 30; ++i)
    why.steps.push_back({i % 2 ? "T1" : "T0", {"", i + 1, 1, "f"}, "write x = 1"});
  why.facts = {{{"", 5, 1, "f"}, "none of the three accesses holds a lock"}};
  finding.explanation = why;
  RepairPlan plan;
  plan.kind = RepairPlan::Kind::AtomicAccess;
  plan.objects = {"x"};
  finding.plans = {plan};
  finding.core = {{{"", 5, 1, "f"}, "T1", {"", 9, 1, "f"}, "T0", "T1 writes `x` before T0 writes `x`"}};
  report.findings = {finding, found(Property::Race, {kX}, 9), found(Property::Race, {kX}, 5)};
  const std::string brief = renderExplanations(report, {"a.c", "main", {}}, false);
  EXPECT_LE(std::count(brief.begin(), brief.end(), '\n'), 21) << brief;
  EXPECT_NE(brief.find("To mend it: make `x` atomic\n"), std::string::npos) << brief;
  EXPECT_NE(brief.find("  With n = 7 (line 3, T0)\n"), std::string::npos) << brief;
  EXPECT_NE(brief.find("a.c:5:1: note: the same bug: claim 5\n"), std::string::npos) << brief;
  EXPECT_EQ(brief.find("It fails whenever"), std::string::npos) << brief;
  const std::string full = renderExplanations(report, {"a.c", "main", {}}, true);
  EXPECT_NE(full.find("none of the three accesses holds a lock"), std::string::npos) << full;
  EXPECT_NE(full.find("ith these inputs it fails whenever"), std::string::npos) << full;
}

}  // namespace
}  // namespace heddle
