// Sockets to other processes. Whether a call succeeds and what comes are inputs; what goes to others is not
// looked at, save that it must be there.
#include <algorithm>

#include "analysis/interp/core/call.h"
#include "analysis/interp/core/errno_value.h"

namespace heddle {

namespace socket_calls {
namespace {

constexpr uint64_t kAddress = 16;  // bytes of a struct sockaddr_in

/// -1 or a descriptor above those of the standard streams.
void makeDescriptor(Call& call) {
  call.returns(widthMask(32));
  if (!call.succeeds()) return call.setErrno(errno_value::kRefused);
  call.returns(3 + call.thread.sites[call.thread.pc]++);
}

void succeedOrFail(Call& call) {
  call.returns(0);
  if (call.resultWidth == 0 || call.succeeds()) return;
  call.setErrno(errno_value::kRefused);
  call.returns(widthMask(call.resultWidth));
}

/// bind, connect, setsockopt: what they are given must be there.
Task<> given(Call& call) {
  const size_t at = call.name == "setsockopt" ? 3 : 1;
  const uint64_t size = call.number(at + 1);
  Target from;
  if (size > 0 && call.number(at) != 0) {
    if (!co_await call.resolve(call.argument(at), size, false, from)) co_return;
    const auto chunks = co_await call.readBlock(from, size);
    if (!chunks) co_return;
  }
  succeedOrFail(call);
}

/// accept and its kin: who it is goes to where the second argument points, if it does.
Task<> accept(Call& call) {
  if (call.number(1) != 0 && call.number(2) != 0) {
    Target size, to;
    if (!co_await call.resolve(call.argument(2), 4, true, size)) co_return;
    const Value room = co_await call.load(size, 4);
    if (call.context.ended) co_return;
    call.context.choose(call.thread, room);
    const uint64_t count = std::min<uint64_t>(room.bits, kAddress);
    std::vector<Value> bytes;
    for (uint64_t i = 0; i < count; ++i) bytes.push_back(call.input(8, true, 8, "address"));
    if (!co_await call.writeBytes(call.argument(1), std::move(bytes))) co_return;
    co_await call.store(size, 4, {kAddress});
  }
  const bool isNew = call.name == "accept" || call.name == "accept4";
  if (isNew)
    makeDescriptor(call);
  else
    succeedOrFail(call);
}

constexpr ModelledCall kModels[] = {
    {"socket", makeDescriptor, nullptr},  {"listen", succeedOrFail, nullptr},
    {"shutdown", succeedOrFail, nullptr}, {"bind", nullptr, given},
    {"connect", nullptr, given},          {"setsockopt", nullptr, given},
    {"accept", nullptr, accept},          {"accept4", nullptr, accept},
    {"getpeername", nullptr, accept},     {"getsockname", nullptr, accept},
};

}  // namespace
}  // namespace socket_calls

std::span<const ModelledCall> socketModels() {
  return socket_calls::kModels;
}

}  // namespace heddle
