// All executions of a litmus program, by brute force: which operations run and which exchanges succeed, what
// each read reads, in which order the writes to each location come. The axioms are written as in the papers
// (RC11: Lahav et al. 2017; x86-TSO: Alglave et al. 2014), over the whole graph, with the read and the write
// of an update as two events.
#include <algorithm>
#include <functional>
#include <numeric>

#include "tests/weak/litmus_program.h"
#include "tests/weak/matrix.h"

namespace heddle::weak {

namespace {

struct Event {
  enum class Kind : uint8_t { Initial, Read, Write, Fence } kind = Kind::Initial;
  int thread = -1;
  int location = -1;
  Order order = Order::Relaxed;
  const Operation* operation = nullptr;
  int partner = -1;       // of an update: its other half
  bool isLocked = false;  // part of an atomic read-modify-write, or of an attempt at one
};

class Enumeration {
 public:
  Enumeration(const LitmusProgram& program, Model model) : program_(program), model_(model) {}

  Outcomes run() {
    // One bit for each operation with a guard (it runs) and each compare-exchange (it succeeds).
    for (const auto& thread : program_.threads)
      for (const Operation& op : thread) {
        if (op.guard >= 0) open_.push_back({&op, true});
        if (op.kind == Operation::Kind::CompareExchange) open_.push_back({&op, false});
      }
    for (uint64_t bits = 0; bits < uint64_t{1} << open_.size(); ++bits) withShape(bits);
    return std::move(outcomes_);
  }

 private:
  struct Open {
    const Operation* operation;
    bool isGuard;
  };

  bool bitOf(const Operation& op, bool isGuard) const {
    for (size_t i = 0; i < open_.size(); ++i)
      if (open_[i].operation == &op && open_[i].isGuard == isGuard) return bits_ >> i & 1;
    return true;
  }
  static bool reads(const Operation& op) {
    return op.kind != Operation::Kind::Store && op.kind != Operation::Kind::Fence;
  }
  bool writes(const Operation& op) const {
    if (op.kind == Operation::Kind::CompareExchange) return bitOf(op, false);
    return op.kind != Operation::Kind::Load && op.kind != Operation::Kind::Fence;
  }

  void withShape(uint64_t bits) {
    bits_ = bits;
    events_.clear();
    for (int i = 0; i < program_.locations; ++i)
      events_.push_back({Event::Kind::Initial, -1, i, Order::Relaxed, nullptr, -1, false});
    for (size_t t = 0; t < program_.threads.size(); ++t)
      for (const Operation& op : program_.threads[t]) {
        const int thread = static_cast<int>(t);
        if (!bitOf(op, true)) continue;
        if (op.kind == Operation::Kind::Fence) {
          events_.push_back({Event::Kind::Fence, thread, -1, op.order, &op, -1, false});
          continue;
        }
        const bool isUpdate = reads(op) && op.kind != Operation::Kind::Load;
        const bool fails = isUpdate && !writes(op);
        if (reads(op))
          events_.push_back(
              {Event::Kind::Read, thread, op.location, fails ? op.failure : op.order, &op, -1, isUpdate});
        if (!writes(op)) continue;
        events_.push_back({Event::Kind::Write, thread, op.location, op.order, &op, -1, isUpdate});
        if (!isUpdate) continue;
        const int at = static_cast<int>(events_.size()) - 1;
        events_[static_cast<size_t>(at)].partner = at - 1;
        events_[static_cast<size_t>(at) - 1].partner = at;
      }
    source_.assign(events_.size(), -1);
    chooseSources(0);
  }

  void chooseSources(size_t at) {
    while (at < events_.size() && events_[at].kind != Event::Kind::Read) ++at;
    if (at == events_.size()) return withSources();
    for (size_t w = 0; w < events_.size(); ++w) {
      const Event& write = events_[w];
      const bool isWrite = write.kind == Event::Kind::Write || write.kind == Event::Kind::Initial;
      if (!isWrite || write.location != events_[at].location || static_cast<int>(w) == events_[at].partner)
        continue;
      if (write.thread == events_[at].thread && w > at) continue;  // of its own future
      source_[at] = static_cast<int>(w);
      chooseSources(at + 1);
    }
  }

