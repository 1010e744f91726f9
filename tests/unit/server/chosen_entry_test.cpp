// A file that a compile database has several times: which entry it is explored with, and of which entries
// guesses are told.
#include "project_fixture.h"

namespace heddle {
namespace {

/// With -DALONE the file knows no locks; with -DEAGER it keeps one.
constexpr const char* kPool = R"(#ifndef ALONE
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define LOCK() pthread_mutex_lock(&lock)
#define UNLOCK() pthread_mutex_unlock(&lock)
#else
#define LOCK()
#define UNLOCK()
#endif
static int count;
int pool_take(void) {
  LOCK();
  if (count == 0) {
#ifndef EAGER
    UNLOCK();
#endif
    return 0;
  }
  count--;
  UNLOCK();
  return 1;
}
void pool_put(void) {
  LOCK();
  count++;
  UNLOCK();
}
)";

class ChosenEntry : public ProjectCommands {
 protected:
  /// The source of the command that is chosen, behind the database's name; guesses of it go to `told_`.
  std::string chosenOf(const std::vector<std::string>& flags) {
    std::string database;
    for (const std::string& flag : flags)
      database += std::string(database.empty() ? "[" : ",\n") +
                  R"({"directory": ".", "file": "pool.c", "command": "cc )" + flag + R"( -c pool.c"})";
    write("compile_commands.json", database + "]");
    write("pool.c", kPool);
    const Engine engine = pipelineEngine();
    Snapshot snapshot;
    snapshot.path = path("pool.c");
    snapshot.text = kPool;
    snapshot.command = engine.findCommand(snapshot.path, nullptr);
    told_.clear();
    for (const LockGuess& guess : engine.harnesses(snapshot, "main", Budget{}).guesses)
      told_ += std::to_string(guess.line) + ' ' + guess.lock + '\n';
    return snapshot.command.source.substr(snapshot.command.source.find(')') + 1);
  }
  std::string told_;
};

TEST_F(ChosenEntry, IsTheFirstOneUnderWhichTheFileHasLocks) {
  EXPECT_EQ(chosenOf({"-DALONE"}), "");
  EXPECT_EQ(chosenOf({"-DALONE", "-DMORE"}), ", entry 2 of 2");
  EXPECT_EQ(chosenOf({"-DMORE", "-DALONE"}), ", entry 1 of 2");
  EXPECT_EQ(chosenOf({"-DALONE", "-DALONE -DMORE"}), ", entry 1 of 2");
}

TEST_F(ChosenEntry, GuessesAreThoseOfAllEntriesThatHaveLocks) {
  const std::string kept = "17 lock\n";
  EXPECT_EQ(chosenOf({"-DALONE", "-DMORE", "-DEAGER"}), ", entry 2 of 3");
  EXPECT_EQ(told_, kept);
  chosenOf({"-DEAGER", "-DEAGER -DMORE"});
  EXPECT_EQ(told_, kept) << "once";
  chosenOf({"-DMORE", "-DALONE"});
  EXPECT_EQ(told_, "") << "nothing is meant to hold a lock where there is none";
}

}  // namespace
}  // namespace heddle
