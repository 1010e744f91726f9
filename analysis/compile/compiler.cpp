#include "analysis/compile/compiler.h"

#include <chrono>
#include <filesystem>
#include <utility>

#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"

#include "analysis/compile/cc1_arguments.h"
#include "analysis/compile/command_database.h"
#include "analysis/compile/computed_goto.h"
#include "analysis/compile/crash_guard.h"
#include "analysis/compile/frontend.h"
#include "analysis/compile/gcc_atomics.h"
#include "analysis/compile/guarded_files.h"
#include "analysis/compile/inline_assembly.h"
#include "analysis/compile/line_markers.h"
#include "analysis/compile/local_promotion.h"
#include "analysis/compile/preamble_cache.h"

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;

// Far above any real file; it ends macro and include bombs. The grace is for what does not ask for the
// deadline.
constexpr std::chrono::seconds kTimeLimit{30};
constexpr std::chrono::seconds kGrace{10};

const char* describe(GuardOutcome outcome) {
  switch (outcome) {
    case GuardOutcome::Crashed:
      return "Clang crashed on this file, which is a bug of Clang: undo the last change, or simplify what is "
             "nested "
             "deepest; to have it mended, report the file to the LLVM project";
    case GuardOutcome::TimedOut:
      return "Clang takes more than 30 s for this file: see what its macros and includes expand to";
    case GuardOutcome::NoThread:
      return "no thread could be started to compile this file";
    case GuardOutcome::Done:
      break;
  }
  return "this file does not compile";
}

}  // namespace

CompileResult::CompileResult() = default;
CompileResult::CompileResult(CompileResult&&) noexcept = default;
CompileResult& CompileResult::operator=(CompileResult&& other) noexcept {
  // The old module must go before the context it lives in.
  module.reset();
  context = std::move(other.context);
  module = std::move(other.module);
  messages = std::move(other.messages);
  declared = std::move(other.declared);
  gaps = std::move(other.gaps);
  failure = other.failure;
  seconds = other.seconds;
  return *this;
}
CompileResult::~CompileResult() = default;

// What compiles of one Compiler keep between them.
struct Compiler::State {
  std::string resourceDirectory = findResourceDirectory();
  // Shared with the guarded work, which may outlive the call or leave it in disorder; then it is replaced.
  std::shared_ptr<PreambleCache> preambles = std::make_shared<PreambleCache>();
};

namespace {

/// glibc lists the functions that only return an error in a header per word size; the one for 32 bits comes
/// with packages that a 64-bit machine need not have. None of them matters here.
void addMissingStubs(std::map<std::string, std::string>& texts) {
  const std::string stubs = "/usr/include/x86_64-linux-gnu/gnu/stubs-32.h";
  std::error_code error;
  if (!std::filesystem::exists(stubs, error)) texts.try_emplace(stubs);
}

// One compile: all that the guarded work reaches, so that it can be left behind after a crash.
struct Work {
  std::string file;
  std::string directory;
  std::vector<std::string> arguments;
  std::map<std::string, std::string> texts;
  std::shared_ptr<PreambleCache> preambles;
  Clock::time_point deadline;
  CompileModes modes;
  bool isPartial = false;
  std::unique_ptr<llvm::LLVMContext> context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module;
  std::vector<CompileMessage> messages;
  std::vector<DeclaredFunction> declared;
  std::vector<std::string> gaps;

  void run() {
    Files files = guardedFiles(texts, directory);
    auto invocation = makeInvocation(arguments, *files, messages);
    if (!invocation) return;
    auto mainBuffer = llvm::MemoryBuffer::getMemBuffer(texts[file], file);
    PreambleCache::Request request{file, arguments, texts, deadline};
    preambles->apply(request, *invocation, *mainBuffer, files, messages);
    module = makeModule(invocation, files, *context, deadline, messages, declared);
    const bool isWhole = module != nullptr;
    if (!isWhole && isPartial) runPartially();
    if (!module) return;
    replaceComputedGotos(*module);
    replaceAssembly(*module);
    if (!modes.keepLocals) promoteLocals(*module);
    if (isWhole) preambles->compiled(request, *invocation, *mainBuffer);
  }

  void runPartially() {
    messages.clear();
    Files files = guardedFiles(texts, directory);
    if (auto invocation = makeInvocation(partialArguments(arguments), *files, messages))
      module = makePartialModule(invocation, files, *context, deadline, messages, declared, gaps);
  }
};

CompileFailure failureOf(GuardOutcome outcome) {
  if (outcome == GuardOutcome::Crashed) return CompileFailure::CompilerCrashed;
  return outcome == GuardOutcome::Done ? CompileFailure::Errors : CompileFailure::CompilerStuck;
}

void addFailure(CompileResult& result, const std::string& file, GuardOutcome outcome) {
  result.failure = failureOf(outcome);
  for (const CompileMessage& message : result.messages)
    if (message.isError) return;
  CompileMessage& message = result.messages.emplace_back();
  message.place.file = file;
  message.place.line = message.place.column = 1;
  message.text = describe(outcome);
}

}  // namespace

Compiler::Compiler() : state_(std::make_unique<State>()) {}
Compiler::~Compiler() = default;

CompileResult Compiler::compile(const std::string& path, const std::string& text,
                                const CompileCommand& command,
                                const std::map<std::string, std::string>& overlays,
                                const CompileModes& modes) {
  Clock::time_point start = Clock::now();
  auto work = std::make_shared<Work>();
  work->file = absolutePath(path, command.directory);
  work->directory = command.directory;
  work->arguments = cc1Arguments(work->file, command, state_->resourceDirectory);
  if (modes.checkOverflow)
    for (const char* option :
         {"-fsanitize=signed-integer-overflow", "-fsanitize-trap=signed-integer-overflow",
          "-fsanitize-debug-trap-reasons=none"})
      work->arguments.emplace_back(option);
  if (modes.checkArrays)
    for (const char* option :
         {"-fsanitize=array-bounds", "-fsanitize-trap=array-bounds", "-fsanitize-debug-trap-reasons=none"})
      work->arguments.emplace_back(option);
  work->texts = overlays;
  work->texts.insert(command.made.begin(), command.made.end());
  addMissingStubs(work->texts);
  work->texts[work->file] = withoutLineMarkers(text);
  acceptGccAtomics(work->texts[work->file], work->arguments);
  work->preambles = state_->preambles;
  work->deadline = start + kTimeLimit;
  work->modes = modes;
  work->isPartial = command.isPartial;

  GuardOutcome outcome = runGuarded([work] { work->run(); }, kTimeLimit + kGrace);

  CompileResult result;
  if (outcome == GuardOutcome::Done) {
    result.context = std::move(work->context);
    result.module = std::move(work->module);
    result.messages = std::move(work->messages);
    result.declared = std::move(work->declared);
    result.gaps = std::move(work->gaps);
  } else {
    // Clang's objects on the abandoned stack still point into the work: it is never freed.
    new std::shared_ptr<Work>(work);
    state_->preambles = std::make_shared<PreambleCache>();
  }
  if (!result.module) addFailure(result, absolutePath(path, command.directory), outcome);
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

}  // namespace heddle
