// A hash map from two words to one, open addressing, no deletion: gates and order atoms are looked up very
// often.
//
// Threading: belongs to its solver.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::sat {

class FlatMap {
 public:
  struct Key {
    uint64_t x = 0, y = 0;
    bool operator==(const Key&) const = default;
  };

  /// The value for the key; 0 if it is new (the caller then sets it, never to 0).
  uint32_t& operator[](const Key& key) {
    if (2 * (size_ + 1) > entries_.size()) grow();
    Entry& e = slot(key);
    if (e.value == 0) {
      // A slot stays free until its value is set, so counting at each visit can only overestimate.
      e.key = key;
      ++size_;
    }
    return e.value;
  }

  uint32_t find(const Key& key) { return entries_.empty() ? 0 : slot(key).value; }

  uint64_t bytes() const { return entries_.capacity() * sizeof(Entry); }

 private:
  struct Entry {
    Key key;
    uint32_t value = 0;
  };

  Entry& slot(const Key& key) {
    uint64_t h = (key.x ^ (key.y * 0xC2B2AE3D27D4EB4Full)) * 0x9E3779B97F4A7C15ull;
    h ^= h >> 32;
    for (size_t i = h & (entries_.size() - 1);; i = (i + 1) & (entries_.size() - 1)) {
      Entry& e = entries_[i];
      if (e.value == 0 || e.key == key) return e;
    }
  }

  void grow() {
    std::vector<Entry> old(entries_.empty() ? 64 : 2 * entries_.size());
    old.swap(entries_);
    size_ = 0;
    for (const Entry& e : old)
      if (e.value != 0) {
        slot(e.key) = e;
        ++size_;
      }
  }

  std::vector<Entry> entries_;
  size_t size_ = 0;
};

}  // namespace heddle::sat
