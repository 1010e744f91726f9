#include <algorithm>
#include <map>
#include <random>

#include "tests/weak/litmus_program.h"

namespace heddle::weak {

namespace {

class Generator {
 public:
  Generator(uint64_t seed, const RandomOptions& options)
      : random_(seed),
        withPlain_(options.withPlain),
        withLoops_(options.withLoops),
        withInputs_(options.withInputs) {}

  LitmusProgram run() {
    LitmusProgram program;
    program.locations = pick(3) == 0 ? 3 : 2;
    const int threads = pick(3) == 0 ? 3 : 2;
    for (int t = 0; t < threads; ++t) {
      registers_.clear();
      inputs_.clear();
      std::vector<Operation> thread;
      const int most = (threads == 3 ? 3 : 4) - (withLoops_ ? 1 : 0);
      const int length = 1 + pick(most);
      for (int i = 0; i < length; ++i) thread.push_back(operation(program));
      if (withLoops_ && pick(2) == 0) repeat(program, t, thread);
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

  /// Some of the operations run twice.
  void repeat(LitmusProgram& program, int t, std::vector<Operation>& thread) {
    const int size = static_cast<int>(thread.size());
    const int begin = pick(size), length = std::min(1 + pick(program.threads.empty() ? 2 : 1), size - begin);
    std::map<int, int> renamed;
    std::vector<Operation> again(thread.begin() + begin, thread.begin() + begin + length);
    for (Operation& op : again) {
      for (int* used : {&op.guard, &op.addend})
        if (const auto other = renamed.find(*used); other != renamed.end()) *used = other->second;
      if (op.result < 0) continue;
      renamed[op.result] = program.registers;
      op.result = program.registers++;
    }
    thread.insert(thread.begin() + begin + length, again.begin(), again.end());
    LitmusLoop loop{static_cast<size_t>(t), static_cast<size_t>(begin), static_cast<size_t>(length)};
    if (withInputs_ && pick(2) == 0) loop.secondInput = input(program);
    program.loops.push_back(loop);
  }

  /// One that the thread has, one of all, or a new one; more than two would take the enumerator long.
  int input(LitmusProgram& program) {
    if (!inputs_.empty() && pick(2) == 0)
      return inputs_[static_cast<size_t>(pick(static_cast<int>(inputs_.size())))];
    std::vector<int> shared;
    for (size_t i = 0; i < program.inputs.size(); ++i)
      if (program.inputs[i] != InputKind::InThread) shared.push_back(static_cast<int>(i));
    const bool isFull = program.inputs.size() == 2;
    if (!shared.empty() && (isFull || pick(2) == 0))
      return shared[static_cast<size_t>(pick(static_cast<int>(shared.size())))];
    if (isFull) return inputs_.empty() ? -1 : inputs_.front();
    inputs_.push_back(static_cast<int>(program.inputs.size()));
    program.inputs.push_back(static_cast<InputKind>(pick(3)));
    return inputs_.back();
  }

  void addInputs(LitmusProgram& program, Operation& op) {
    const bool stores = op.kind != Operation::Kind::Load && op.kind != Operation::Kind::Fence;
    if (stores && pick(3) == 0) op.valueInput = input(program);
    if (op.kind == Operation::Kind::CompareExchange && pick(2) == 0) op.expectedInput = input(program);
    if (pick(5) != 0) return;
    op.guardInput = input(program);
    op.guardInputValue = pick(kInputValues);
  }

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
      op.isWeak = withLoops_ && op.kind == Operation::Kind::CompareExchange && pick(2) == 0;
    }
    const bool takes = op.kind != Operation::Kind::Store && op.kind != Operation::Kind::Fence;
    const bool stores = op.kind == Operation::Kind::Store || op.kind == Operation::Kind::Exchange;
    if (stores && !registers_.empty() && pick(4) == 0)
      op.addend = registers_[static_cast<size_t>(pick(static_cast<int>(registers_.size())))];
    if (withInputs_) addInputs(program, op);
    if (takes) {
      op.result = program.registers++;
      registers_.push_back(op.result);
    }
    return op;
  }

  std::mt19937_64 random_;
  const bool withPlain_, withLoops_, withInputs_;
  std::vector<int> registers_;  // of the thread
  std::vector<int> inputs_;     // that the thread was the first to use
};

}  // namespace

LitmusProgram randomLitmus(uint64_t seed, const RandomOptions& options) {
  return Generator(seed, options).run();
}

}  // namespace heddle::weak
