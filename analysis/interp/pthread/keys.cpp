// Thread-specific data: keys, the values that each thread gives them, and their destructors, which run when a
// thread ends (but not when the process does).
#include "analysis/interp/core/call.h"
#include "analysis/interp/core/errno_value.h"

namespace heddle {

namespace keys_calls {
namespace {

constexpr int kRounds = 4;  // PTHREAD_DESTRUCTOR_ITERATIONS

// Entries of Thread::sites that stand for no instruction: what a thread has made of its keys is part of its
// local state.
constexpr uint32_t kKeySites = 0xf0000000, kKeyCount = kKeySites - 1;

Task<> create(Call& call) {
  ModelContext& e = call.context;
  Thread& t = call.thread;
  // Named by who made it and the how-manieth it was, so that the number does not depend on the schedule.
  const uint32_t key = (t.id << 16) + ++t.keys;
  t.sites[kKeyCount] = t.keys;
  const Value destructor = call.argument(1);
  e.choose(t, destructor);
  Target to;
  if (!co_await call.resolve(call.argument(0), 4, true, to)) co_return;
  e.process.keys[key] = destructor.bits;
  co_await call.store(to, 4, {key});
  call.returns(0);
}

void remove(Call& call) {
  const auto key = static_cast<uint32_t>(call.number(0));
  call.returns(call.context.process.keys.erase(key) ? 0 : errno_value::kInvalid);
}

void set(Call& call) {
  const auto key = static_cast<uint32_t>(call.number(0));
  if (!call.context.process.keys.count(key)) return call.returns(errno_value::kInvalid);
  const Value value = call.thread.specific[key] = call.argument(1);
  const uint64_t mixed = (value.bits ^ (uint64_t{value.term} << 40)) * 0x9E3779B97F4A7C15ull;
  call.thread.sites[kKeySites + (key & 0xffff) + (key >> 16) * 0x101] = static_cast<uint32_t>(mixed >> 32);
  call.returns(0);
}

void get(Call& call) {
  const auto found = call.thread.specific.find(static_cast<uint32_t>(call.number(0)));
  call.returns(found == call.thread.specific.end() ? Value{} : found->second, call.pointerBits());
}

constexpr ModelledCall kModels[] = {
    {"pthread_key_create", nullptr, create},
    {"pthread_key_delete", remove, nullptr},
    {"pthread_setspecific", set, nullptr},
    {"pthread_getspecific", get, nullptr},
    {"tss_create", nullptr, create},
    {"tss_delete", remove, nullptr},
    {"tss_set", set, nullptr},
    {"tss_get", get, nullptr},
};

/// The model of the library's function that is there, such as free; null for the program's own.
const ModelledCall* libraryFunction(const ModelContext& e, uint64_t address) {
  const FunctionId function = e.memory.functionAt(address);
  if (function == kNone || e.program.functions[function].defined) return nullptr;
  return findModel(e.program.functionName(function));
}

}  // namespace
}  // namespace keys_calls

Task<bool> runDestructors(Call& call) {
  ModelContext& e = call.context;
  Thread& t = call.thread;
  for (int round = 0; round < keys_calls::kRounds; ++round) {
    bool ran = false;
    // A copy: while a destructor runs, other threads may make keys.
    const std::map<uint32_t, uint64_t> keys = e.process.keys;
    for (const auto& [key, destructor] : keys) {
      const auto found = t.specific.find(key);
      if (found == t.specific.end() || destructor == 0) continue;
      const Value value = found->second;
      if (!e.branch(t, notEqual(e.terms, value, {0}, call.pointerBits()), BranchRole::Branch, -1)) continue;
      found->second = {};
      ran = true;
      std::vector<Value> arguments{value};
      if (const ModelledCall* model = keys_calls::libraryFunction(e, destructor)) {
        const std::string name = model->name;
        Call inner{call.execution, e, t, name, std::move(arguments), 0, 0, {}};
        if (model->plain)
          model->plain(inner);
        else
          co_await model->task(inner);
      } else {
        const FunctionId function = call.functionAt({destructor});
        if (function == kNone) co_return false;
        co_await call.invoke(function, std::move(arguments));
      }
      if (e.ended || t.stopped) co_return false;
    }
    if (!ran) break;
  }
  co_return true;
}

std::span<const ModelledCall> keyModels() {
  return keys_calls::kModels;
}

}  // namespace heddle