  /// Program order and reads-from have no cycle, and the values are those that the shape assumes.
  bool findValues() {
    const size_t n = events_.size();
    Matrix order = programOrder();
    for (size_t r = 0; r < n; ++r)
      if (source_[r] >= 0) order.set(static_cast<size_t>(source_[r]), r);
    if (!isAcyclic(order)) return false;
    // Repeated until nothing changes: without cycles that is once for each event.
    std::vector<int> values(n, 0);
    std::vector<int> registers(static_cast<size_t>(program_.registers), 0);
    for (size_t round = 0; round <= n; ++round)
      for (size_t e = 0; e < n; ++e) {
        const Event& event = events_[e];
        if (event.kind == Event::Kind::Read) {
          values[e] = values[static_cast<size_t>(source_[e])];
          if (event.operation->result >= 0)
            registers[static_cast<size_t>(event.operation->result)] = values[e];
        } else if (event.kind == Event::Kind::Write) {
          const Operation& op = *event.operation;
          values[e] = op.value + (op.addend >= 0 ? registers[static_cast<size_t>(op.addend)] : 0);
          if (op.kind == Operation::Kind::Add) values[e] += values[static_cast<size_t>(event.partner)];
        }
      }
    for (const Open& open : open_) {
      const Operation& op = *open.operation;
      if (open.isGuard) {
        if (bitOf(op, true) != (registers[static_cast<size_t>(op.guard)] == op.guardValue)) return false;
        continue;
      }
      if (!bitOf(op, true)) {
        if (bitOf(op, false)) return false;  // one shape for what does not run
        continue;
      }
      for (size_t e = 0; e < n; ++e)
        if (events_[e].operation == &op && events_[e].kind == Event::Kind::Read &&
            bitOf(op, false) != (values[e] == op.expected) && (bitOf(op, false) || !op.isWeak))
          return false;
    }
    values_ = values;
    registers_ = registers;
    return true;
  }

  void withSources() {
    if (!findValues()) return;
    orders_.assign(static_cast<size_t>(program_.locations), {});
    const size_t n = events_.size();
    sb_ = programOrder();
    rf_ = none(n);
    rmw_ = none(n);
    for (size_t r = 0; r < n; ++r) {
      if (source_[r] >= 0) rf_.set(static_cast<size_t>(source_[r]), r);
      if (events_[r].kind == Event::Kind::Read && events_[r].partner >= 0)
        rmw_.set(r, static_cast<size_t>(events_[r].partner));
    }
    hb_ = happensBefore(sb_, rf_, rmw_);
    chooseOrders(0);
  }

  void chooseOrders(int location) {
    if (location == program_.locations) return withOrders();
    std::vector<size_t> writes;
    for (size_t e = 0; e < events_.size(); ++e)
      if (events_[e].kind == Event::Kind::Write && events_[e].location == location) writes.push_back(e);
    do {
      orders_[static_cast<size_t>(location)] = writes;
      if (isCoherentAt(location)) chooseOrders(location + 1);
    } while (std::next_permutation(writes.begin(), writes.end()));
  }

  /// Program order, reads-from and coherence of one location have no cycle: all models demand that. It only
  /// saves time, as the axioms below say it again.
  bool isCoherentAt(int location) const {
    const size_t n = events_.size();
    const std::vector<size_t>& order = orders_[static_cast<size_t>(location)];
    std::vector<size_t> rank(n, 0);  // of the write, or of what is read; the initial one: 0
    for (size_t i = 0; i < order.size(); ++i) rank[order[i]] = i + 1;
    for (size_t b = 0; b < n; ++b) {
      if (events_[b].thread < 0 || events_[b].location != location) continue;
      const bool isRead = events_[b].kind == Event::Kind::Read;
      if (isRead) rank[b] = rank[static_cast<size_t>(source_[b])];
      for (size_t a = 0; a < b; ++a) {
        if (events_[a].thread != events_[b].thread || events_[a].location != location) continue;
        // A read may see what its thread saw before; a write must come after that.
        if (rank[a] > rank[b] || (!isRead && rank[a] == rank[b])) return false;
      }
    }
    return true;
  }

  Matrix programOrder() const {
    Matrix order = none(events_.size());
    for (size_t a = 0; a < events_.size(); ++a)
      for (size_t b = 0; b < events_.size(); ++b) {
        const bool isInitial =
            events_[a].kind == Event::Kind::Initial && events_[b].kind != Event::Kind::Initial;
        order.set(a, b,
                  isInitial || (events_[a].thread >= 0 && events_[a].thread == events_[b].thread && a < b));
      }
    return order;
  }

