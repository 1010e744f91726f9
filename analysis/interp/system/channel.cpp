// Descriptors through which the threads of one process talk to each other: pipes, pairs of sockets, eventfd.
//
// A direction of a pipe is a buffer that holds all that ever goes through it, and a cell with how much was
// written and read and which ends are closed; an eventfd is a cell alone. Reads wait as for a semaphore. The
// buffer is as large as a page, and a thread that would write more is cut there, as a named bound; so no
// write waits. Whoever has taken bytes is the only one to read them, so only writing is an atomic section.
#include <algorithm>

#include "analysis/interp/core/call.h"
#include "analysis/interp/core/errno_value.h"

namespace heddle {

namespace channel_calls {
namespace {

constexpr uint64_t kCapacity = Program::kChannelBytes;    // through one direction in a run
constexpr uint64_t kNonBlocking = 04000, kSemaphore = 1;  // O_NONBLOCK, EFD_SEMAPHORE
// Numbers that a set of descriptors can hold, far above those of files.
constexpr uint64_t kFirst = 512, kPerThread = 16, kLast = 1023;
// Entries of Thread::sites that stand for no instruction: how many descriptors and buffers it has made.
constexpr uint32_t kDescriptorSite = 0xa0000000, kBufferSite = 0xa0000001;

// The cell of a direction.
constexpr unsigned kPositionBits = 14, kTakenAt = 0, kPutAt = 14, kNoWriterAt = 28, kNoReaderAt = 29;

Term field(TermTable& terms, Term state, unsigned low, unsigned width) {
  return terms.extract(state, low, width);
}
Term isSet(TermTable& terms, Term state, unsigned at) {
  return field(terms, state, at, 1);
}
Term waiting(TermTable& terms, Term state) {
  const Term put = field(terms, state, kPutAt, kPositionBits),
             taken = field(terms, state, kTakenAt, kPositionBits);
  return terms.zext(terms.binary(TermOp::Sub, put, taken), kSyncBits);
}
Term least(TermTable& terms, Term a, Term b) {
  return terms.ite(terms.binary(TermOp::Ule, a, b), a, b);
}
Term readable(TermTable& terms, Term state, Term) {
  const Term isEmpty = terms.eq(waiting(terms, state), terms.constant(0, kSyncBits));
  const Term isClosed =
      terms.ite(isSet(terms, state, kNoWriterAt), terms.boolean(true), isSet(terms, state, kNoReaderAt));
  return terms.ite(isEmpty, isClosed, terms.boolean(true));
}
Term take(TermTable& terms, Term state, Term wanted) {
  return terms.binary(TermOp::Add, state, least(terms, waiting(terms, state), wanted));
}
Term put(TermTable& terms, Term state, Term size) {
  const Term more = terms.binary(TermOp::Mul, size, terms.constant(1u << kPutAt, kSyncBits));
  const Term isRefused =
      terms.ite(isSet(terms, state, kNoWriterAt), terms.boolean(true), isSet(terms, state, kNoReaderAt));
  return terms.ite(isRefused, state, terms.binary(TermOp::Add, state, more));
}
Term close(TermTable& terms, Term state, unsigned at) {
  const Term closed = terms.binary(TermOp::Add, state, terms.constant(1u << at, kSyncBits));
  return terms.ite(isSet(terms, state, at), state, closed);
}
Term closeWriter(TermTable& terms, Term state, Term) {
  return close(terms, state, kNoWriterAt);
}
Term closeReader(TermTable& terms, Term state, Term) {
  return close(terms, state, kNoReaderAt);
}
Term positive(TermTable& terms, Term count, Term) {
  return terms.logicalNot(terms.eq(count, terms.constant(0, kSyncBits)));
}
Term reset(TermTable& terms, Term, Term) {
  return terms.constant(0, kSyncBits);
}
Term countDown(TermTable& terms, Term count, Term) {
  const Term zero = terms.constant(0, kSyncBits);
  return terms.ite(terms.eq(count, zero), zero,
                   terms.binary(TermOp::Sub, count, terms.constant(1, kSyncBits)));
}
Term add(TermTable& terms, Term count, Term more) {
  return terms.binary(TermOp::Add, count, more);
}

constexpr SyncRule kTake{readable, take, "read", "input of"};
constexpr SyncRule kTryTake{nullptr, take, "read", "input of", true};
constexpr SyncRule kPut{nullptr, put, "write", "input of"};
constexpr SyncRule kCloseWriter{nullptr, closeWriter, "close", "input of"};
constexpr SyncRule kCloseReader{nullptr, closeReader, "close", "input of"};
constexpr SyncRule kReset{positive, reset, "read", "input of"};
constexpr SyncRule kTryReset{nullptr, reset, "read", "input of", true};
constexpr SyncRule kCountDown{positive, countDown, "read", "input of"};
constexpr SyncRule kTryCountDown{nullptr, countDown, "read", "input of", true};
constexpr SyncRule kAdd{nullptr, add, "write", "input of"};
constexpr SyncRule kLook{nullptr, nullptr, "poll", "input of"};

void fail(Call& call, uint64_t error) {
  call.setErrno(error);
  call.returns(widthMask(64));
}

constexpr const char* kBlockingChanged = "whether a pipe blocks changed beside other threads";

/// A new buffer, or null after the run ended.
MemoryObject* newBuffer(Call& call) {
  ModelContext& e = call.context;
  Thread& t = call.thread;
  const ObjectName name = Program::channelBuffer(t.id, t.pc, t.sites[kBufferSite]++);
  MemoryObject* buffer = e.memory.create(name);
  if (buffer && e.memory.touch(*buffer) && e.syncObject({buffer, 0})) return buffer;
  e.unsupported(t, "the address space is used up");
  return nullptr;
}

/// The number of a new descriptor; nothing after the run ended. It does not depend on the schedule.
std::optional<uint64_t> newDescriptor(Call& call, const Descriptor& descriptor) {
  ModelContext& e = call.context;
  Thread& t = call.thread;
  const uint32_t ordinal = t.sites[kDescriptorSite]++;
  const uint64_t number = kFirst + t.id * kPerThread + ordinal;
  if (ordinal >= kPerThread || number > kLast) {
    e.unsupported(t, "more than " + std::to_string(kPerThread) + " descriptors of pipes made by a thread");
    return std::nullopt;
  }
  Descriptor& made = e.process.descriptors[number] = descriptor;
  made.maker = t.id;
  return number;
}

/// pipe, pipe2 and socketpair: two descriptors to where argument `at` points.
Task<> makePair(Call& call, size_t at, uint64_t flags, bool bothWays) {
  Target to;
  if (!co_await call.resolve(call.argument(at), 8, true, to)) co_return;
  MemoryObject* forth = newBuffer(call);
  MemoryObject* back = forth && bothWays ? newBuffer(call) : nullptr;
  if (!forth || (bothWays && !back)) co_return;
  const bool nonBlocking = (flags & kNonBlocking) != 0;
  const auto first = newDescriptor(call, {forth, back, nonBlocking});
  if (!first) co_return;
  const auto second = newDescriptor(call, {back, forth, nonBlocking});
  if (!second) co_return;
  co_await call.store(to, 4, {*first});
  to.offset += 4;
  co_await call.store(to, 4, {*second});
  call.returns(0);
}

Task<> pipe(Call& call) {
  const uint64_t flags = call.name == "pipe2" ? call.number(1) : 0;
  return makePair(call, 0, flags, false);
}

Task<> socketPair(Call& call) {
  constexpr uint64_t kStream = 1;  // SOCK_STREAM
  const uint64_t type = call.number(1);
  if ((type & 0xf) != kStream) {
    call.context.unsupported(call.thread, "a socketpair that is no stream");
    co_return;
  }
  co_await makePair(call, 3, type, true);
}

void eventDescriptor(Call& call) {
  ModelContext& e = call.context;
  const uint64_t flags = call.number(1);
  MemoryObject* buffer = newBuffer(call);
  if (!buffer) return;
  e.memory.write(*e.syncObject({buffer, 0})->state, 0, 4, {call.number(0)});
  const auto number =
      newDescriptor(call, {buffer, buffer, (flags & kNonBlocking) != 0, true, (flags & kSemaphore) != 0});
  if (number) call.returns(*number);
}

Value part(Call& call, const Value& state, unsigned low, unsigned width) {
  return extracted(call.context.terms, state, low, width, kSyncBits);
}

bool isSet(Call& call, const Value& state, unsigned at) {
  return call.context.branch(call.thread, part(call, state, at, 1), BranchRole::Branch, -1);
}

void describe(Call& call, const RuleAwaiter& done, const std::string& text) {
  if (done.asEvent)
    call.context.describe(call.thread, text + " descriptor " + std::to_string(call.number(0)));
}

Task<> readCount(Call& call, const Descriptor& from, const Target& to) {
  ModelContext& e = call.context;
  const SyncRule& waits = from.isSemaphore ? kCountDown : kReset;
  const SyncRule& tries = from.isSemaphore ? kTryCountDown : kTryReset;
  RuleAwaiter taken = call.apply(from.isNonBlocking ? tries : waits, *e.syncObject({from.reads, 0}));
  taken.timed = mayBeCancelled(call);
  Value old = co_await taken;
  if (e.ended) co_return;
  describe(call, taken, "read");
  if (from.isNonBlocking) {
    const Value isThere = notEqual(e.terms, old, {0}, kSyncBits);
    e.noteEffect(call.thread, isThere);
    if (!(isThere.bits & 1)) co_return fail(call, errno_value::kAgain);
  }
  if (from.isSemaphore) old = {1};
  co_await call.store(to, 8, zeroExtended(e.terms, old, kSyncBits, 64));
  call.returns(8);
}

Task<> readBytes(Call& call, const Descriptor& from, const Target& to, uint64_t size) {
  ModelContext& e = call.context;
  RuleAwaiter taking =
      call.apply(from.isNonBlocking ? kTryTake : kTake, *e.syncObject({from.reads, 0}), {size});
  taking.timed = mayBeCancelled(call);
  const Value old = co_await taking;
  if (e.ended) co_return;
  describe(call, taking, "read");
  if (isSet(call, old, kNoReaderAt)) co_return fail(call, errno_value::kBadDescriptor);
  const Value position = part(call, old, kTakenAt, kPositionBits);
  e.choose(call.thread, position);
  const Value there = binaryValue(e.terms, TermOp::Sub, part(call, old, kPutAt, kPositionBits),
                                  {position.bits}, kPositionBits);
  const Value isEnough = binaryValue(e.terms, TermOp::Ule, {size}, there, kPositionBits);
  uint64_t count = size;
  if (!e.branch(call.thread, isEnough, BranchRole::Branch, -1)) {
    e.choose(call.thread, there);
    count = there.bits;
  }
  if (count == 0) {
    if (from.isNonBlocking && !isSet(call, old, kNoWriterAt)) co_return fail(call, errno_value::kAgain);
    co_return call.returns(0);
  }
  e.hasEffect(call.thread);
  const Target bytes{from.reads, position.bits};
  auto chunks = co_await call.readBlock(bytes, count);
  if (!chunks) co_return;
  co_await call.writeBlock(to, std::move(*chunks));
  call.returns(count);
}

Task<> writeBytes(Call& call, const Descriptor& to, Call::Chunks chunks, uint64_t size) {
  ModelContext& e = call.context;
  e.beginSection(call.thread);
  RuleAwaiter putting = call.apply(kPut, *e.syncObject({to.writes, 0}), {size});
  const Value old = co_await putting;
  if (e.ended) co_return;
  describe(call, putting, "write");
  const bool isClosed = isSet(call, old, kNoWriterAt);
  if (!isClosed && isSet(call, old, kNoReaderAt)) {
    e.unsupported(call.thread, "a write to a pipe that nobody can read (SIGPIPE)");
    co_return;
  }
  const Value position = part(call, old, kPutAt, kPositionBits);
  if (!isClosed) e.choose(call.thread, position);
  if (!isClosed && position.bits + size > kCapacity) {
    e.bound(call.thread, {BoundKind::PipeBytes, e.place(call.thread), kCapacity});
    co_return;
  }
  const Target bytes{to.writes, position.bits};
  if (!isClosed) co_await call.writeBlock(bytes, std::move(chunks));
  if (e.ended) co_return;
  e.endSection(call.thread);
  if (isClosed) co_return fail(call, errno_value::kBadDescriptor);
  call.returns(size);
}

}  // namespace
}  // namespace channel_calls

Descriptor* channel(Call& call) {
  ModelContext& e = call.context;
  if (e.process.descriptors.empty()) return nullptr;
  const auto found = e.process.descriptors.find(call.number(0) & widthMask(32));
  if (found == e.process.descriptors.end()) return nullptr;
  Descriptor& used = found->second;
  // That is no step of a schedule, so nobody else may see it.
  if (used.maker != call.thread.id && used.isSet) e.unsupported(call.thread, channel_calls::kBlockingChanged);
  used.isShared |= used.maker != call.thread.id;
  return &used;
}

Task<> readChannel(Call& call, Descriptor from) {
  ModelContext& e = call.context;
  const uint64_t size = std::min(call.number(2), channel_calls::kCapacity);
  if (!from.reads) co_return channel_calls::fail(call, errno_value::kBadDescriptor);
  Target to;
  if (!co_await call.resolve(call.argument(1), size, true, to)) co_return;
  if (from.isCount && size < 8) co_return channel_calls::fail(call, errno_value::kInvalid);
  if (size == 0) co_return call.returns(0);
  if (co_await cancelledInWait(call)) co_return co_await endCancelled(call);
  if (e.ended) co_return;
  if (from.isCount) co_return co_await channel_calls::readCount(call, from, to);
  co_await channel_calls::readBytes(call, from, to, size);
}

Task<> writeChannel(Call& call, Descriptor to) {
  ModelContext& e = call.context;
  const uint64_t size = call.number(2);
  if (!to.writes) co_return channel_calls::fail(call, errno_value::kBadDescriptor);
  Target from;
  if (!co_await call.resolve(call.argument(1), size, false, from)) co_return;
  if (to.isCount && size < 8) co_return channel_calls::fail(call, errno_value::kInvalid);
  if (size == 0) co_return call.returns(0);
  if (to.isCount) {
    const Value more = e.settled(call.thread, co_await call.load(from, 8));
    RuleAwaiter adding =
        call.apply(channel_calls::kAdd, *e.syncObject({to.writes, 0}), truncated(e.terms, more, kSyncBits));
    co_await adding;
    if (e.ended) co_return;
    channel_calls::describe(call, adding, "write");
    co_return call.returns(8);
  }
  if (size > channel_calls::kCapacity) {
    e.bound(call.thread, {BoundKind::PipeBytes, e.place(call.thread), channel_calls::kCapacity});
    co_return;
  }
  auto chunks = co_await call.readBlock(from, size);
  if (!chunks) co_return;
  co_await channel_calls::writeBytes(call, to, std::move(*chunks), size);
}

Task<> closeChannel(Call& call, Descriptor closed) {
  ModelContext& e = call.context;
  call.returns(0);
  if (closed.isCount) co_return;
  if (closed.reads) {
    RuleAwaiter ending = call.apply(channel_calls::kCloseReader, *e.syncObject({closed.reads, 0}));
    co_await ending;
    if (e.ended) co_return;
    channel_calls::describe(call, ending, "close");
  }
  if (closed.writes) {
    RuleAwaiter ending = call.apply(channel_calls::kCloseWriter, *e.syncObject({closed.writes, 0}));
    co_await ending;
    if (!e.ended) channel_calls::describe(call, ending, "close");
  }
}

namespace channel_calls {
namespace {

/// fcntl: of these descriptors whether they block, which must be settled before there are threads, or is a
/// matter of the thread that has made them alone.
void control(Call& call) {
  constexpr uint64_t kGetFlags = 3, kSetFlags = 4;  // F_GETFL, F_SETFL
  ModelContext& e = call.context;
  Descriptor* descriptor = channel(call);
  const uint64_t what = call.number(1);
  if (!descriptor) {
    if (call.resultWidth) call.returnsInput();
    return;
  }
  call.returns(0);
  if (what == kGetFlags) return call.returns(descriptor->isNonBlocking ? kNonBlocking : 0);
  if (what != kSetFlags) return;
  const bool isNonBlocking = (call.number(2) & kNonBlocking) != 0;
  if (isNonBlocking == descriptor->isNonBlocking) return;
  if (!e.prologue && descriptor->isShared) return e.unsupported(call.thread, kBlockingChanged);
  descriptor->isSet |= !e.prologue;
  descriptor->isNonBlocking = isNonBlocking;
}

/// One end at this moment, as bits of poll.
Task<uint64_t> lookAt(Call& call, MemoryObject* end, bool isCount, bool isReader) {
  constexpr uint64_t kIn = 1, kOut = 4, kError = 8, kHangUp = 16, kInvalid = 32;  // POLLIN, POLLOUT, …
  ModelContext& e = call.context;
  RuleAwaiter looking = call.apply(kLook, *e.syncObject({end, 0}));
  const Value state = co_await looking;
  if (e.ended) co_return 0;
  describe(call, looking, "poll");
  const auto is = [&](const Value& value, unsigned width) {
    return e.branch(call.thread, notEqual(e.terms, value, {0}, width), BranchRole::Branch, -1);
  };
  if (isCount) co_return (is(state, kSyncBits) ? kIn : 0) | kOut;
  const bool noWriter = is(part(call, state, kNoWriterAt, 1), 1),
             noReader = is(part(call, state, kNoReaderAt, 1), 1);
  if (isReader ? noReader : noWriter) co_return kInvalid;
  if (!isReader) co_return noReader ? kOut | kError : kOut;
  const Value waits = binaryValue(e.terms, TermOp::Sub, part(call, state, kPutAt, kPositionBits),
                                  part(call, state, kTakenAt, kPositionBits), kPositionBits);
  co_return (is(waits, kPositionBits) ? kIn : 0) | (noWriter ? kHangUp : 0);
}

/// heddle_ready(descriptor): what poll says of a pipe or the like of the program at this moment, all that it
/// may ask for; -1 for other descriptors. For the model of poll.
Task<> ready(Call& call) {
  ModelContext& e = call.context;
  const Descriptor* found = channel(call);
  if (!found) co_return call.returns(widthMask(32));
  const Descriptor of = *found;
  uint64_t is = 0;
  if (of.reads) {
    const uint64_t told = co_await lookAt(call, of.reads, of.isCount, true);
    if (e.ended) co_return;
    is |= told;
  }
  if (of.writes && !of.isCount) {
    const uint64_t told = co_await lookAt(call, of.writes, false, false);
    if (e.ended) co_return;
    is |= told;
  }
  call.returns(is);
}

constexpr ModelledCall kModels[] = {
    {"heddle_ready", nullptr, ready},
    {"pipe", nullptr, pipe},
    {"pipe2", nullptr, pipe},
    {"socketpair", nullptr, socketPair},
    {"eventfd", eventDescriptor, nullptr},
    {"fcntl", control, nullptr},
    {"fcntl64", control, nullptr},
};

}  // namespace
}  // namespace channel_calls

std::span<const ModelledCall> channelModels() {
  return channel_calls::kModels;
}

}  // namespace heddle
