// The classic litmus families, each with all orders and fences. What is allowed follows from rules of the
// definitions, stated at each family; nothing here asks the enumerator or the engine.
#include "tests/weak/litmus_program.h"

namespace heddle::weak {

namespace {

constexpr int kX = 0, kY = 1, kZ = 2, kAny = -1;

Operation load(int location, int result, Order order) {
  Operation op;
  op.kind = Operation::Kind::Load;
  op.location = location;
  op.result = result;
  op.order = order;
  return op;
}
Operation store(int location, int value, Order order) {
  Operation op;
  op.kind = Operation::Kind::Store;
  op.location = location;
  op.value = value;
  op.order = order;
  return op;
}
Operation fence(Order order) {
  Operation op;
  op.kind = Operation::Kind::Fence;
  op.order = order;
  return op;
}
Operation exchange(int location, int value, int result, Order order) {
  Operation op = store(location, value, order);
  op.kind = Operation::Kind::Exchange;
  op.result = result;
  return op;
}

/// How two accesses of one thread, one after the other, are kept in order.
struct Link {
  const char* name;
  Order first, second;
  Order fence;  // between them; Plain: none
};

bool isRelease(Order order) {
  return order >= Order::Release;
}
bool isAcquire(Order order) {
  return order == Order::Acquire || order >= Order::AcquireRelease;
}
bool hasScFence(const Link& link) {
  return link.fence == Order::SeqCst;
}
bool isSc(const Link& link) {
  return link.first == Order::SeqCst && link.second == Order::SeqCst;
}

/// Two writes: the second, or a fence between, publishes the first.
constexpr Link kWriteWrite[] = {{"rlx", Order::Relaxed, Order::Relaxed, Order::Plain},
                                {"rel", Order::Relaxed, Order::Release, Order::Plain},
                                {"sc", Order::SeqCst, Order::SeqCst, Order::Plain},
                                {"frel", Order::Relaxed, Order::Relaxed, Order::Release},
                                {"facq", Order::Relaxed, Order::Relaxed, Order::Acquire},
                                {"fsc", Order::Relaxed, Order::Relaxed, Order::SeqCst}};
/// Two reads: the first, or a fence between, takes what was published.
constexpr Link kReadRead[] = {{"rlx", Order::Relaxed, Order::Relaxed, Order::Plain},
                              {"acq", Order::Acquire, Order::Relaxed, Order::Plain},
                              {"sc", Order::SeqCst, Order::SeqCst, Order::Plain},
                              {"facq", Order::Relaxed, Order::Relaxed, Order::Acquire},
                              {"frel", Order::Relaxed, Order::Relaxed, Order::Release},
                              {"fsc", Order::Relaxed, Order::Relaxed, Order::SeqCst}};
/// A write, then a read.
constexpr Link kWriteRead[] = {{"rlx", Order::Relaxed, Order::Relaxed, Order::Plain},
                               {"ra", Order::Release, Order::Acquire, Order::Plain},
                               {"sc", Order::SeqCst, Order::SeqCst, Order::Plain},
                               {"far", Order::Relaxed, Order::Relaxed, Order::AcquireRelease},
                               {"fsc", Order::Relaxed, Order::Relaxed, Order::SeqCst}};
/// A read, then a write.
constexpr Link kReadWrite[] = {{"rlx", Order::Relaxed, Order::Relaxed, Order::Plain},
                               {"ra", Order::Acquire, Order::Release, Order::Plain},
                               {"sc", Order::SeqCst, Order::SeqCst, Order::Plain},
                               {"far", Order::Relaxed, Order::Relaxed, Order::AcquireRelease},
                               {"fsc", Order::Relaxed, Order::Relaxed, Order::SeqCst}};

/// In C11 the second write carries the first.
bool publishes(const Link& link) {
  return isRelease(link.second) || (link.fence != Order::Plain && isRelease(link.fence));
}
/// In C11 the first read takes what its write carries.
bool takes(const Link& link) {
  return isAcquire(link.first) || (link.fence != Order::Plain && isAcquire(link.fence));
}
/// A store buffer of PSO keeps the two writes in order: by a release, or whatever is sequentially consistent.
bool keepsStores(const Link& link) {
  return publishes(link);
}
/// The buffer is empty between the write and the read.
bool empties(const Link& link) {
  return hasScFence(link) || link.first == Order::SeqCst;
}

std::vector<Operation> joined(const Operation& first, const Link& link, const Operation& second) {
  if (link.fence == Order::Plain) return {first, second};
  return {first, fence(link.fence), second};
}

class Table {
 public:
  std::vector<LitmusTest> run() {
    messagePassing();
    storeBuffering();
    loadBuffering();
    twoPlusTwoWrites();
    readWriteFamilies();
    independentReads();
    writeToRead();
    chains();
    coherence();
    updates();
    return std::move(tests_);
  }

