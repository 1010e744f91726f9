#include "server/schedule/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <future>

namespace heddle {
namespace {

int nicenessOfThisThread() {
  return getpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)));
}

int nicenessOfAWorker(int asked) {
  ThreadPool pool(1, asked);
  std::promise<int> found;
  pool.run([&] { found.set_value(nicenessOfThisThread()); });
  return found.get_future().get();
}

TEST(ThreadPoolTest, WorkersStandBackAsFarAsAskedAndNobodyElseDoes) {
  const int own = nicenessOfThisThread();
  EXPECT_EQ(nicenessOfAWorker(0), own);
  EXPECT_EQ(nicenessOfAWorker(19), 19);
  EXPECT_EQ(nicenessOfThisThread(), own);
}

}  // namespace
}  // namespace heddle
