#include <random>

#include "tests/weak/litmus_program.h"

namespace heddle::weak {

namespace {

class Generator {
 public:
  Generator(uint64_t seed, bool withPlain) : random_(seed), withPlain_(withPlain) {}

  LitmusProgram run() {
    LitmusProgram program;
    program.locations = pick(3) == 0 ? 3 : 2;
    const int threads = pick(3) == 0 ? 3 : 2;
    for (int t = 0; t < threads; ++t) {
      registers_.clear();
      std::vector<Operation> thread;
      const int most = threads == 3 ? 3 : 4;
      const int length = 1 + pick(most);
      for (int i = 0; i < length; ++i) thread.push_back(operation(program));
      program.threads.push_back(std::move(thread));
    }
    return program;
  }

 private:
  int pick(int below) { return static_cast<int>(random_() % static_cast<uint64_t>(below)); }
  Order any(std::initializer_list<Order> orders) {
    return orders.begin()[pick(static_cast<int>(orders.size()))];
  }
  bool isPlain() { return withPlain_ && pick(3) == 0; }

  Operation operation(LitmusProgram& program) {
    Operation op;
    const int kind = pick(12);
    op.location = pick(program.locations);
    op.value = 1 + pick(2);
    if (!registers_.empty() && pick(5) == 0) {
      op.guard = registers_[static_cast<size_t>(pick(static_cast<int>(registers_.size())))];
      op.guardValue = pick(3);
    }
    if (kind < 4) {
      op.kind = Operation::Kind::Load;
      op.order = isPlain() ? Order::Plain : any({Order::Relaxed, Order::Acquire, Order::SeqCst});
    } else if (kind < 8) {
      op.kind = Operation::Kind::Store;
      op.order = isPlain() ? Order::Plain : any({Order::Relaxed, Order::Release, Order::SeqCst});
    } else if (kind < 10) {
      op.kind = Operation::Kind::Fence;
      op.order = any({Order::Acquire, Order::Release, Order::AcquireRelease, Order::SeqCst, Order::SeqCst});
    } else {
      op.kind = pick(3) == 0   ? Operation::Kind::Exchange
                : pick(2) == 0 ? Operation::Kind::Add
                               : Operation::Kind::CompareExchange;
      op.order = any({Order::Relaxed, Order::Acquire, Order::Release, Order::AcquireRelease, Order::SeqCst});
      op.failure = any({Order::Relaxed, Order::Acquire, Order::SeqCst});
      op.expected = pick(2);
    }
    const bool takes = op.kind != Operation::Kind::Store && op.kind != Operation::Kind::Fence;
    const bool stores = op.kind == Operation::Kind::Store || op.kind == Operation::Kind::Exchange;
    if (stores && !registers_.empty() && pick(4) == 0)
      op.addend = registers_[static_cast<size_t>(pick(static_cast<int>(registers_.size())))];
    if (takes) {
      op.result = program.registers++;
      registers_.push_back(op.result);
    }
    return op;
  }

  std::mt19937_64 random_;
  const bool withPlain_;
  std::vector<int> registers_;  // of the thread
};

}  // namespace

LitmusProgram randomLitmus(uint64_t seed, bool withPlain) {
  return Generator(seed, withPlain).run();
}

}  // namespace heddle::weak