 private:
  void add(std::string name, std::vector<std::vector<Operation>> threads, int locations, int registers,
           Outcome outcome, bool tso, bool pso, bool c11) {
    LitmusTest test;
    test.name = std::move(name);
    test.program = {std::move(threads), locations, registers};
    test.outcome = std::move(outcome);
    test.isAllowed[static_cast<int>(Model::Tso)] = tso;
    test.isAllowed[static_cast<int>(Model::Pso)] = pso;
    test.isAllowed[static_cast<int>(Model::C11)] = c11;
    tests_.push_back(std::move(test));
  }

  /// x = 1; y = 1 || r0 = y; r1 = x: r0 = 1, r1 = 0. Forbidden in C11 exactly if the write is published and
  /// taken; TSO keeps both orders; PSO may delay x.
  void messagePassing() {
    for (const Link& w : kWriteWrite)
      for (const Link& r : kReadRead)
        add(std::string("MP+") + w.name + "+" + r.name,
            {joined(store(kX, 1, w.first), w, store(kY, 1, w.second)),
             joined(load(kY, 0, r.first), r, load(kX, 1, r.second))},
            2, 2, {1, 0, kAny, kAny}, false, !keepsStores(w), !(publishes(w) && takes(r)));
  }

  /// x = 1; r0 = y || y = 1; r1 = x: both 0. Forbidden in C11 exactly if in both threads all is sequentially
  /// consistent, or such a fence lies between; on TSO and PSO if both buffers are empty between.
  void storeBuffering() {
    for (const Link& a : kWriteRead)
      for (const Link& b : kWriteRead) {
        const bool isForbidden = (isSc(a) || hasScFence(a)) && (isSc(b) || hasScFence(b));
        const bool isEmpty = empties(a) && empties(b);
        add(std::string("SB+") + a.name + "+" + b.name,
            {joined(store(kX, 1, a.first), a, load(kY, 0, a.second)),
             joined(store(kY, 1, b.first), b, load(kX, 1, b.second))},
            2, 2, {0, 0, kAny, kAny}, !isEmpty, !isEmpty, !isForbidden);
      }
  }

  /// r0 = x; y = 1 || r1 = y; x = 1: both 1. A cycle of program order and reads-from, which no model has.
  void loadBuffering() {
    for (const Link& a : kReadWrite)
      for (const Link& b : kReadWrite)
        add(std::string("LB+") + a.name + "+" + b.name,
            {joined(load(kX, 0, a.first), a, store(kY, 1, a.second)),
             joined(load(kY, 1, b.first), b, store(kX, 1, b.second))},
            2, 2, {1, 1, kAny, kAny}, false, false, false);
  }

  /// x = 1; y = 2 || y = 1; x = 2: the first writes last. Nobody reads, so in C11 only what is sequentially
  /// consistent forbids it; TSO keeps stores in order, PSO where they are kept in both threads.
  void twoPlusTwoWrites() {
    for (const Link& a : kWriteWrite)
      for (const Link& b : kWriteWrite) {
        const bool isForbidden = (isSc(a) || hasScFence(a)) && (isSc(b) || hasScFence(b));
        add(std::string("2+2W+") + a.name + "+" + b.name,
            {joined(store(kX, 1, a.first), a, store(kY, 2, a.second)),
             joined(store(kY, 1, b.first), b, store(kX, 2, b.second))},
            2, 0, {1, 1}, false, !(keepsStores(a) && keepsStores(b)), !isForbidden);
      }
  }

