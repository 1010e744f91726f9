// Repairs of programs of several files: each file is edited in its own view, and what they share has one
// definition.
#include "analysis/repair/repair.h"
#include "tests/unit/repair/repaired.h"

namespace heddle::testing {
namespace {

const std::string kMainPath = "/repair-test/a.c", kOtherPath = "/repair-test/other.c";

Snapshot program(const std::string& main, const std::string& other, const std::string& header) {
  Snapshot snapshot = snapshotOf(main, {{"shared.h", header}});
  snapshot.units.push_back({kOtherPath, other, commandFromFlags(kOtherPath, {"-std=gnu11"})});
  return snapshot;
}

std::string mainFile(const std::string& globals, const std::string& worker) {
  return "#include <assert.h>\n#include <pthread.h>\n\n#include \"shared.h\"\n\n" + globals +
         "\nstatic void *work(void *arg) {\n" + worker +
         "  return arg;\n}\n\nstatic void *other(void *arg) {\n  "
         "change();\n  return arg;\n}\n\nint main(void) {\n  pthread_t a, b;\n  pthread_create(&a, 0, work, "
         "0);\n"
         "  pthread_create(&b, 0, other, 0);\n  pthread_join(a, 0);\n  pthread_join(b, 0);\n  assert(total "
         "== 3);\n"
         "  return 0;\n}\n";
}

constexpr const char* kAdd = "  int seen = total;\n  total = seen + 1;\n";
constexpr const char* kAddTwo = "void change(void) {\n  int seen = total;\n  total = seen + 2;\n}\n";

/// The texts of the best patch, of which an exploration that knows nothing of it says that no finding is
/// left.
std::map<std::string, std::string> best(const Snapshot& snapshot) {
  EXPECT_FALSE(explored(snapshot).findings.empty()) << "the program has no bug to begin with";
  return bestPatch(snapshot);
}

TEST(Units, AMutexOfAnotherFileIsTaken) {
  const Snapshot snapshot = program(
      mainFile(
          "int total;\npthread_mutex_t total_lock = PTHREAD_MUTEX_INITIALIZER;\n",
          "  pthread_mutex_lock(&total_lock);\n  total = total + 1;\n  pthread_mutex_unlock(&total_lock);\n"),
      "#include \"shared.h\"\n\n" + std::string(kAddTwo),
      "#include <pthread.h>\nextern int total;\nextern pthread_mutex_t total_lock;\nvoid change(void);\n");
  const auto texts = best(snapshot);
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_NE(texts.at(kOtherPath)
                .find("  pthread_mutex_lock(&total_lock);\n  int seen = total;\n  total = seen + 2;\n"
                      "  pthread_mutex_unlock(&total_lock);\n"),
            std::string::npos)
      << texts.at(kOtherPath);
}

TEST(Units, ANewMutexIsDeclaredInTheHeaderAndDefinedOnce) {
  const Snapshot snapshot =
      program(mainFile("int total;\n", kAdd), "#include \"shared.h\"\n\n" + std::string(kAddTwo),
              "#include <pthread.h>\nextern int total;\nvoid change(void);\n");
  const auto texts = best(snapshot);
  ASSERT_EQ(texts.size(), 3u);
  EXPECT_NE(
      texts.at("/repair-test/shared.h").find("extern int total;\nextern pthread_mutex_t total_mutex;\n"),
      std::string::npos)
      << texts.at("/repair-test/shared.h");
  EXPECT_NE(
      texts.at(kMainPath).find("int total;\npthread_mutex_t total_mutex = PTHREAD_MUTEX_INITIALIZER;\n"),
      std::string::npos)
      << texts.at(kMainPath);
  EXPECT_EQ(texts.at(kOtherPath).find("PTHREAD_MUTEX_INITIALIZER"), std::string::npos)
      << texts.at(kOtherPath);
}

TEST(Units, WithoutAHeaderTheOtherFileDeclaresIt) {
  const Snapshot snapshot =
      program(mainFile("int total;\n", kAdd),
              "#include <pthread.h>\n\nextern int total;\n\n" + std::string(kAddTwo), "void change(void);\n");
  const auto texts = best(snapshot);
  ASSERT_EQ(texts.size(), 2u);
  EXPECT_NE(texts.at(kOtherPath).find("extern int total;\nextern pthread_mutex_t total_mutex;\n"),
            std::string::npos)
      << texts.at(kOtherPath);
}

TEST(Units, AnOrderIsSignalledInOneFileAndAwaitedInTheOther) {
  const Snapshot snapshot = program(
      "#include <pthread.h>\n\n#include \"shared.h\"\n\nint total;\n\nstatic void *work(void *arg) {\n  "
      "total = 3;\n"
      "  return arg;\n}\n\nstatic void *other(void *arg) {\n  change();\n  return arg;\n}\n\nint main(void) "
      "{\n"
      "  pthread_t a, b;\n  pthread_create(&a, 0, work, 0);\n  pthread_create(&b, 0, other, 0);\n"
      "  pthread_join(a, 0);\n  pthread_join(b, 0);\n  return 0;\n}\n",
      "#include <assert.h>\n#include <pthread.h>\n\n#include \"shared.h\"\n\nvoid change(void) {\n  "
      "assert(total == "
      "3);\n}\n",
      "extern int total;\nvoid change(void);\n");
  const auto texts = best(snapshot);
  ASSERT_FALSE(texts.empty());
  EXPECT_NE(texts.at(kMainPath).find("pthread_cond_broadcast"), std::string::npos) << texts.at(kMainPath);
  EXPECT_NE(texts.at(kOtherPath).find("pthread_cond_wait"), std::string::npos) << texts.at(kOtherPath);
}

}  // namespace
}  // namespace heddle::testing