  void withOrders() {
    const size_t n = events_.size();
    const Matrix &sb = sb_, &rf = rf_, &rmw = rmw_, &hb = hb_;
    Matrix mo = none(n);
    for (size_t l = 0; l < orders_.size(); ++l) {
      std::vector<size_t> order = {l};
      order.insert(order.end(), orders_[l].begin(), orders_[l].end());
      for (size_t i = 0; i < order.size(); ++i)
        for (size_t k = i + 1; k < order.size(); ++k) mo.set(order[i], order[k]);
    }
    Matrix rb = then(inverse(rf), mo);
    for (size_t i = 0; i < n; ++i) rb.set(i, i, false);
    // Atomicity: no write between what an update reads and what it writes.
    const Matrix between = then(rb, mo);
    for (size_t r = 0; r < n; ++r)
      for (size_t w = 0; w < n; ++w)
        if (rmw[r][w] && (between[r][w] || mo[w][static_cast<size_t>(source_[r])])) return;
    bool isAllowed = false;
    switch (model_) {
      case Model::Sc:
        isAllowed = isAcyclic(both(both(sb, rf), both(mo, rb)));
        break;
      case Model::Tso:
      case Model::Pso:
        isAllowed = isBuffered(sb, rf, mo, rb);
        break;
      case Model::C11:
        isAllowed = isRc11(sb, rf, mo, rb, hb);
        break;
    }
    if (!isAllowed) return;
    Outcome outcome = registers_;
    for (size_t l = 0; l < orders_.size(); ++l)
      outcome.push_back(orders_[l].empty() ? 0 : values_[orders_[l].back()]);
    outcomes_.all.insert(std::move(outcome));
    for (size_t a = 0; a < n; ++a)
      for (size_t b = 0; b < n; ++b)
        if (isConflict(a, b) && !hb[a][b] && !hb[b][a]) outcomes_.hasRace = true;
  }

  bool isConflict(size_t a, size_t b) const {
    const Event &x = events_[a], &y = events_[b];
    if (x.thread < 0 || y.thread < 0 || x.thread == y.thread || x.location < 0 || x.location != y.location)
      return false;
    if (x.kind != Event::Kind::Write && y.kind != Event::Kind::Write) return false;
    return x.order == Order::Plain || y.order == Order::Plain;
  }

  bool isAtomic(size_t e) const { return events_[e].order != Order::Plain; }
  bool acquires(size_t e) const {
    const Order o = events_[e].order;
    return o == Order::Acquire || o == Order::AcquireRelease || o == Order::SeqCst;
  }
  bool releases(size_t e) const { return events_[e].order >= Order::Release; }

  Matrix happensBefore(const Matrix& sb, const Matrix& rf, const Matrix& rmw) const {
    const size_t n = events_.size();
    const auto is = [&](size_t e, Event::Kind kind) { return events_[e].kind == kind; };
    // rs = [W]; (sb|loc)?; [W at least relaxed]; (rf; rmw)*
    Matrix rs = none(n);
    for (size_t a = 0; a < n; ++a)
      for (size_t b = 0; b < n; ++b)
        rs.set(a, b,
               is(a, Event::Kind::Write) && is(b, Event::Kind::Write) && isAtomic(b) &&
                   (a == b || (sb[a][b] && events_[a].location == events_[b].location)));
    rs = then(rs, reflexive(closed(then(rf, rmw))));
    // sw = [release]; ([F]; sb)?; rs; rf; [R at least relaxed]; (sb; [F])?; [acquire]
    Matrix begin = none(n), end = none(n);
    for (size_t a = 0; a < n; ++a)
      for (size_t b = 0; b < n; ++b) {
        begin.set(a, b,
                  releases(a) && !is(a, Event::Kind::Initial) &&
                      ((a == b && is(a, Event::Kind::Write)) ||
                       (is(a, Event::Kind::Fence) && sb[a][b] && is(b, Event::Kind::Write))));
        end.set(a, b,
                is(a, Event::Kind::Read) && isAtomic(a) && acquires(b) &&
                    (a == b || (is(b, Event::Kind::Fence) && sb[a][b])));
      }
    const Matrix sw = then(then(then(begin, rs), rf), end);
    return closed(both(sb, sw));
  }

  bool isRc11(const Matrix& sb, const Matrix& rf, const Matrix& mo, const Matrix& rb,
              const Matrix& hb) const {
    const size_t n = events_.size();
    const Matrix eco = closed(both(rf, both(mo, rb)));
    if (!isIrreflexive(hb) || !isIrreflexive(then(hb, reflexive(eco))) || !isAcyclic(both(sb, rf)))
      return false;
    Matrix elsewhere = none(n), here = none(n);
    for (size_t a = 0; a < n; ++a)
      for (size_t b = 0; b < n; ++b) {
        const bool isSame = events_[a].location >= 0 && events_[a].location == events_[b].location;
        elsewhere.set(a, b, sb[a][b] && !isSame);
        here.set(a, b, hb[a][b] && isSame);
      }
    const Matrix scb = both(both(sb, then(then(elsewhere, hb), elsewhere)), both(here, both(mo, rb)));
    Matrix left = none(n), right = none(n), fences = none(n);
    for (size_t a = 0; a < n; ++a)
      for (size_t b = 0; b < n; ++b) {
        const bool isScA = events_[a].order == Order::SeqCst, isScB = events_[b].order == Order::SeqCst;
        const bool isFenceA = isScA && events_[a].kind == Event::Kind::Fence;
        const bool isFenceB = isScB && events_[b].kind == Event::Kind::Fence;
        left.set(a, b, (a == b && isScA) || (isFenceA && hb[a][b]));
        right.set(a, b, (a == b && isScB) || (isFenceB && hb[a][b]));
        fences.set(a, b, a == b && isFenceA);
      }
    const Matrix base = then(then(left, scb), right);
    const Matrix byFences = then(then(fences, both(hb, then(then(hb, eco), hb))), fences);
    return isAcyclic(both(base, byFences));
  }