  void readWriteFamilies() {
    // R: x = 1; y = 1 || y = 2; r0 = x: r0 = 0, y = 2 last.
    for (const Link& a : kWriteWrite)
      for (const Link& b : kWriteRead) {
        const bool isForbidden = (isSc(a) || hasScFence(a)) && (isSc(b) || hasScFence(b));
        add(std::string("R+") + a.name + "+" + b.name,
            {joined(store(kX, 1, a.first), a, store(kY, 1, a.second)),
             joined(store(kY, 2, b.first), b, load(kX, 0, b.second))},
            2, 1, {0, kAny, 2}, !empties(b), !(keepsStores(a) && empties(b)), !isForbidden);
      }
    // S: x = 2; y = 1 || r0 = y; x = 1: r0 = 1, x = 2 last.
    for (const Link& a : kWriteWrite)
      for (const Link& b : kReadWrite) {
        const bool isTaken = isAcquire(b.first) || (b.fence != Order::Plain && isAcquire(b.fence));
        add(std::string("S+") + a.name + "+" + b.name,
            {joined(store(kX, 2, a.first), a, store(kY, 1, a.second)),
             joined(load(kY, 0, b.first), b, store(kX, 1, b.second))},
            2, 1, {1, 2, kAny}, false, !keepsStores(a), !(publishes(a) && isTaken));
      }
  }

  /// IRIW: two writers, two readers who see them in different orders. Only machines with buffers for each
  /// processor's own use forbid it; C11 if all is sequentially consistent, or both readers have such fences.
  void independentReads() {
    for (const Order w : {Order::Relaxed, Order::Release, Order::SeqCst})
      for (const Link& r : kReadRead) {
        const bool isForbidden = hasScFence(r) || (w == Order::SeqCst && isSc(r));
        add("IRIW+" + std::to_string(static_cast<int>(w)) + "+" + r.name,
            {{store(kX, 1, w)},
             {store(kY, 1, w)},
             joined(load(kX, 0, r.first), r, load(kY, 1, r.second)),
             joined(load(kY, 2, r.first), r, load(kX, 3, r.second))},
            2, 4, {1, 0, 1, 0, kAny, kAny}, false, false, !isForbidden);
      }
  }

  /// WRC: x = 1 || r0 = x; y = 1 || r1 = y; r2 = x: 1, 1, 0. In C11 what the second thread has read goes
  /// along only if it was released to it and by it.
  void writeToRead() {
    for (const Order w : {Order::Relaxed, Order::Release})
      for (const Link& m : kReadWrite)
        for (const Link& r : kReadRead) {
          // That the second thread has read x = 1 happens before what takes its write: enough for coherence.
          const bool isCarried = isRelease(m.second) || (m.fence != Order::Plain && isRelease(m.fence));
          add("WRC+" + std::to_string(static_cast<int>(w)) + "+" + m.name + "+" + r.name,
              {{store(kX, 1, w)},
               joined(load(kX, 0, m.first), m, store(kY, 1, m.second)),
               joined(load(kY, 1, r.first), r, load(kX, 2, r.second))},
              2, 3, {1, 1, 0, kAny, kAny}, false, false, !(isCarried && takes(r)));
        }
  }

  /// ISA2: x = 1; y = 1 || r0 = y; z = 1 || r1 = z; r2 = x: 1, 1, 0.
  void chains() {
    for (const Link& w : kWriteWrite)
      for (const Link& m : kReadWrite)
        for (const Link& r : {kReadRead[0], kReadRead[1], kReadRead[3]}) {
          const bool isCarried =
              publishes(w) && (isAcquire(m.first) || (m.fence != Order::Plain && isAcquire(m.fence))) &&
              (isRelease(m.second) || (m.fence != Order::Plain && isRelease(m.fence))) && takes(r);
          add(std::string("ISA2+") + w.name + "+" + m.name + "+" + r.name,
              {joined(store(kX, 1, w.first), w, store(kY, 1, w.second)),
               joined(load(kY, 0, m.first), m, store(kZ, 1, m.second)),
               joined(load(kZ, 1, r.first), r, load(kX, 2, r.second))},
              3, 3, {1, 1, 0, kAny, kAny, kAny}, false, !keepsStores(w), !isCarried);
        }
  }

