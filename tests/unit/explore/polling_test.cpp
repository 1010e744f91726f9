// Random programs whose threads wait by polling (flags, compare-exchange, try-locks, semaphores), against a
// search of all their states that knows nothing of the machine: it blocks where the program polls.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <set>

#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

constexpr int kFlags = 3;
constexpr int kThreads = 3;  // beside main

struct Op {
  enum Kind { Set, Await, AwaitEither, Swap, SetIf, TryLock, Lock, Unlock, TryWait, Post, Create, Join } kind;
  int a = 0, b = 0, c = 0, d = 0;  // flags and values; Create, Join: the thread
};
using Code = std::vector<Op>;

struct State {
  std::array<int8_t, kThreads + 1> at{};  // twice the operation, and one more between its halves
  std::array<int8_t, kThreads + 1> created{};
  std::array<int8_t, kFlags> flags{};
  int8_t owner = -1, slots = 0;
  auto operator<=>(const State&) const = default;
};

class States {
 public:
  explicit States(const std::vector<Code>& threads) : threads_(threads) {}

  /// Some execution ends with a thread that waits for ever.
  bool canGetStuck() {
    State first;
    first.created[0] = 1;
    visit(first);
    return stuck_;
  }

 private:
  bool isDone(const State& s, size_t t) const { return s.at[t] == static_cast<int>(2 * threads_[t].size()); }

  void visit(const State& s) {
    if (!seen_.insert(s).second) return;
    bool goesOn = false, waits = false;
    for (size_t t = 0; t < threads_.size(); ++t) {
      if (!s.created[t] || isDone(s, t)) continue;
      State next = s;
      if (step(next, t)) {
        goesOn = true;
        visit(next);
      } else {
        waits = true;
      }
    }
    stuck_ |= waits && !goesOn;
  }

  /// False: the thread waits.
  bool step(State& s, size_t t) const {
    const Op& op = threads_[t][static_cast<size_t>(s.at[t] / 2)];
    const auto flag = [&](int f) -> int8_t& { return s.flags[static_cast<size_t>(f)]; };
    const auto set = [&](int f, int v) { flag(f) = static_cast<int8_t>(v); };
    s.at[t] = static_cast<int8_t>(s.at[t] + 2);
    switch (op.kind) {
      case Op::Set:
        set(op.a, op.b);
        return true;
      case Op::Await:
        return flag(op.a) == op.b;
      case Op::AwaitEither:
        return flag(op.a) == op.b || flag(op.c) == op.d;
      case Op::Swap:
        if (flag(op.a) != op.b) return false;
        set(op.a, op.d);
        return true;
      case Op::SetIf:
        if (s.at[t] % 2 == 0 && flag(op.a) != op.b) return true;
        if (s.at[t] % 2 == 0) {
          --s.at[t];
          return true;
        }
        --s.at[t];
        set(op.c, op.d);
        return true;
      case Op::TryLock:
      case Op::Lock:
        if (s.owner != -1) return false;
        s.owner = static_cast<int8_t>(t);
        return true;
      case Op::Unlock:
        s.owner = -1;
        return true;
      case Op::TryWait:
        if (s.slots == 0) return false;
        --s.slots;
        return true;
      case Op::Post:
        ++s.slots;
        return true;
      case Op::Create:
        s.created[static_cast<size_t>(op.a)] = 1;
        return true;
      case Op::Join:
        return isDone(s, static_cast<size_t>(op.a));
    }
    return true;
  }

  const std::vector<Code>& threads_;
  std::set<State> seen_;
  bool stuck_ = false;
};

class PollingGenerator {
 public:
  explicit PollingGenerator(uint64_t seed) : random_(seed) {}

  std::vector<Code> make() {
    const int count = 2 + pick(kThreads - 1);
    std::vector<Code> threads(static_cast<size_t>(count) + 1);
    for (int t = 1; t <= count; ++t) threads[static_cast<size_t>(t)] = code(2 + pick(2));
    Code& main = threads[0];
    if (pick(6) == 0) main = code(1);
    for (int t = 1; t <= count; ++t) {
      main.push_back({Op::Create, t});
      if (pick(3) == 0)
        for (const Op& op : code(1)) main.push_back(op);
    }
    for (int t = 1; t <= count; ++t) main.push_back({Op::Join, t});
    return threads;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }

  Code code(int length) {
    Code code;
    bool holds = false;
    for (int i = 0; i < length; ++i) {
      switch (pick(10)) {
        case 0:
        case 1:
        case 2:
          code.push_back({Op::Set, pick(kFlags), 1 + pick(2)});
          break;
        case 3:
        case 4:
          code.push_back({Op::Await, pick(kFlags), 1 + pick(2)});
          break;
        case 5:
          code.push_back({Op::AwaitEither, pick(kFlags), 1 + pick(2), pick(kFlags), 1 + pick(2)});
          break;
        case 6:
          code.push_back({Op::Swap, pick(kFlags), 1 + pick(2), 0, pick(3)});
          break;
        case 7:
          code.push_back({Op::SetIf, pick(kFlags), pick(2), pick(kFlags), 1 + pick(2)});
          break;
        case 8:
          code.push_back({pick(2) ? Op::TryWait : Op::Post});
          break;
        default:
          if (holds)
            code.push_back({Op::Unlock});
          else
            code.push_back({pick(3) ? Op::TryLock : Op::Lock});
          holds = !holds;
      }
    }
    if (holds && pick(4)) code.push_back({Op::Unlock});
    return code;
  }

  std::mt19937_64 random_;
};

std::string textOf(const Op& op) {
  const auto flag = [](int f) { return "f" + std::to_string(f); };
  const auto is = [&](int f, int v) { return flag(f) + " == " + std::to_string(v); };
  switch (op.kind) {
    case Op::Set:
      return flag(op.a) + " = " + std::to_string(op.b) + ";";
    case Op::Await:
      return "while (!(" + is(op.a, op.b) + ")) ;";
    case Op::AwaitEither:
      return "while (!(" + is(op.a, op.b) + " || " + is(op.c, op.d) + ")) ;";
    case Op::Swap:
      return "{ int e; do e = " + std::to_string(op.b) + "; while (!atomic_compare_exchange_strong(&" +
             flag(op.a) + ", &e, " + std::to_string(op.d) + ")); }";
    case Op::SetIf:
      return "if (" + is(op.a, op.b) + ") " + flag(op.c) + " = " + std::to_string(op.d) + ";";
    case Op::TryLock:
      return "while (pthread_mutex_trylock(&m)) ;";
    case Op::Lock:
      return "pthread_mutex_lock(&m);";
    case Op::Unlock:
      return "pthread_mutex_unlock(&m);";
    case Op::TryWait:
      return "while (sem_trywait(&s)) ;";
    case Op::Post:
      return "sem_post(&s);";
    case Op::Create:
      return "pthread_create(&t[" + std::to_string(op.a) + "], 0, t" + std::to_string(op.a) + ", 0);";
    case Op::Join:
      return "pthread_join(t[" + std::to_string(op.a) + "], 0);";
  }
  return "";
}

std::string textOf(const std::vector<Code>& threads) {
  std::string text =
      "#include <semaphore.h>\n#include <stdatomic.h>\natomic_int f0, f1, f2; sem_t s;\n"
      "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n";
  for (size_t t = threads.size(); t-- > 0;) {
    text += t == 0 ? "int main(void) {\n  pthread_t t[4]; sem_init(&s, 0, 0);\n"
                   : "void *t" + std::to_string(t) + "(void *p) {\n";
    for (const Op& op : threads[t]) text += "  " + textOf(op) + "\n";
    text += t == 0 ? "  return 0;\n}\n" : "  return p;\n}\n";
  }
  return text;
}

class Polling : public testing::TestWithParam<int> {};

TEST_P(Polling, WhoCanWaitForEverIsSaid) {
  constexpr int kEach = 25;
  for (int i = 0; i < kEach; ++i) {
    const uint64_t seed = static_cast<uint64_t>(GetParam()) * kEach + static_cast<uint64_t>(i);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::vector<Code> threads = PollingGenerator(seed).make();
    const std::string text = textOf(threads);
    Options options;
    options.properties = {Property::Deadlock};
    const Report report = check(text, options);
    const Verdict expected = States(threads).canGetStuck() ? Verdict::Violated : Verdict::Verified;
    EXPECT_EQ(report.properties.at(Property::Deadlock), expected) << report.problem << "\n" << text;
    if (testing::Test::HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Polling, testing::Range(0, 8));

}  // namespace
}  // namespace heddle::test
