#include "analysis/repair/memory_orders.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

#include "analysis/support/word.h"

namespace heddle {

namespace {

using Of = NamedOrder::Of;

constexpr std::array<std::string_view, 5> kOrderWords = {"relaxed", "acquire", "release", "acq_rel",
                                                         "seq_cst"};
constexpr std::array<std::string_view, 5> kOrderBuiltins = {"RELAXED", "ACQUIRE", "RELEASE", "ACQ_REL",
                                                            "SEQ_CST"};

std::optional<std::pair<MemoryOrder, bool>> orderNamed(std::string_view word) {
  constexpr std::string_view kWord = "memory_order_", kBuiltin = "__ATOMIC_";
  const bool isBuiltin = word.starts_with(kBuiltin);
  if (!isBuiltin && !word.starts_with(kWord)) return std::nullopt;
  const std::string_view rest = word.substr(isBuiltin ? kBuiltin.size() : kWord.size());
  const auto& names = isBuiltin ? kOrderBuiltins : kOrderWords;
  for (size_t i = 0; i < names.size(); ++i)
    if (rest == names[i]) return std::pair{static_cast<MemoryOrder>(i), isBuiltin};
  if (rest == "consume" || rest == "CONSUME") return std::pair{MemoryOrder::Acquire, isBuiltin};
  return std::nullopt;
}

/// A call, or a pair of brackets, that is open where the text is read.
struct OpenCall {
  std::string_view name;
  size_t orders = 0;  // named in it so far
};

std::optional<Of> operationOf(const OpenCall& call) {
  const auto has = [&](std::string_view part) { return call.name.find(part) != std::string_view::npos; };
  if (!has("atomic_") || has("signal_fence") || has("_init")) return std::nullopt;
  if (has("fence")) return Of::Fence;
  if (has("compare_exchange")) return call.orders == 0 ? Of::Update : Of::Failure;
  if (has("load")) return Of::Load;
  if (has("store") || has("clear")) return Of::Store;
  if (has("exchange") || has("fetch") || has("test_and_set")) return Of::Update;
  return std::nullopt;
}

/// Where what is no code ends that begins at `at`: a comment, a text, a character. `at` itself: it is code.
size_t behindNoCode(std::string_view text, size_t at) {
  const auto until = [&](std::string_view end) {
    const size_t found = text.find(end, at + 2);
    return found == std::string_view::npos ? text.size() : found + end.size();
  };
  if (text.substr(at, 2) == "//") return until("\n") - (until("\n") < text.size() ? 1 : 0);
  if (text.substr(at, 2) == "/*") return until("*/");
  if (text[at] != '"' && text[at] != '\'') return at;
  size_t end = at + 1;
  while (end < text.size() && text[end] != text[at] && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

bool isAtLeast(MemoryOrder a, MemoryOrder b) {
  if (isAcquire(b) && !isAcquire(a)) return false;
  if (isRelease(b) && !isRelease(a)) return false;
  return b != MemoryOrder::SeqCst || a == MemoryOrder::SeqCst;
}

/// Weakest first.
std::vector<MemoryOrder> ordersFor(Of of) {
  switch (of) {
    case Of::Load:
    case Of::Failure:
      return {MemoryOrder::Relaxed, MemoryOrder::Acquire, MemoryOrder::SeqCst};
    case Of::Store:
      return {MemoryOrder::Relaxed, MemoryOrder::Release, MemoryOrder::SeqCst};
    default:
      return {MemoryOrder::Relaxed, MemoryOrder::Acquire, MemoryOrder::Release, MemoryOrder::AcquireRelease,
              MemoryOrder::SeqCst};
  }
}

}  // namespace

std::vector<NamedOrder> namedOrders(std::string_view text) {
  std::vector<NamedOrder> named;
  std::vector<OpenCall> open;
  std::string_view before;  // the word right before
  uint32_t line = 1;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    if (isWordCharacter(text[at])) {
      while (at < text.size() && isWordCharacter(text[at])) ++at;
      before = text.substr(begin, at - begin);
      const auto order = orderNamed(before);
      if (!order || open.empty()) continue;
      const std::optional<Of> of = operationOf(open.back());
      if (!of) continue;
      ++open.back().orders;
      named.push_back({*of, begin, at, line, order->second, order->first});
      continue;
    }
    at = behindNoCode(text, begin);
    if (at == begin) {
      const char c = text[at++];
      if (c == '(') open.push_back({before, 0});
      if (c == ')' && !open.empty()) open.pop_back();
      if (std::isspace(static_cast<unsigned char>(c)) == 0) before = {};
    }
    for (size_t i = begin; i < at; ++i) line += text[i] == '\n' ? 1 : 0;
  }
  return named;
}

std::vector<MemoryOrder> ordersOf(const std::vector<NamedOrder>& named) {
  std::vector<MemoryOrder> orders;
  for (const NamedOrder& name : named) orders.push_back(name.order);
  return orders;
}

std::string toString(MemoryOrder order, bool isBuiltin) {
  const auto at = static_cast<size_t>(order);
  return isBuiltin ? "__ATOMIC_" + std::string(kOrderBuiltins[at])
                   : "memory_order_" + std::string(kOrderWords[at]);
}

std::string withOrders(std::string_view text, const std::vector<NamedOrder>& named,
                       const std::vector<MemoryOrder>& orders) {
  std::string out;
  size_t at = 0;
  for (size_t i = 0; i < named.size(); ++i) {
    if (orders[i] == named[i].order) continue;
    out += text.substr(at, named[i].begin - at);
    out += toString(orders[i], named[i].isBuiltin);
    at = named[i].end;
  }
  return out += text.substr(at);
}

namespace {

class OrderSearch {
 public:
  OrderSearch(const std::vector<NamedOrder>& named, std::vector<MemoryOrder> orders,
              const std::vector<MemoryOrder>& least,
              const std::function<bool(const std::vector<MemoryOrder>&)>& isGood)
      : named_(named), orders_(std::move(orders)), least_(least), isGood_(isGood) {
    for (size_t i = 0; i < named_.size(); ++i) {
      if (isFailure(i)) continue;
      Unit unit = {i};
      if (isFailure(i + 1)) unit.insert(unit.begin(), i + 1);
      units_.push_back(std::move(unit));
    }
    // Fences last: one may do for several accesses.
    std::stable_partition(units_.begin(), units_.end(),
                          [&](const Unit& unit) { return named_[unit.front()].of != Of::Fence; });
  }

