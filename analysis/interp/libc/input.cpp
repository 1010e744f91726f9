// What the program reads from outside: streams, descriptors, standard input. Whether a call succeeds and what
// it gives are inputs.
//
// A stream or descriptor has no content of its own: what is written is not read back. What is read from a
// file that the program has written is told apart, for the program knows it (UsedInput::isReadBack).
#include <algorithm>

#include "analysis/interp/core/call.h"
#include "analysis/interp/core/errno_value.h"

namespace heddle {

namespace input_calls {
namespace {

constexpr uint64_t kEndOfFile = 0xffffffff;
constexpr unsigned kLongest = 16;      // characters of a line or block that are inputs
constexpr uint64_t kMostOfItem = 256;  // bytes that are inputs of one item of a block

/// How many, as an input from 0 to `limit`; the value is settled by a choice.
std::optional<uint64_t> amount(Call& call, uint64_t limit, const std::string& label) {
  ModelContext& e = call.context;
  const Value given = call.input(32, false, 32, label);
  const Value fits = binaryValue(e.terms, TermOp::Ule, given, {std::min<uint64_t>(limit, 0x7fffffff)}, 32);
  if (!e.branch(call.thread, fits, BranchRole::Assume, -1)) {
    e.stop(call.thread);
    return std::nullopt;
  }
  e.choose(call.thread, given);
  return given.bits;
}

void assumeShort(Call& call) {
  call.context.assume(call.context.place(call.thread),
                      "what is read at once is at most " + std::to_string(kLongest) + " bytes");
}

std::vector<Value> freshBytes(Call& call, uint64_t count) {
  std::vector<Value> bytes;
  for (uint64_t i = 0; i < count; ++i) bytes.push_back(call.input(8, true, 8, call.name));
  return bytes;
}

/// A stream is the address of an object of the library.
void open(Call& call) {
  ModelContext& e = call.context;
  call.returns(0);
  if (!call.succeeds()) return call.setErrno(errno_value::kNoEntry);
  const MemoryObject* stream = e.newObject(call.thread, ObjectKind::Library, 12, 8);
  if (!stream) return e.unsupported(call.thread, "the address space is used up");
  call.returns(stream->base);
}

/// The stream that it has opened, if it has.
void noteFile(Call& call, const std::vector<Value>& name, const std::string& mode) {
  if (call.result.bits == 0 || call.name == "popen") return;
  std::string text;
  for (const Value& character : name) text += static_cast<char>(character.bits);
  Process& process = call.context.process;
  if (mode.find_first_of("wa+") != std::string::npos) process.writtenFiles.insert(text);
  process.fileNames[call.result.bits] = std::move(text);
}

/// Whether it is a stream of a file that the program has opened to write.
bool isReadBack(Call& call, size_t stream) {
  const Process& process = call.context.process;
  const auto named = process.fileNames.find(call.argument(stream).bits);
  return named != process.fileNames.end() && process.writtenFiles.contains(named->second);
}

/// The inputs behind the first `known` were read from such a stream, if this argument is one.
void noteReadBack(Call& call, size_t stream, size_t known) {
  if (!isReadBack(call, stream)) return;
  std::vector<UsedInput>& inputs = call.context.result.inputs;
  for (size_t i = known; i < inputs.size(); ++i) inputs[i].isReadBack = true;
}

/// Reads the names that fopen is given, so that a bad pointer is found.
Task<> openNamed(Call& call) {
  const auto name = co_await call.readString(call.argument(0));
  if (!name) co_return;
  const auto mode = co_await call.readText(call.argument(1));
  if (!mode) co_return;
  if (!name->empty() || call.name == "popen") {
    open(call);
    noteFile(call, *name, *mode);
    co_return;
  }
  call.returns(0);  // no file has that name
  call.setErrno(errno_value::kNoEntry);
}

/// open: -1 or a descriptor above those of the standard streams.
Task<> openDescriptor(Call& call) {
  const auto name = co_await call.readString(call.argument(0));
  if (!name) co_return;
  call.returns(widthMask(32));
  if (name->empty() || !call.succeeds()) co_return call.setErrno(errno_value::kNoEntry);
  call.returns(3 + call.thread.sites[call.thread.pc]++);
}

/// Calls on files by name: the name must be readable; 0 or -1.
Task<> byName(Call& call) {
  const auto name = co_await call.readString(call.argument(0));
  if (!name) co_return;
  call.returns(0);
  if (call.resultWidth == 0 || call.succeeds()) co_return;
  call.setErrno(errno_value::kNoEntry);
  call.returns(widthMask(call.resultWidth));
}

void nothing(Call& call) {
  call.returns(0);
}

/// 0 or -1.
void closing(Call& call) {
  if (call.resultWidth == 0) return;
  call.returns(call.succeeds() ? 0 : widthMask(call.resultWidth));
}

Task<> closeDescriptor(Call& call) {
  const Descriptor* closed = channel(call);
  if (closed) co_return co_await closeChannel(call, *closed);
  closing(call);
}

/// A character or end of file.
void character(Call& call) {
  if (!call.outcome(call.name + " gets a character")) return call.returns(kEndOfFile);
  call.result = zeroExtended(call.context.terms, call.input(8, false, 8, call.name), 8, 32);
}

void given(Call& call) {
  call.result = call.argument(0);
}

void flag(Call& call) {
  call.returnsInput();
}

/// Where a stream is: -1, or not negative.
void position(Call& call) {
  ModelContext& e = call.context;
  const unsigned width = call.resultWidth;
  if (width == 0) return;
  call.returns(widthMask(width));
  if (!call.succeeds()) return;
  call.returnsInput();
  const Value fits = binaryValue(e.terms, TermOp::Ule, call.result, {widthMask(width) >> 1}, width);
  if (!e.branch(call.thread, fits, BranchRole::Assume, -1)) e.stop(call.thread);
}

Task<> line(Call& call) {
  const Value to = call.argument(0);
  const bool unbounded = call.name == "gets";
  const uint64_t room = unbounded ? kLongest + 1 : call.number(1);
  call.returns(0);
  if (!unbounded) {
    const bool isStream = co_await call.isStream(2);
    if (!isStream) co_return;
  }
  const size_t known = call.context.result.inputs.size();
  if (room == 0 || !call.outcome(call.name + " gets a line")) co_return;
  if (room - 1 > kLongest) assumeShort(call);
  // A character may be 0, which covers all shorter lines.
  std::vector<Value> bytes = freshBytes(call, std::min<uint64_t>(room - 1, kLongest));
  bytes.push_back({0});
  if (!unbounded) noteReadBack(call, 2, known);
  if (co_await call.writeBytes(to, std::move(bytes))) call.result = to;
}

/// fread and read. As many bytes as come; the whole buffer must be there.
Task<> block(Call& call) {
  const bool stream = call.name == "fread";
  const Descriptor* from = stream ? nullptr : channel(call);
  if (from) co_return co_await readChannel(call, *from);
  const uint64_t each = stream ? call.number(1) : 1;
  const uint64_t count = call.number(2);
  const Value to = call.argument(stream ? 0 : 1);
  call.returns(0);
  if (stream) {
    const bool isStream = co_await call.isStream(3);
    if (!isStream) co_return;
  }
  if (each == 0 || count == 0 || count > (1ull << 40) / each) co_return;
  Target all;
  if (!co_await call.resolve(to, each * count, true, all)) co_return;
  if (!stream && !call.succeeds()) {
    call.setErrno(errno_value::kInputOutput);
    co_return call.returns(widthMask(64));
  }
  const uint64_t most = std::max<uint64_t>(1, kLongest / each);
  if (count > most) assumeShort(call);
  const size_t known = call.context.result.inputs.size();
  const auto items = amount(call, std::min(count, most), call.name + " count");
  if (!items) co_return;
  const uint64_t given = std::min(*items * each, kMostOfItem);
  std::vector<Value> bytes = freshBytes(call, given);
  if (stream) noteReadBack(call, 3, known);
  if (given < *items * each) {
    call.context.assume(call.context.place(call.thread),
                        "what is read at once is 0 behind " + std::to_string(given) + " bytes");
    Target rest = all;
    rest.offset += given;
    co_await call.fillBlock(rest, *items * each - given, Value{0});
    if (call.context.ended) co_return;
  }
  if (co_await call.writeBytes(to, std::move(bytes))) call.returns(*items);
}

/// write, send, fwrite: the bytes must be there; how many are taken is an input.
Task<> output(Call& call) {
  const bool stream = call.name == "fwrite";
  const Descriptor* to = stream ? nullptr : channel(call);
  if (to) co_return co_await writeChannel(call, *to);
  const uint64_t each = stream ? call.number(1) : 1;
  const uint64_t count = call.number(2);
  call.returns(0);
  if (stream) {
    const bool isStream = co_await call.isStream(3);
    if (!isStream) co_return;
  }
  if (each == 0 || count == 0 || count > (1ull << 40) / each) co_return;
  Target all;
  if (!co_await call.resolve(call.argument(stream ? 0 : 1), each * count, false, all)) co_return;
  const auto chunks = co_await call.readBlock(all, each * count);
  if (!chunks) co_return;
  // Standard output and error take all.
  const uint64_t where = call.number(stream ? 3 : 0);
  if (where == (stream ? streamHandle("stdout") : 1)) {
    for (const auto& [size, value] : *chunks)
      for (unsigned i = 0; i < size; ++i)
        call.context.print(std::string(1, static_cast<char>(value.bits >> (8 * i))));
  }
  if (where <= (stream ? 3 : 2)) co_return call.returns(count);
  if (call.resultWidth == 0) co_return;
  const auto written = amount(call, count, call.name + " count");
  if (written) call.returns(*written);
}

/// A call on the stream that is this argument.
template <void (*kModel)(Call&), size_t kStream = 0>
Task<> onStream(Call& call) {
  const bool isStream = co_await call.isStream(kStream);
  if (!isStream) co_return;
  const size_t known = call.context.result.inputs.size();
  kModel(call);
  noteReadBack(call, kStream, known);
}

constexpr ModelledCall kModels[] = {
    {"fopen", nullptr, openNamed},
    {"fopen64", nullptr, openNamed},
    {"popen", nullptr, openNamed},
    {"fdopen", open, nullptr},
    {"tmpfile", open, nullptr},
    {"fclose", nullptr, onStream<closing>},
    {"pclose", nullptr, onStream<closing>},
    {"fseek", nullptr, onStream<closing>},
    {"fseeko", nullptr, onStream<closing>},
    {"rewind", nullptr, onStream<nothing>},
    {"clearerr", nullptr, onStream<nothing>},
    {"flockfile", nullptr, onStream<nothing>},
    {"funlockfile", nullptr, onStream<nothing>},
    {"remove", nullptr, byName},
    {"unlink", nullptr, byName},
    {"rmdir", nullptr, byName},
    {"mkdir", nullptr, byName},
    {"access", nullptr, byName},
    {"chdir", nullptr, byName},
    {"open", nullptr, openDescriptor},
    {"close", nullptr, closeDescriptor},
    {"ftell", nullptr, onStream<position>},
    {"ftello", nullptr, onStream<position>},
    {"fgetc", nullptr, onStream<character>},
    {"getc", nullptr, onStream<character>},
    {"getchar", character, nullptr},
    {"getc_unlocked", nullptr, onStream<character>},
    {"getchar_unlocked", character, nullptr},
    {"_IO_getc", nullptr, onStream<character>},
    {"ungetc", nullptr, onStream<given, 1>},
    {"feof", nullptr, onStream<flag>},
    {"ferror", nullptr, onStream<flag>},
    {"fileno", nullptr, onStream<flag>},
    {"fgets", nullptr, line},
    {"gets", nullptr, line},
    {"fread", nullptr, block},
    {"read", nullptr, block},
    {"recv", nullptr, block},
    {"pread", nullptr, block},
    {"pread64", nullptr, block},
    {"fwrite", nullptr, output},
    {"write", nullptr, output},
    {"send", nullptr, output},
    {"pwrite", nullptr, output},
    {"pwrite64", nullptr, output},
};

}  // namespace
}  // namespace input_calls

std::span<const ModelledCall> inputModels() {
  return input_calls::kModels;
}

}  // namespace heddle
