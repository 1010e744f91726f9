// What the tests of repair do with a program: explore it, repair it, and look at what came out.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "analysis/repair/repair.h"
#include "analysis/repair/verify.h"

namespace heddle::testing {

constexpr uint64_t kSteps = 400'000;

inline Snapshot snapshotOf(const std::string& text, const std::map<std::string, std::string>& headers = {}) {
  Snapshot snapshot;
  snapshot.path = "/repair-test/a.c";
  snapshot.text = text;
  for (const auto& [name, content] : headers) snapshot.overlays["/repair-test/" + name] = content;
  snapshot.command = commandFromFlags(snapshot.path, {"-std=gnu11"});
  return snapshot;
}

inline Options repairOptions() {
  Options options;
  options.summarizeAccesses = true;
  return options;
}

inline Budget steps() {
  return Budget().withSteps(kSteps);
}

inline Report explored(const Snapshot& snapshot) {
  return analyze(snapshot, repairOptions(), steps());
}

/// As `heddle repair` does it: findings that are diagnosed, then patches. `toFind` are the steps of the
/// exploration of the program as it is; those of patches are not fewer for it.
inline RepairResult repairsOf(const Snapshot& snapshot, uint64_t toFind = 2 * kSteps) {
  Options options = repairOptions();
  options.diagnose = true;
  const Report report = analyze(snapshot, options, Budget().withSteps(toFind));
  return repairFindings(snapshot, options, report, "", Budget().withSteps(20 * kSteps));
}

/// The best patch as new texts, checked anew by an exploration that knows nothing of it: no finding is left.
inline std::map<std::string, std::string> bestPatch(const Snapshot& snapshot) {
  const RepairResult result = repairsOf(snapshot);
  EXPECT_FALSE(result.patches.empty());
  if (result.patches.empty()) {
    for (const RejectedPatch& rejected : result.rejected)
      ADD_FAILURE() << rejected.title << ": " << rejected.reason;
    return {};
  }
  const Patch& best = result.patches.front();
  Snapshot changed = snapshot;
  for (const auto& [path, text] : best.texts)
    (path == snapshot.path ? changed.text : changed.overlays[path]) = text;
  const Report after = explored(changed);
  EXPECT_TRUE(after.findings.empty()) << after.findings.front().message << "\n" << changed.text;
  EXPECT_EQ(after.verdict, Verdict::Verified) << after.problem << "\n" << changed.text;
  return best.texts;
}

inline std::string bestText(const std::string& text) {
  const auto texts = bestPatch(snapshotOf(text));
  const auto found = texts.find("/repair-test/a.c");
  return found == texts.end() ? "" : found->second;
}

/// A program of two threads that run `worker`, which is the text of a function body between braces.
inline std::string twoThreads(const std::string& globals, const std::string& worker,
                              const std::string& atEnd = "") {
  return "#include <assert.h>\n#include <pthread.h>\n#include <stddef.h>\n\n" + globals +
         "\nstatic void *work(void *arg) {\n" + worker +
         "}\n\nint main(void) {\n  pthread_t a, b;\n  pthread_create(&a, NULL, work, NULL);\n"
         "  pthread_create(&b, NULL, work, NULL);\n  pthread_join(a, NULL);\n  pthread_join(b, NULL);\n" +
         atEnd + "  return 0;\n}\n";
}

}  // namespace heddle::testing
