// What is offered: wrong candidates are put in where candidates come from, and none of them comes out. Then
// each best patch is damaged line by line: what is still offered must satisfy another solver that knows
// nothing of it.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "analysis/repair/callers.h"
#include "analysis/repair/repair.h"
#include "analysis/repair/text_edits.h"
#include "tests/paths/paths.h"
#include "tests/unit/repair/repaired.h"

namespace heddle::testing {
namespace {

using Texts = std::map<std::string, std::string>;

/// A source that proposes these texts for every finding, in this order.
RepairSource proposing(const std::vector<Texts>& proposals) {
  RepairSource source;
  source.candidates = [count = proposals.size()](const Report&, const Finding&) {
    std::vector<Candidate> candidates(count);
    for (size_t i = 0; i < count; ++i) candidates[i].penalty = i;
    return candidates;
  };
  source.write = [proposals](const Snapshot&, const std::vector<Candidate>& candidates) {
    std::vector<Realization> all;
    for (const Candidate& candidate : candidates) {
      Realization& written = all.emplace_back();
      written.title = "proposal " + std::to_string(candidate.penalty);
      written.texts = proposals[candidate.penalty];
    }
    return all;
  };
  return source;
}

RepairResult offered(const Snapshot& snapshot, const std::vector<Texts>& proposals) {
  RepairLimits limits;
  limits.offersPerFinding = limits.triesPerFinding = proposals.size();
  return repairFindings(snapshot, repairOptions(), explored(snapshot), "", Budget().withSteps(100 * kSteps),
                        limits, proposing(proposals));
}

TEST(Offers, NoWrongCandidateIsAmongThem) {
  const std::string globals = "int x;\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n";
  const auto program = [&](const std::string& body) {
    return Texts{{"/repair-test/a.c", twoThreads(globals, body, "  assert(x == 2);\n")}};
  };
  const std::string lock = "  pthread_mutex_lock(&m);\n", unlock = "  pthread_mutex_unlock(&m);\n";
  const Snapshot snapshot = snapshotOf(program("  x++;\n  return arg;\n").begin()->second);
  const std::vector<Texts> proposals = {
      program(lock + unlock + "  x++;\n  return arg;\n"),                          // beside the access
      program(lock + "  x++;\n  return arg;\n"),                                   // never unlocked
      program(lock + lock + "  x++;\n" + unlock + "  return arg;\n"),              // locked twice
      program(unlock + "  x++;\n  return arg;\n"),                                 // unlocked without a lock
      program("  if (arg)\n  " + lock + "  x++;\n" + unlock + "  return arg;\n"),  // on one path only
      program("  return arg;\n"),                                                  // the access is gone
      program(lock + "  x--;\n" + unlock + "  return arg;\n"),                     // another access
      program(lock + "  x++\n" + unlock + "  return arg;\n"),                      // does not compile
      program(lock + "  int unused;\n  x++;\n" + unlock + "  return arg;\n"),
      program("  x++;\n  return arg;\n"),                       // nothing changed
      program(lock + "  x++;\n" + unlock + "  return arg;\n"),  // right
  };
  const RepairResult result = offered(snapshot, proposals);
  ASSERT_EQ(result.patches.size(), 1u);
  EXPECT_EQ(result.patches.front().texts, proposals.back()) << result.patches.front().repair.title;
  EXPECT_GE(result.rejected.size(), proposals.size() - 1);
  for (const RejectedPatch& rejected : result.rejected) {
    EXPECT_NE(rejected.reason, "") << rejected.title;
    EXPECT_NE(rejected.title, "proposal " + std::to_string(proposals.size() - 1)) << rejected.reason;
  }
}

TEST(Offers, WhatIsWrongForOtherCallersIsNot) {
  const std::string globals = "int x;\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n";
  const auto program = [&](const std::string& body) {
    return Texts{{"/repair-test/a.c", twoThreads(globals, body, "  assert(x == 2);\n")}};
  };
  const Snapshot snapshot = snapshotOf(program("  x++;\n  return arg;\n").begin()->second);
  const Texts right =
      program("  pthread_mutex_lock(&m);\n  x++;\n  pthread_mutex_unlock(&m);\n  return arg;\n");
  const auto offeredWith = [&](const CallerCheck& uses) {
    return repairForCallers(
        snapshot, repairOptions(), explored(snapshot), "", Budget().withSteps(100 * kSteps), {},
        proposing({right}),
        {[uses](const Snapshot&, const Snapshot&, const Finding&, const Budget&) { return uses; }});
  };
  const RepairResult wrong = offeredWith({"wrong for other callers", 0, 0, false, "", {}});
  EXPECT_TRUE(wrong.patches.empty());
  ASSERT_FALSE(wrong.rejected.empty());
  EXPECT_EQ(wrong.rejected.front().reason, "wrong for other callers");
  const RepairResult good = offeredWith({"", 14, 14, false, "", {}});
  ASSERT_EQ(good.patches.size(), 1u);
  EXPECT_NE(good.patches.front().repair.title.find(", and 14 generated uses)"), std::string::npos)
      << good.patches.front().repair.title;
}

TEST(Offers, ANewLockIsNotOfferedBesideOneThatIsThere) {
  const std::string globals = "int x;\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n";
  const auto program = [&](const std::string& more, const std::string& name) {
    return Texts{{"/repair-test/a.c", twoThreads(globals + more,
                                                 "  pthread_mutex_lock(&" + name +
                                                     ");\n  x++;\n  "
                                                     "pthread_mutex_unlock(&" +
                                                     name + ");\n  return arg;\n",
                                                 "  assert(x == 2);\n")}};
  };
  const Snapshot snapshot = snapshotOf(twoThreads(globals, "  x++;\n  return arg;\n", "  assert(x == 2);\n"));
  const std::string one = "static pthread_mutex_t x_mutex = PTHREAD_MUTEX_INITIALIZER;\n";
  const auto offeredOf = [&](const std::vector<Texts>& proposals) {
    RepairSource source = proposing(proposals);
    source.write = [write = source.write](const Snapshot& of, const std::vector<Candidate>& candidates) {
      std::vector<Realization> all = write(of, candidates);
      for (Realization& written : all)
        written.newLock = written.texts.begin()->second.find("x_mutex") != std::string::npos;
      return all;
    };
    return repairFindings(snapshot, repairOptions(), explored(snapshot), "", Budget().withSteps(100 * kSteps),
                          {}, source);
  };
  const RepairResult both = offeredOf({program("", "m"), program(one, "x_mutex")});
  ASSERT_EQ(both.patches.size(), 1u);
  EXPECT_EQ(both.patches.front().texts, program("", "m"));
  ASSERT_EQ(both.rejected.size(), 1u);
  EXPECT_EQ(both.rejected.front().reason, "another needs nothing new to synchronize with");
  EXPECT_EQ(offeredOf({program(one, "x_mutex")}).patches.size(), 1u);
}

/// Two locks that both cure the race: `wide` around the calls, `narrow` around the access.
struct TwoLocks {
  Texts wide, narrow;
  Snapshot snapshot;
};

TwoLocks twoLocks() {
  const std::string globals = "int x;\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n";
  const auto program = [&](const std::string& body) {
    return Texts{{"/repair-test/a.c", twoThreads(globals, body, "  assert(x == 2);\n")}};
  };
  const std::string lock = "  pthread_mutex_lock(&m);\n", unlock = "  pthread_mutex_unlock(&m);\n";
  return {program(lock + "  x++;\n" + unlock + "  return arg;\n"),
          program(lock + "  x++;\n  int y = x;\n" + unlock + "  return y ? arg : 0;\n"),
          snapshotOf(program("  x++;\n  return arg;\n").begin()->second)};
}

RepairResult offeredFor(const TwoLocks& locks, const std::vector<Texts>& proposals,
                        const CallersCheck& check) {
  RepairLimits limits;
  limits.offersPerFinding = limits.triesPerFinding = proposals.size();
  return repairForCallers(locks.snapshot, repairOptions(), explored(locks.snapshot), "",
                          Budget().withSteps(100 * kSteps), limits, proposing(proposals), check);
}

TEST(Offers, WhatIsForThisDriverOnlyIsLeftWhereSomethingIsForAll) {
  const TwoLocks locks = twoLocks();
  const auto check = [&](const Snapshot&, const Snapshot& after, const Finding&, const Budget&) {
    CallerCheck result;
    if (after.text != locks.wide.begin()->second) return result;
    result.isOutside = true;
    result.onlyThisDriver = "'f' keeps the bug";
    return result;
  };
  const RepairResult both = offeredFor(locks, {locks.wide, locks.narrow}, {check});
  ASSERT_EQ(both.patches.size(), 1u);
  EXPECT_EQ(both.patches.front().texts, locks.narrow);
  ASSERT_FALSE(both.rejected.empty());
  EXPECT_NE(both.rejected.back().title.find("(only this driver: "), std::string::npos);

  const RepairResult alone = offeredFor(locks, {locks.wide}, {check});
  ASSERT_EQ(alone.patches.size(), 1u);
  EXPECT_NE(alone.patches.front().repair.title.find("(only this driver: "), std::string::npos);
  EXPECT_NE(alone.patches.front().repair.title.find("'f' keeps the bug)"), std::string::npos);
  EXPECT_EQ(alone.patches.front().repair.title.find("verified"), std::string::npos);
  EXPECT_NE(alone.patches.front().repair.status, RepairStatus::Verified);
}

TEST(Offers, WhatABetterPatchMendsForOtherCallersHasToBeMendedByAll) {
  const TwoLocks locks = twoLocks();
  const auto isWide = [&](const Snapshot& after) { return after.text == locks.wide.begin()->second; };
  std::set<Property> shown;  // what `narrow` still shows in the use that `wide` mends
  const CallersCheck check = {[&](const Snapshot&, const Snapshot& after, const Finding&, const Budget&) {
                                CallerCheck result{"", 1, 1, false, "", {}};
                                if (isWide(after)) result.mended.push_back({"f || g", "", {Property::Race}});
                                return result;
                              },
                              [&](const Snapshot& after, const MendedUse& use, const Budget&) {
                                EXPECT_FALSE(isWide(after));
                                return use.kinds == shown;
                              }};
  EXPECT_EQ(offeredFor(locks, {locks.wide, locks.narrow}, check).patches.size(), 2u);
  shown = {Property::Race};
  const RepairResult result = offeredFor(locks, {locks.wide, locks.narrow}, check);
  ASSERT_EQ(result.patches.size(), 1u);
  EXPECT_EQ(result.patches.front().texts, locks.wide);
  EXPECT_NE(result.rejected.back().title.find("; f || g keeps the bug)"), std::string::npos)
      << result.rejected.back().title;
}

TEST(Offers, AWaitOfAFunctionThatOthersCallIsForThisDriverOnly) {
  const TwoLocks locks = twoLocks();
  RepairSource source;
  const auto titleWith = [&](size_t penalty) {
    source.write = [&locks](const Snapshot&, const std::vector<Candidate>& candidates) {
      return std::vector<Realization>(candidates.size(), Realization{locks.wide, "wait", "", false});
    };
    source.candidates = [penalty](const Report&, const Finding&) {
      Candidate candidate;
      candidate.plan.kind = RepairPlan::Kind::SignalWait;
      candidate.penalty = penalty;
      return std::vector<Candidate>(1, candidate);
    };
    const auto check = [](const Snapshot&, const Snapshot&, const Finding&, const Budget&) {
      return CallerCheck{};
    };
    const RepairResult result = repairForCallers(locks.snapshot, repairOptions(), explored(locks.snapshot),
                                                 "", Budget().withSteps(100 * kSteps), {}, source, {check});
    return result.patches.empty() ? "" : result.patches.front().repair.title;
  };
  EXPECT_NE(titleWith(200).find("(only this driver: "), std::string::npos) << titleWith(200);
  EXPECT_NE(titleWith(0).find("(verified: "), std::string::npos) << titleWith(0);
}

TEST(Offers, UsesThatWereNotExploredAreCountedInTheTitle) {
  const TwoLocks locks = twoLocks();
  const RepairResult result =
      offeredFor(locks, {locks.wide}, {[](const Snapshot&, const Snapshot&, const Finding&, const Budget&) {
                   return CallerCheck{"", 3, 4, false, "", {}};
                 }});
  ASSERT_EQ(result.patches.size(), 1u);
  EXPECT_NE(result.patches.front().repair.title.find(", and 3 of 4 generated uses)"), std::string::npos)
      << result.patches.front().repair.title;
}

TEST(Offers, DamagedPatchesAreRejectedUnlessTheyStillRepair) {
  namespace fs = std::filesystem;
  size_t damaged = 0, rejected = 0;
  for (const char* name : {"check_then_act", "goto_cleanup", "lock_in_loop", "one_access_unlocked",
                           "wrong_lock", "break_and_continue", "unlocked_too_early", "two_bugs"}) {
    Snapshot snapshot;
    snapshot.path = sourceDirectory() + "/tests/programs/repair/" + name + ".c";
    std::ifstream stream(snapshot.path, std::ios::binary);
    snapshot.text.assign(std::istreambuf_iterator<char>(stream), {});
    snapshot.command = commandFromFlags(snapshot.path, {"-std=gnu11"});
    const RepairResult right = repairsOf(snapshot);
    ASSERT_FALSE(right.patches.empty()) << name;
    const std::string& text = right.patches.front().texts.at(snapshot.path);
    std::vector<Texts> proposals;
    const std::vector<std::string_view> lines = linesOf(text);
    for (const LineHunk& hunk : lineDifference(snapshot.text, text))
      for (size_t line = hunk.newBegin; line < hunk.newEnd; ++line) {
        std::string without;
        for (size_t i = 0; i < lines.size(); ++i)
          if (i != line) without += lines[i];
        proposals.push_back({{snapshot.path, without}});
      }
    damaged += proposals.size();
    const RepairResult result = offered(snapshot, proposals);
    rejected += result.rejected.size();
    for (const Patch& patch : result.patches) {
      if (!patch.after.findings.empty()) continue;
      Options options;
      options.solver = "z3";
      const Report second = analyze(patched(snapshot, patch.texts), options, steps());
      EXPECT_TRUE(second.findings.empty()) << name << ": " << second.findings.front().message << "\n"
                                           << patch.texts.at(snapshot.path);
    }
  }
  EXPECT_GE(damaged, 30u);
  EXPECT_GT(rejected, damaged / 2);
}

}  // namespace
TEST(Offer, AStepBudgetHoldsBesideATimeBudget) {
  const Snapshot snapshot = snapshotOf(
      "#include <pthread.h>\nint n;\nvoid *f(void *p) { n++; return p; }\n"
      "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);\n"
      "  pthread_join(a, 0); pthread_join(b, 0); return 0; }\n");
  Options options = repairOptions();
  options.diagnose = true;
  const Report report = analyze(snapshot, options, steps());
  ASSERT_FALSE(report.findings.empty()) << report.problem;
  constexpr uint64_t kFew = 400;
  const Budget counted = Budget().withSteps(kFew);
  const Budget both = Budget::forDuration(std::chrono::hours(1)).withSteps(kFew);
  const RepairResult first = repairFindings(snapshot, options, report, "", counted);
  const RepairResult second = repairFindings(snapshot, options, report, "", both);
  EXPECT_EQ(first.patches.size(), second.patches.size());
  EXPECT_EQ(counted.spent(), both.spent());
  EXPECT_GT(counted.spent(), 0u) << "a part tells the whole what is spent of it";
}

}  // namespace heddle::testing
