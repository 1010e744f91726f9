// What the host tells: the status of files, addresses as text, on which processors threads run and how they
// are called, and signals that are waited for.
#include <algorithm>
#include <string_view>

#include "analysis/interp/core/call.h"
#include "analysis/interp/core/errno_value.h"

namespace heddle {

namespace host_calls {
namespace {

/// stat and its kin, as the 64-bit target lays the structure out: mode and size are inputs, the rest is 0.
Task<> fileStatus(Call& call) {
  constexpr uint64_t kSize = 144, kModeAt = 24, kLengthAt = 48;  // bytes
  ModelContext& e = call.context;
  if (call.pointerBits() != 64)
    co_return e.unsupported(call.thread, "the status of a file for a 32-bit target");
  if (call.name != "fstat" && call.name != "fstat64") {
    const auto name = co_await call.readText(call.argument(0));
    if (!name) co_return;
  }
  Target to;
  if (!co_await call.resolve(call.argument(1), kSize, true, to)) co_return;
  call.returns(widthMask(32));
  if (!call.succeeds()) co_return call.setErrno(errno_value::kNoEntry);
  const Value length = call.input(64, true, 64, "size of the file");
  const Value fits = binaryValue(e.terms, TermOp::Sle, {0}, length, 64);
  if (!e.branch(call.thread, fits, BranchRole::Assume, -1)) co_return e.stop(call.thread);
  e.assume(e.place(call.thread), "of the status of a file all but its mode and size is 0");
  for (uint64_t at = 0; at < kSize; at += 8) {
    const Target word{to.object, to.offset + at};
    const Value mode = at == kModeAt ? call.input(32, false, 64, "mode of the file") : Value{};
    co_await call.store(word, 8, at == kLengthAt ? length : mode);
    if (e.ended) co_return;
  }
  call.returns(0);
}

/// uname: texts of a system that is known.
Task<> systemName(Call& call) {
  constexpr uint64_t kField = 65;  // bytes
  constexpr std::string_view kFields[] = {"Linux", "localhost", "6.1.0", "#1", "x86_64", "(none)"};
  std::vector<Value> bytes;
  for (const std::string_view field : kFields)
    for (uint64_t i = 0; i < kField; ++i)
      bytes.push_back({i < field.size() ? static_cast<unsigned char>(field[i]) : 0u});
  call.context.assume(call.context.place(call.thread), "the system is Linux 6.1.0 on 'localhost'");
  if (co_await call.writeBytes(call.argument(0), std::move(bytes))) call.returns(0);
}

/// Each thread has its own text.
void addressText(Call& call) {
  constexpr std::string_view kText = "0.0.0.0";
  ModelContext& e = call.context;
  MemoryObject* text = e.memory.create({ObjectKind::Library, call.thread.id, 13, 0, kText.size() + 1});
  if (!text || !e.memory.touch(*text)) return e.unsupported(call.thread, "the address space is used up");
  for (size_t i = 0; i < kText.size(); ++i)
    e.memory.write(*text, i, 1, {static_cast<unsigned char>(kText[i])});
  e.assume(e.place(call.thread), "an address is printed as 0.0.0.0");
  call.returns(text->base);
}

/// The set of processors: the first one.
Task<> affinity(Call& call) {
  const uint64_t size = std::min<uint64_t>(call.number(1), 128);
  call.context.assume(call.context.place(call.thread), "threads run on the first processor");
  std::vector<Value> bytes(size);
  if (size > 0) bytes[0] = {1};
  if (co_await call.writeBytes(call.argument(2), std::move(bytes))) call.returns(0);
}

Task<> threadName(Call& call) {
  constexpr std::string_view kName = "program";
  if (call.number(2) < 16) co_return call.returns(errno_value::kRange);
  call.context.assume(call.context.place(call.thread), "threads are called as the program");
  std::vector<Value> bytes;
  for (const char c : kName) bytes.push_back({static_cast<unsigned char>(c)});
  bytes.push_back({0});
  if (co_await call.writeBytes(call.argument(1), std::move(bytes))) call.returns(0);
}

/// One of the signals of the set, as an input: it comes from outside, at any time.
Task<> waitForSignal(Call& call) {
  ModelContext& e = call.context;
  const bool returnsIt = call.name != "sigwait";
  Target from;
  if (!co_await call.resolve(call.argument(0), 8, false, from)) co_return;
  const Value set = e.settled(call.thread, co_await call.load(from, 8));
  if (e.ended) co_return;
  if (returnsIt && call.number(1) != 0) co_return e.unsupported(call.thread, "what is told about a signal");
  const Value signal = call.input(32, true, 32, "signal");
  const Value before = binaryValue(e.terms, TermOp::Sub, signal, {1}, 32);
  const Value exists = binaryValue(e.terms, TermOp::Ule, before, {63}, 32);
  if (!e.branch(call.thread, exists, BranchRole::Assume, -1)) co_return e.stop(call.thread);
  const Value shifted = binaryValue(e.terms, TermOp::LShr, set, zeroExtended(e.terms, before, 32, 64), 64);
  if (!e.branch(call.thread, truncated(e.terms, shifted, 1), BranchRole::Assume, -1))
    co_return e.stop(call.thread);
  if (returnsIt) co_return call.returns(signal, 32);
  Target to;
  if (!co_await call.resolve(call.argument(1), 4, true, to)) co_return;
  co_await call.store(to, 4, signal);
  call.returns(0);
}

constexpr ModelledCall kModels[] = {
    {"stat", nullptr, fileStatus},
    {"stat64", nullptr, fileStatus},
    {"lstat", nullptr, fileStatus},
    {"lstat64", nullptr, fileStatus},
    {"fstat", nullptr, fileStatus},
    {"fstat64", nullptr, fileStatus},
    {"uname", nullptr, systemName},
    {"inet_ntoa", addressText, nullptr},
    {"pthread_getaffinity_np", nullptr, affinity},
    {"sched_getaffinity", nullptr, affinity},
    {"pthread_getname_np", nullptr, threadName},
    {"sigwait", nullptr, waitForSignal},
    {"sigwaitinfo", nullptr, waitForSignal},
};

}  // namespace
}  // namespace host_calls

std::span<const ModelledCall> hostModels() {
  return host_calls::kModels;
}

}  // namespace heddle