  /// What a compiler puts before and after: barriers of the machine. `full` empties the buffer, `stores`
  /// keeps stores in order.
  bool isBuffered(const Matrix& sb, const Matrix& rf, const Matrix& mo, const Matrix& rb) const {
    const size_t n = events_.size();
    Matrix perLocation = both(rf, both(mo, rb)), ghb = both(mo, rb);
    for (size_t a = 0; a < n; ++a)
      for (size_t b = 0; b < n; ++b) {
        const Event &x = events_[a], &y = events_[b];
        if (sb[a][b] && x.location >= 0 && x.location == y.location) perLocation.set(a, b);
        if (rf[a][b] && x.thread != y.thread) ghb.set(a, b);
        if (sb[a][b] && x.thread >= 0 && isKept(a, b)) ghb.set(a, b);
      }
    return isAcyclic(perLocation) && isAcyclic(ghb);
  }
  bool isKept(size_t a, size_t b) const {
    const Event &x = events_[a], &y = events_[b];
    if (x.kind == Event::Kind::Fence || y.kind == Event::Kind::Fence) return false;  // seen from around them
    if (x.kind == Event::Kind::Read || x.isLocked || y.isLocked) return true;
    const bool isStore = y.kind == Event::Kind::Write;
    if (isStore && (model_ == Model::Tso || x.location == y.location)) return true;
    if (isStore && releases(b)) return true;
    if (x.order == Order::SeqCst) return true;  // a fence follows
    for (size_t f = a + 1; f < b; ++f) {
      const Event& between = events_[f];
      if (between.isLocked) return true;
      if (between.order == Order::SeqCst &&
          (between.kind == Event::Kind::Fence || between.kind == Event::Kind::Write))
        return true;
      if (isStore && releases(f) &&
          (between.kind == Event::Kind::Fence || between.kind == Event::Kind::Write))
        return true;
    }
    return false;
  }

  const LitmusProgram& program_;
  const Model model_;
  std::vector<Open> open_;
  uint64_t bits_ = 0;
  std::vector<Event> events_;
  std::vector<int> source_;
  std::vector<int> values_, registers_;
  std::vector<std::vector<size_t>> orders_;  // of the writes to each location
  // What follows from the sources alone:
  Matrix sb_{0}, rf_{0}, rmw_{0}, hb_{0};
  Outcomes outcomes_;
};

}  // namespace

namespace {

/// The program in which these inputs are constants.
LitmusProgram withInputs(const LitmusProgram& program, const std::vector<int>& inputs) {
  LitmusProgram out = program;
  out.inputs.clear();
  const auto valueOf = [&](int input) { return inputs[static_cast<size_t>(input)]; };
  for (const LitmusLoop& loop : program.loops) {
    if (loop.secondInput < 0 || valueOf(loop.secondInput) != 0) continue;
    const auto second =
        out.threads[loop.thread].begin() + static_cast<std::ptrdiff_t>(loop.begin + loop.length);
    out.threads[loop.thread].erase(second, second + static_cast<std::ptrdiff_t>(loop.length));
  }
  out.loops.clear();
  for (std::vector<Operation>& thread : out.threads) {
    std::erase_if(thread, [&](const Operation& op) {
      return op.guardInput >= 0 && valueOf(op.guardInput) != op.guardInputValue;
    });
    for (Operation& op : thread) {
      if (op.valueInput >= 0) op.value += valueOf(op.valueInput);
      if (op.expectedInput >= 0) op.expected += valueOf(op.expectedInput);
      op.valueInput = op.expectedInput = op.guardInput = -1;
    }
  }
  return out;
}

}  // namespace

Outcomes enumerate(const LitmusProgram& program, Model model) {
  if (program.inputs.empty()) return Enumeration(program, model).run();
  Outcomes all;
  std::vector<int> inputs(program.inputs.size(), 0);
  for (bool goesOn = true; goesOn;) {
    const LitmusProgram fixed = withInputs(program, inputs);
    const Outcomes some = Enumeration(fixed, model).run();
    all.hasRace = all.hasRace || some.hasRace;
    for (Outcome outcome : some.all) {
      outcome.insert(outcome.end(), inputs.begin(), inputs.end());
      all.all.insert(std::move(outcome));
    }
    goesOn = false;
    for (int& input : inputs) {
      input = (input + 1) % kInputValues;
      if (input == 0) continue;
      goesOn = true;
      break;
    }
  }
  return all;
}

}  // namespace heddle::weak
