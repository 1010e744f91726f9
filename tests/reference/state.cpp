#include "tests/reference/state.h"

namespace heddle::reference {
namespace {

template <typename T>
void add(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void add(std::string& out, const std::string& text) {
  add(out, text.size());
  out += text;
}

}  // namespace

std::string serialized(const State& state) {
  std::string out;
  add(out, state.process);
  add(out, state.objects.size());
  for (const Object& object : state.objects) {
    add(out, object.base);
    add(out, object.freed);
    add(out, object.freedBy);
    add(out, object.bytes);
    add(out, object.undefined);
  }
  for (const Thread& thread : state.threads) {
    add(out, thread.status);
    add(out, thread.detached);
    add(out, thread.joined);
    add(out, thread.allocations);
    add(out, thread.result);
    add(out, thread.phase);
    add(out, thread.waitsOn);
    add(out, thread.woken);
    add(out, thread.buffer);
    add(out, thread.bufferUndefined);
    add(out, thread.frames.size());
    for (const Frame& frame : thread.frames) {
      add(out, frame.block);
      add(out, frame.from);
      add(out, frame.next);
      add(out, frame.values.size());
      for (const Value& value : frame.values) {
        add(out, value.bits);
        add(out, value.second);
        add(out, value.undefined);
      }
    }
  }
  for (const auto& [address, sync] : state.syncs) {
    add(out, address);
    add(out, sync.owner);
    add(out, sync.count);
    add(out, sync.arrived);
    add(out, sync.readers.size());
    for (const auto& [thread, times] : sync.readers) {
      add(out, thread);
      add(out, times);
    }
  }
  return out;
}

}  // namespace heddle::reference
