// StateKey: 128 bits that stand for the local state of a thread. Equal keys mean equal states, but for a
// chance of about 2^-128 for a pair of states.
#pragma once

#include <cstdint>

namespace heddle {

struct StateKey {
  uint64_t low = 0x243F6A8885A308D3ull, high = 0x13198A2E03707344ull;

  void add(uint64_t word) {
    low = mix(low ^ word, 0x9E3779B97F4A7C15ull);
    high = mix(high ^ (word + 0x632BE59BD9B4E019ull), 0xD6E8FEB86659FD93ull);
  }
  auto operator<=>(const StateKey&) const = default;

 private:
  static uint64_t mix(uint64_t x, uint64_t multiplier) {
    x *= multiplier;
    x ^= x >> 32;
    x *= multiplier;
    return x ^ (x >> 29);
  }
};

/// For unordered containers: a key is a hash already.
struct StateKeyHash {
  size_t operator()(const StateKey& key) const { return key.low; }
};

}  // namespace heddle
