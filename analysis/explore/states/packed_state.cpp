#include "analysis/explore/states/packed_state.h"

#include <algorithm>
#include <cstring>

namespace heddle {

namespace {

constexpr size_t kBlock = size_t{1} << 18;

/// Numbers of seven bits a byte, the lowest first. There must be room.
class Writer {
 public:
  explicit Writer(uint8_t* at) : at_(at) {}

  uint8_t* end() const { return at_; }
  void number(uint64_t number) {
    for (; number >= 0x80; number >>= 7) *at_++ = static_cast<uint8_t>(number | 0x80);
    *at_++ = static_cast<uint8_t>(number);
  }
  /// kNone and its like, which are all ones, become small.
  void id(uint32_t id) { number(static_cast<uint32_t>(id + 4)); }
  void ids(const std::vector<ThreadId>& ids) {
    number(ids.size());
    for (const ThreadId one : ids) id(one);
  }
  void raw(const void* from, size_t size) {
    std::memcpy(at_, from, size);
    at_ += size;
  }

 private:
  uint8_t* at_;
};

/// No state needs more bytes.
size_t mostBytes(const JointState& state) {
  constexpr size_t kNumber = 10, kId = 5;
  size_t waiters = 0;
  for (const auto& [condition, each] : state.waits)
    waiters += 3 * kNumber + kId * (each.released().size() + each.entries().size());
  return sizeof state.sum + 8 * kNumber + kId * (state.stops.size() + state.joined.size()) +
         (2 * kId + kNumber) * (state.values.size() + state.owners.size()) +
         (2 * kId + 2 * kNumber) * state.undo.size() + waiters;
}

class Reader {
 public:
  explicit Reader(std::span<const uint8_t> bytes) : at_(bytes.data()) {}

  uint64_t number() {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const uint8_t byte = *at_++;
      value |= uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return value;
    }
  }
  uint32_t id() { return static_cast<uint32_t>(number()) - 4; }
  std::vector<ThreadId> ids() {
    std::vector<ThreadId> all(number());
    for (ThreadId& one : all) one = id();
    return all;
  }
  void raw(void* to, size_t size) {
    std::memcpy(to, at_, size);
    at_ += size;
  }

 private:
  const uint8_t* at_;
};

}  // namespace

void pack(const JointState& state, std::vector<uint8_t>& out) {
  const size_t before = out.size();
  out.resize(before + mostBytes(state));
  Writer to(out.data() + before);
  to.raw(&state.sum, sizeof state.sum);
  to.number(state.conditions);
  to.id(state.inSection);
  to.number(state.stops.size());
  for (const StopId stop : state.stops) to.id(stop);
  to.number(state.values.size());
  for (const CellValue& value : state.values) {
    to.number(value.location);
    to.id(value.term);
    to.number(value.bits);
  }
  to.number(state.owners.size());
  for (const auto& [lock, owner] : state.owners) {
    to.number(lock);
    to.id(owner);
  }
  to.number(state.joined.size());
  for (const ThreadMask mask : state.joined) to.number(mask);
  to.number(state.waits.size());
  for (const auto& [condition, waiters] : state.waits) {
    to.number(condition);
    to.ids(waiters.released());
    to.ids(waiters.entries());
  }
  to.number(state.undo.size());
  for (const auto& [location, old] : state.undo) {
    to.number(location);
    to.number(old ? 1 : 0);
    if (!old) continue;
    to.id(old->term);
    to.number(old->bits);
  }
  out.resize(static_cast<size_t>(to.end() - out.data()));
}

void unpack(std::span<const uint8_t> bytes, JointState& out) {
  Reader in(bytes);
  in.raw(&out.sum, sizeof out.sum);
  out.conditions = static_cast<ConditionId>(in.number());
  out.inSection = in.id();
  out.stops.resize(in.number());
  for (StopId& stop : out.stops) stop = in.id();
  out.values.resize(in.number());
  for (CellValue& value : out.values) {
    value.location = static_cast<LocationId>(in.number());
    value.term = in.id();
    value.bits = in.number();
  }
  out.owners.clear();
  for (uint64_t left = in.number(); left != 0; --left) {
    const auto lock = static_cast<LocationId>(in.number());
    out.owners.emplace_hint(out.owners.end(), lock, in.id());
  }
  out.joined.resize(in.number());
  for (ThreadMask& mask : out.joined) mask = static_cast<ThreadMask>(in.number());
  out.waits.clear();
  for (uint64_t left = in.number(); left != 0; --left) {
    const auto condition = static_cast<LocationId>(in.number());
    std::vector<ThreadId> released = in.ids();
    out.waits.emplace_hint(out.waits.end(), condition, Waiters(std::move(released), in.ids()));
  }
  out.undo.clear();
  for (uint64_t left = in.number(); left != 0; --left) {
    const auto location = static_cast<LocationId>(in.number());
    if (in.number() == 0) {
      out.undo.emplace_back(location, std::nullopt);
      continue;
    }
    const Term term = in.id();
    out.undo.emplace_back(location, KnownValue{term, in.number()});
  }
}

void PackedStates::push(uint32_t number, ThreadId threads, std::span<const uint8_t> bytes) {
  if (blocks_.empty() || blocks_.back().size - blocks_.back().used < bytes.size()) {
    Block block;
    block.size = std::max(kBlock, bytes.size());
    block.bytes = std::make_unique_for_overwrite<uint8_t[]>(block.size);
    blocks_.push_back(std::move(block));
  }
  Block& block = blocks_.back();
  uint8_t* const at = block.bytes.get() + block.used;
  std::memcpy(at, bytes.data(), bytes.size());
  block.used += bytes.size();
  ++block.waiting;
  entries_.push_back({number, threads, {at, bytes.size()}});
}

void PackedStates::pop() {
  entries_.pop_front();
  if (--blocks_.front().waiting == 0) blocks_.pop_front();
}

void PackedStates::clear() {
  entries_.clear();
  blocks_.clear();
}

}  // namespace heddle