  std::vector<MemoryOrder> run() {
    weaken(0, units_.size());
    return std::move(orders_);
  }

 private:
  /// What is weakened together: an order, or those of an exchange, its failure's first.
  using Unit = std::vector<size_t>;

  bool isFailure(size_t i) const { return i < named_.size() && named_[i].of == Of::Failure; }

  /// All of them at once if that goes, else halves of them.
  void weaken(size_t first, size_t end) {
    if (first >= end) return;
    if (end - first == 1) {
      for (const size_t i : units_[first]) weakenOne(i);
      return;
    }
    const std::vector<MemoryOrder> before = orders_;
    for (size_t unit = first; unit < end; ++unit)
      for (const size_t i : units_[unit]) orders_[i] = least_[i];
    if (orders_ == before || isGood_(orders_)) return;
    orders_ = before;
    const size_t middle = first + (end - first) / 2;
    weaken(first, middle);
    weaken(middle, end);
  }

  void weakenOne(size_t i) {
    const MemoryOrder strong = orders_[i];
    for (const MemoryOrder order : ordersFor(named_[i].of)) {
      if (order == strong) break;
      if (!isAtLeast(strong, order) || !isAtLeast(order, least_[i])) continue;
      // Compilers warn of an exchange whose failure has the stronger order.
      if (isFailure(i + 1) && order < orders_[i + 1]) continue;
      orders_[i] = order;
      if (isGood_(orders_)) return;
      orders_[i] = strong;
    }
  }

  const std::vector<NamedOrder>& named_;
  std::vector<MemoryOrder> orders_;
  const std::vector<MemoryOrder>& least_;
  const std::function<bool(const std::vector<MemoryOrder>&)>& isGood_;
  std::vector<Unit> units_;
};

}  // namespace

std::vector<MemoryOrder> weakestOrders(const std::vector<NamedOrder>& named, std::vector<MemoryOrder> orders,
                                       const std::vector<MemoryOrder>& least,
                                       const std::function<bool(const std::vector<MemoryOrder>&)>& isGood) {
  return OrderSearch(named, std::move(orders), least, isGood).run();
}

namespace {

/// Agner Fog's tables (mfence, xchg) and Arm's optimization guides (ldar, stlr, dmb ish), rounded.
constexpr uint32_t kDrainedStore = 20, kFullFence = 33, kOrderedAccess = 2, kBarrier = 10;

OrderCost costOf(Of of, MemoryOrder order) {
  if (order == MemoryOrder::Relaxed) return {};
  const bool isSeqCst = order == MemoryOrder::SeqCst;
  switch (of) {
    case Of::Load:
      return {0, kOrderedAccess};
    case Of::Failure:
      return {};  // the instruction is that of success
    case Of::Store:
      return {isSeqCst ? kDrainedStore : 0, kOrderedAccess};
    case Of::Update:  // a locked instruction on x86, whatever its order
      return {0, isAcquire(order) && isRelease(order) ? 2 * kOrderedAccess : kOrderedAccess};
    case Of::Fence:
      return {isSeqCst ? kFullFence : 0, kBarrier};
  }
  return {};
}

}  // namespace

OrderCost costOf(const std::vector<NamedOrder>& named) {
  OrderCost all;
  for (const NamedOrder& name : named) {
    const OrderCost one = costOf(name.of, name.order);
    all.x86 += one.x86;
    all.arm += one.arm;
  }
  return all;
}

OrderCost costOfFence() {
  return costOf(Of::Fence, MemoryOrder::SeqCst);
}

}  // namespace heddle