  /// One location: all models agree, and forbid.
  void coherence() {
    for (const Order o : {Order::Relaxed, Order::SeqCst}) {
      const std::string suffix = o == Order::Relaxed ? "+rlx" : "+sc";
      add("CoRR" + suffix, {{store(kX, 1, o)}, {load(kX, 0, o), load(kX, 1, o)}}, 1, 2, {1, 0, kAny}, false,
          false, false);
      add("CoRR2" + suffix,
          {{store(kX, 1, o)},
           {store(kX, 2, o)},
           {load(kX, 0, o), load(kX, 1, o)},
           {load(kX, 2, o), load(kX, 3, o)}},
          1, 4, {1, 2, 2, 1, kAny}, false, false, false);
      add("CoWW" + suffix, {{store(kX, 1, o), store(kX, 2, o)}}, 1, 0, {1}, false, false, false);
      add("CoWR" + suffix, {{store(kX, 1, o), load(kX, 0, o)}}, 1, 1, {0, kAny}, false, false, false);
      add("CoRW1" + suffix, {{load(kX, 0, o), store(kX, 1, o)}}, 1, 1, {1, kAny}, false, false, false);
      add("CoRW2" + suffix, {{load(kX, 0, o), store(kX, 1, o)}, {store(kX, 2, o)}}, 1, 1, {2, 2}, false,
          false, false);
    }
  }

  void updates() {
    for (const Order o : {Order::Relaxed, Order::AcquireRelease, Order::SeqCst}) {
      const std::string suffix = std::to_string(static_cast<int>(o));
      // Two exchanges never both read the initial value.
      add("XchgXchg+" + suffix, {{exchange(kX, 1, 0, o)}, {exchange(kX, 2, 1, o)}}, 1, 2, {0, 0, kAny}, false,
          false, false);
      // Store buffering by exchanges: on machines they are locked; in C11 they are as strong as their order.
      add("SB+xchg+" + suffix,
          {{exchange(kX, 1, 2, o), load(kY, 0, o == Order::AcquireRelease ? Order::Acquire : o)},
           {exchange(kY, 1, 3, o), load(kX, 1, o == Order::AcquireRelease ? Order::Acquire : o)}},
          2, 4, {0, 0, kAny, kAny, kAny, kAny}, false, false, o != Order::SeqCst);
    }
    // Release sequences: an update goes on with one whatever its order, a store of another thread ends it.
    add("RelSeq+update",
        {{store(kX, 1, Order::Relaxed), store(kY, 1, Order::Release)},
         {exchange(kY, 2, 0, Order::Relaxed)},
         {load(kY, 1, Order::Acquire), load(kX, 2, Order::Relaxed)}},
        2, 3, {1, 2, 0, kAny, kAny}, false, false, false);
    add("RelSeq+store",
        {{store(kX, 1, Order::Relaxed), store(kY, 1, Order::Release)},
         {load(kY, 0, Order::Relaxed), store(kY, 2, Order::Relaxed)},
         {load(kY, 1, Order::Acquire), load(kX, 2, Order::Relaxed)}},
        2, 3, {1, 2, 0, kAny, kAny}, false, false, true);
    // In RC11 a later store of the same thread belongs to it (not so in C++20).
    add("RelSeq+own",
        {{store(kX, 1, Order::Relaxed), store(kY, 1, Order::Release), store(kY, 2, Order::Relaxed)},
         {load(kY, 0, Order::Acquire), load(kX, 1, Order::Relaxed)}},
        2, 2, {2, 0, kAny, kAny}, false, false, false);
  }

  std::vector<LitmusTest> tests_;
};

}  // namespace

std::vector<LitmusTest> litmusTests() {
  return Table().run();
}

}  // namespace heddle::weak
