// StateTable: numbers states in the order in which they are added, and finds them by their keys. It uses
// open addressing with linear probing, because a search looks up known states several times as often as it
// adds new ones, and most of the cost is memory that is not in the cache.
//
// Threading: one thread changes it. Other threads may call find meanwhile, as long as no more states are
// added than there is room for (`makeRoom`): a slot is written after the key that it refers to.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/model/state_key.h"

namespace heddle {

class StateTable {
 public:
  StateTable() { clear(); }

  /// The number of states so far, which is also the next number.
  size_t size() const { return keys_.size(); }
  void clear() {
    keys_.clear();
    slots_ = Slots(kLeast);
  }
  /// Makes room, so that adding `more` states moves nothing in memory.
  void makeRoom(size_t more) {
    const size_t most = keys_.size() + more;
    if (most > keys_.capacity()) keys_.reserve(std::max(most, 2 * keys_.capacity()));
    if (2 * most > slots_.size()) grow(most);
  }

  /// Prefetches the slot of a key that will be looked up soon.
  void fetch(const StateKey& key) const { __builtin_prefetch(&slots_[key.low & (slots_.size() - 1)]); }
  std::optional<uint32_t> find(const StateKey& key) const {
    const uint64_t slot = slots_[slotOf(key)].load(std::memory_order_acquire);
    return slot == kFree ? std::nullopt : std::optional(numberIn(slot));
  }
  /// The state's number, and whether it is new.
  std::pair<uint32_t, bool> insert(const StateKey& key) {
    size_t at = slotOf(key);
    if (const uint64_t slot = slots_[at].load(std::memory_order_relaxed); slot != kFree)
      return {numberIn(slot), false};
    const auto number = static_cast<uint32_t>(keys_.size());
    if (2 * (size_t{number} + 1) > slots_.size()) {
      grow(size_t{number} + 1);
      at = slotOf(key);
    }
    keys_.push_back(key);
    slots_[at].store(slotFor(key, number), std::memory_order_release);
    return {number, true};
  }

 private:
  /// A slot has a part of the key, to compare without access to the key itself, and the state's number plus
  /// one.
  using Slots = std::vector<std::atomic<uint64_t>>;
  static constexpr uint64_t kFree = 0;
  static constexpr size_t kLeast = 1024;  // slots; a power of two, as always

  static uint64_t slotFor(const StateKey& key, uint32_t number) {
    return tagOf(key) << 32 | (uint64_t{number} + 1);
  }
  static uint64_t tagOf(const StateKey& key) { return key.high & UINT32_MAX; }
  static uint32_t numberIn(uint64_t slot) { return static_cast<uint32_t>(slot) - 1; }
  /// Where the key is, or belongs.
  size_t slotOf(const StateKey& key) const {
    const StateKey* const keys = keys_.data();
    for (size_t at = key.low & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      const uint64_t slot = slots_[at].load(std::memory_order_acquire);
      if (slot == kFree || (slot >> 32 == tagOf(key) && keys[numberIn(slot)] == key)) return at;
    }
  }
  /// Grows to room for at least `most` states.
  void grow(size_t most) {
    size_t size = slots_.size();
    while (size < 2 * most) size *= 2;
    slots_ = Slots(size);
    for (uint32_t number = 0; number < keys_.size(); ++number)
      slots_[slotOf(keys_[number])].store(slotFor(keys_[number], number), std::memory_order_relaxed);
  }

  std::vector<StateKey> keys_;  // by number
  Slots slots_;
};

}  // namespace heddle
