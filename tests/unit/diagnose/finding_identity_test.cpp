// What a finding is about stands in it as data, and its id is made of that: it outlives edits elsewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/unit/diagnose/diagnosed.h"

namespace heddle::test {
namespace {

/// A worker uses the buffer that main frees, and writes its elements without a lock.
const char* const kFreedWhileUsed = R"(
struct box { int size; int item[4]; };
static void *worker(void *p) {
  struct box *box = p;
  box->item[1] = 1;
  box->item[2] = box->item[1];
  return 0;
}
int main(void) {
  pthread_t t;
  struct box *made = malloc(sizeof *made);
  if (!made) return 0;
  pthread_create(&t, 0, worker, made);
  made->item[1] = 5;
  free(made);
  pthread_join(t, 0);
  return 0;
}
)";

std::set<std::string> idsOf(const Report& report) {
  std::set<std::string> ids;
  for (const Finding& finding : report.findings) ids.insert(finding.id);
  return ids;
}

TEST(FindingIdentity, IdsOutliveEditsElsewhere) {
  const Report report = explained(kFreedWhileUsed);
  const Report later = explained("\n\n\n" + std::string(kFreedWhileUsed));
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(idsOf(report), idsOf(later)) << "no id is made of a line";
}

TEST(FindingIdentity, AUseOfWhatIsFreedAndItsRaceAreAboutOneObject) {
  const Report report = explained(kFreedWhileUsed);
  std::set<Property> kinds;
  std::set<std::vector<FindingObject>> objects;
  for (const Finding& finding : report.findings)
    if (finding.freedAt.line != 0) {
      kinds.insert(finding.kind);
      objects.insert(finding.about);
    }
  EXPECT_EQ(kinds, (std::set<Property>{Property::Race, Property::Memory}));
  ASSERT_EQ(objects.size(), 1u);
  EXPECT_EQ(objects.begin()->front().name, "life of struct box");
}

TEST(FindingIdentity, IndicesAndThePointersNameDoNotCount) {
  const Report report = explained(kFreedWhileUsed);
  std::set<std::vector<FindingObject>> objects;
  for (const Finding& finding : report.findings)
    if (isRace(finding) && finding.freedAt.line == 0) objects.insert(finding.about);
  ASSERT_EQ(objects.size(), 1u);
  EXPECT_EQ(objects.begin()->front().name, "struct box->item[]");
}

}  // namespace
}  // namespace heddle::test
