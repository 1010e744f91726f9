// Time: clocks are inputs, waiting takes no time, calendar arithmetic is done on the value of this execution.
#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>

#include "analysis/interp/core/call.h"
#include "analysis/interp/core/errno_value.h"
#include "analysis/interp/values/float_terms.h"

namespace heddle {

namespace time_calls {
namespace {

/// A thread that sleeps may go on at any later moment, like any thread.
void pass(Call& call) {
  call.returns(0);
}

Task<bool> put(Call& call, const Value& address, uint64_t offset, unsigned bytes, Value value) {
  Target to;
  const Value at = binaryValue(call.context.terms, TermOp::Add, address, {offset}, call.pointerBits());
  if (!co_await call.resolve(at, bytes, true, to)) co_return false;
  co_await call.store(to, bytes, value);
  co_return true;
}

/// An input below `limit`.
std::optional<Value> below(Call& call, uint64_t limit, unsigned width, const std::string& label) {
  ModelContext& e = call.context;
  const Value value = call.input(32, false, width, label);
  const Value fits = binaryValue(e.terms, TermOp::Ult, value, {limit}, width);
  if (e.branch(call.thread, fits, BranchRole::Assume, -1)) return value;
  e.stop(call.thread);
  return std::nullopt;
}

/// Seconds of a clock that programs may count with: at least one since any start, at most until the year
/// 2100. Nothing: return at once.
std::optional<Value> clockSeconds(Call& call, const std::string& label) {
  constexpr uint64_t kUntil = 4'102'444'800, kUntil32 = 1ull << 31;  // what a time_t of 32 bits holds
  const unsigned bits = call.pointerBits();
  ModelContext& e = call.context;
  const Value less = call.input(bits, true, bits, label + " - 1");
  e.assume(e.place(call.thread), "clocks show a time behind their start, and none behind the year 2100");
  const Value fits = binaryValue(e.terms, TermOp::Ult, less, {(bits == 32 ? kUntil32 : kUntil) - 1}, bits);
  if (e.branch(call.thread, fits, BranchRole::Assume, -1))
    return binaryValue(e.terms, TermOp::Add, less, {1}, bits);
  e.stop(call.thread);
  return std::nullopt;
}

Task<> seconds(Call& call) {
  const unsigned bits = call.pointerBits();
  const Value where = call.argument(0);
  call.context.choose(call.thread, where);
  const auto now = clockSeconds(call, call.name);
  if (!now) co_return;
  if (where.bits != 0 && !co_await put(call, where, 0, bits / 8, *now)) co_return;
  call.returns(*now, bits);
}

/// CLOCK_MONOTONIC and its kin, by their numbers on Linux.
bool isMonotonic(const Value& clock) {
  constexpr std::array<uint64_t, 4> kMonotonic = {1, 4, 6, 7};  // also _RAW, _COARSE, CLOCK_BOOTTIME
  return clock.term == kNoTerm && std::ranges::find(kMonotonic, clock.bits) != kMonotonic.end();
}

/// gettimeofday, clock_gettime, clock_getres, timespec_get: two words, the second a fraction.
Task<> moment(Call& call) {
  const bool ofDay = call.name == "gettimeofday", c11 = call.name == "timespec_get";
  const unsigned bits = call.pointerBits();
  const Value where = call.argument(ofDay || c11 ? 0 : 1);
  call.context.choose(call.thread, where);
  if (where.bits == 0) co_return call.returns(0);
  auto whole = clockSeconds(call, call.name + " seconds");
  if (!whole) co_return;
  // How exact a clock is, is less than a second.
  if (call.name == "clock_getres") whole = Value{};
  const auto fraction = below(call, ofDay ? 1'000'000 : 1'000'000'000, bits, call.name + " fraction");
  if (!fraction) co_return;
  if (call.name == "clock_gettime" && isMonotonic(call.argument(0))) {
    std::vector<UsedInput>& inputs = call.context.result.inputs;
    for (size_t i = inputs.size() - 2; i < inputs.size(); ++i) inputs[i].isMonotonic = true;
  }
  if (!co_await put(call, where, 0, bits / 8, *whole)) co_return;
  if (!co_await put(call, where, bits / 8, bits / 8, *fraction)) co_return;
  call.returns(c11 ? 1 : 0);
}

/// The nine ints of a struct tm, and what glibc has after them.
void fields(const std::tm& from, int (&out)[9]) {
  const int all[9] = {from.tm_sec,  from.tm_min,  from.tm_hour, from.tm_mday, from.tm_mon,
                      from.tm_year, from.tm_wday, from.tm_yday, from.tm_isdst};
  std::memcpy(out, all, sizeof all);
}

Task<std::optional<std::tm>> readFields(Call& call, const Value& address) {
  int values[9] = {};
  Target from;
  if (!co_await call.resolve(address, 36, false, from)) co_return std::nullopt;
  for (unsigned i = 0; i < 9; ++i) {
    const Value value =
        call.context.settled(call.thread, co_await call.load({from.object, from.offset + 4 * i}, 4));
    values[i] = static_cast<int>(signExtend(value.bits, 32));
  }
  std::tm out{};
  out.tm_sec = values[0];
  out.tm_min = values[1];
  out.tm_hour = values[2];
  out.tm_mday = values[3];
  out.tm_mon = values[4];
  out.tm_year = values[5];
  out.tm_wday = values[6];
  out.tm_yday = values[7];
  out.tm_isdst = values[8];
  co_return out;
}

void assumeUtc(Call& call) {
  call.context.assume(call.context.place(call.thread), "calendar time is UTC");
  call.context.takeFromThisExecution(call.context.place(call.thread), "calendar time");
}

/// Of a clock, or another input: the years of four digits that programs have room for. False: return at once.
bool assumeOrdinary(Call& call, const Value& time) {
  constexpr uint64_t kFrom = 946'684'800, kSeconds = 3'155'760'000;  // 2000-01-01; 100 years
  if (time.term == kNoTerm) return true;
  ModelContext& e = call.context;
  e.assume(e.place(call.thread), "the clock is between the years 2000 and 2100");
  const unsigned bits = call.pointerBits();
  const Value since = binaryValue(e.terms, TermOp::Sub, time, {kFrom}, bits);
  const Value fits = binaryValue(e.terms, TermOp::Ult, since, {kSeconds}, bits);
  if (e.branch(call.thread, fits, BranchRole::Assume, -1)) return true;
  e.stop(call.thread);
  return false;
}

/// gmtime and localtime: into the program's structure, or into the library's one.
Task<> calendar(Call& call) {
  ModelContext& e = call.context;
  const unsigned size = call.pointerBits() / 8;
  Target from;
  if (!co_await call.resolve(call.argument(0), size, false, from)) co_return;
  const Value given = e.settled(call.thread, co_await call.load(from, size));
  if (!assumeOrdinary(call, given)) co_return;
  assumeUtc(call);
  const auto time = static_cast<std::time_t>(signExtend(given.bits, size * 8));
  std::tm broken{};
  if (!gmtime_r(&time, &broken)) co_return call.returns(0);
  Value where = call.argument(1);
  if (!call.name.ends_with("_r")) {
    MemoryObject* own = e.memory.create({ObjectKind::Library, kNone, 9, 0, 64});
    if (!own || !e.memory.touch(*own)) co_return e.unsupported(call.thread, "the address space is used up");
    where = {own->base};
  }
  int values[9];
  fields(broken, values);
  for (unsigned i = 0; i < 9; ++i)
    if (!co_await put(call, where, 4 * i, 4, {static_cast<uint32_t>(values[i])})) co_return;
  call.result = where;
}

Task<> toSeconds(Call& call) {
  auto broken = co_await readFields(call, call.argument(0));
  if (!broken) co_return;
  assumeUtc(call);
  const std::time_t time = timegm(&*broken);
  call.returns(static_cast<uint64_t>(time) & widthMask(call.pointerBits()));
}

Task<> format(Call& call) {
  const uint64_t room = call.number(1);
  const auto pattern = co_await call.readText(call.argument(2));
  if (!pattern) co_return;
  const auto broken = co_await readFields(call, call.argument(3));
  if (!broken) co_return;
  assumeUtc(call);
  std::string text(4096, 0);
  text.resize(std::strftime(text.data(), text.size(), pattern->c_str(), &*broken));
  if (text.size() + 1 > room) co_return call.returns(0);
  std::vector<Value> bytes;
  for (const char c : text) bytes.push_back({static_cast<unsigned char>(c)});
  bytes.push_back({0});
  if (!co_await call.writeBytes(call.argument(0), std::move(bytes))) co_return;
  call.returns(text.size());
}

/// ctime and asctime: a text of 26 bytes that the library owns.
Task<> text(Call& call) {
  ModelContext& e = call.context;
  std::tm broken{};
  if (call.name.starts_with("ctime")) {
    const unsigned size = call.pointerBits() / 8;
    Target from;
    if (!co_await call.resolve(call.argument(0), size, false, from)) co_return;
    const Value given = e.settled(call.thread, co_await call.load(from, size));
    if (!assumeOrdinary(call, given)) co_return;
    const auto time = static_cast<std::time_t>(signExtend(given.bits, size * 8));
    gmtime_r(&time, &broken);
  } else {
    const auto read = co_await readFields(call, call.argument(0));
    if (!read) co_return;
    broken = *read;
  }
  assumeUtc(call);
  char made[64] = {};
  const size_t length = std::strftime(made, sizeof made, "%a %b %e %H:%M:%S %Y\n", &broken);
  Value where = call.argument(1);
  if (!call.name.ends_with("_r")) {
    MemoryObject* own = e.memory.create({ObjectKind::Library, kNone, 10, 0, 64});
    if (!own || !e.memory.touch(*own)) co_return e.unsupported(call.thread, "the address space is used up");
    where = {own->base};
  }
  std::vector<Value> bytes;
  for (size_t i = 0; i <= length; ++i) bytes.push_back({static_cast<unsigned char>(made[i])});
  if (!co_await call.writeBytes(where, std::move(bytes))) co_return;
  call.result = where;
}

void difference(Call& call) {
  const unsigned bits = call.pointerBits();
  ModelContext& e = call.context;
  const Value seconds = binaryValue(e.terms, TermOp::Sub, call.argument(0), call.argument(1), bits);
  const FloatTerm exact =
      seconds.term ? floatTerm(e.terms, FloatOp::FromSigned, seconds, 64, bits) : FloatTerm();
  if (exact.isKnown && e.branch(call.thread, exact.fits, BranchRole::Branch, -1)) {
    call.result = exact.value;
    return;
  }
  if (seconds.term) e.takeFromThisExecution(e.place(call.thread), "floating-point value");
  call.result = {floatValue(FloatOp::FromSigned, seconds.bits, 0, 0, 64, bits)};
}

void clockTicks(Call& call) {
  call.returnsInput();
}

constexpr ModelledCall kModels[] = {
    {"sleep", pass, nullptr},          {"usleep", pass, nullptr},
    {"nanosleep", pass, nullptr},      {"clock_nanosleep", pass, nullptr},
    {"tzset", pass, nullptr},          {"time", nullptr, seconds},
    {"gettimeofday", nullptr, moment}, {"clock_gettime", nullptr, moment},
    {"clock_getres", nullptr, moment}, {"timespec_get", nullptr, moment},
    {"gmtime", nullptr, calendar},     {"localtime", nullptr, calendar},
    {"gmtime_r", nullptr, calendar},   {"localtime_r", nullptr, calendar},
    {"mktime", nullptr, toSeconds},    {"timegm", nullptr, toSeconds},
    {"strftime", nullptr, format},     {"ctime", nullptr, text},
    {"ctime_r", nullptr, text},        {"asctime", nullptr, text},
    {"asctime_r", nullptr, text},      {"difftime", difference, nullptr},
    {"clock", clockTicks, nullptr},    {"llvm.readcyclecounter", clockTicks, nullptr},
};

}  // namespace
}  // namespace time_calls

namespace time_calls {
namespace {
bool invalidTime(Call& call) {
  const bool isC11 = call.name.starts_with("cnd_") || call.name.starts_with("mtx_");
  const bool setsErrno = call.name.starts_with("sem_");
  if (setsErrno) call.setErrno(errno_value::kInvalid);
  call.returns(setsErrno ? ~0ull : isC11 ? 2 : errno_value::kInvalid);
  return false;
}
}  // namespace
}  // namespace time_calls

bool checkClock(Call& call) {
  constexpr uint64_t kClocks = 2;  // CLOCK_REALTIME, CLOCK_MONOTONIC
  if (call.name.find("clock") == std::string::npos || call.number(call.arguments.size() - 2) < kClocks)
    return true;
  return time_calls::invalidTime(call);
}

Task<bool> checkDeadline(Call& call) {
  if (call.name.starts_with("g_") || call.name.starts_with("uv_"))
    co_return true;                                 // a number, and any will do
  constexpr uint64_t kNanoseconds = 1'000'000'000;  // a second
  ModelContext& e = call.context;
  const size_t last = call.arguments.size() - 1;
  if (!checkClock(call)) co_return false;
  const unsigned size = call.pointerBits() / 8;
  const Value fraction = binaryValue(e.terms, TermOp::Add, call.argument(last), {size}, call.pointerBits());
  Target at;
  if (!co_await call.resolve(fraction, size, false, at)) co_return false;
  const Value read = co_await call.load(at, size);
  if (e.ended) co_return false;
  const Value nanoseconds = e.settled(call.thread, read);
  const Value below = binaryValue(e.terms, TermOp::Ult, nanoseconds, {kNanoseconds}, call.pointerBits());
  co_return e.branch(call.thread, below, BranchRole::Branch, -1) || time_calls::invalidTime(call);
}

std::span<const ModelledCall> timeModels() {
  return time_calls::kModels;
}

}  // namespace heddle
