// StateTable: numbers states in the order in which they come, found again by their keys. Open addressing with
// linear probing: a search asks for a known state several times as often as it finds a new one, and most of
// what it costs is memory that is not in the cache.
//
// Threading: one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/model/state_key.h"

namespace heddle {

class StateTable {
 public:
  StateTable() { clear(); }

  /// Of states so far; the next number.
  size_t size() const { return keys_.size(); }
  void clear() {
    keys_.clear();
    slots_.assign(kLeast, {});
  }

  std::optional<uint32_t> find(const StateKey& key) const {
    const Slot& slot = slots_[slotOf(key)];
    return slot.number == kFree ? std::nullopt : std::optional(slot.number);
  }
  /// The state's number, and whether it is new.
  std::pair<uint32_t, bool> insert(const StateKey& key) {
    Slot& slot = slots_[slotOf(key)];
    if (slot.number != kFree) return {slot.number, false};
    const auto number = static_cast<uint32_t>(keys_.size());
    slot = {tagOf(key), number};
    keys_.push_back(key);
    if (2 * keys_.size() > slots_.size()) grow();
    return {number, true};
  }

 private:
  static constexpr uint32_t kFree = UINT32_MAX;
  static constexpr size_t kLeast = 1024;  // slots; a power of two, as always
  struct Slot {
    uint32_t tag = 0;  // part of the key, to compare without looking it up
    uint32_t number = kFree;
  };

  static uint32_t tagOf(const StateKey& key) { return static_cast<uint32_t>(key.high); }
  /// Where the key is, or belongs.
  size_t slotOf(const StateKey& key) const {
    size_t at = key.low & (slots_.size() - 1);
    while (slots_[at].number != kFree && (slots_[at].tag != tagOf(key) || keys_[slots_[at].number] != key))
      at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow() {
    slots_.assign(2 * slots_.size(), {});
    for (uint32_t number = 0; number < keys_.size(); ++number)
      slots_[slotOf(keys_[number])] = {tagOf(keys_[number]), number};
  }

  std::vector<StateKey> keys_;  // by number
  std::vector<Slot> slots_;
};

}  // namespace heddle
