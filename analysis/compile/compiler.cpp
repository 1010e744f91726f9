#include "analysis/compile/compiler.h"

#include <chrono>
#include <filesystem>
#include <utility>

#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include "analysis/compile/cc1_arguments.h"
#include "analysis/compile/command_database.h"
#include "analysis/compile/crash_guard.h"
#include "analysis/compile/frontend.h"
#include "analysis/compile/guarded_files.h"
#include "analysis/compile/line_markers.h"
#include "analysis/compile/local_promotion.h"

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kTimeLimit{30};

const char* describe(GuardOutcome outcome) {
  switch (outcome) {
    case GuardOutcome::Crashed:
      return "the compiler crashed on this file";
    case GuardOutcome::TimedOut:
      return "compiling this file takes too long";
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
  seconds = other.seconds;
  return *this;
}
CompileResult::~CompileResult() = default;

struct Compiler::State {
  std::string resourceDirectory = findResourceDirectory();
};

Compiler::Compiler() : state_(std::make_unique<State>()) {}
Compiler::~Compiler() = default;

CompileResult Compiler::compile(const std::string& path, const std::string& text,
                                const CompileCommand& command,
                                const std::map<std::string, std::string>& overlays) {
  Clock::time_point start = Clock::now();
  Clock::time_point deadline = start + kTimeLimit;
  std::string file = absolutePath(path, command.directory);
  CompileResult result;
  // All that the guarded work reaches lies in one object, so that it can be left behind after a crash.
  struct Work {
    std::map<std::string, std::string> texts;
    std::unique_ptr<llvm::LLVMContext> context = std::make_unique<llvm::LLVMContext>();
    std::unique_ptr<llvm::Module> module;
    std::vector<CompileMessage> messages;
  };
  auto work = std::make_unique<Work>();
  work->texts = overlays;
  work->texts[file] = withoutLineMarkers(text);

  GuardOutcome outcome = runGuarded([&] {
    Files files = guardedFiles(work->texts, command.directory);
    auto invocation =
        makeInvocation(cc1Arguments(file, command, state_->resourceDirectory), *files, work->messages);
    if (!invocation) return;
    work->module = makeModule(std::move(invocation), files, *work->context, deadline, work->messages);
    if (work->module) promoteLocals(*work->module);
  });

  if (outcome == GuardOutcome::Done) {
    result.context = std::move(work->context);
    result.module = std::move(work->module);
    result.messages = std::move(work->messages);
  }
  bool hasError = false;
  for (const CompileMessage& message : result.messages) hasError = hasError || message.isError;
  if (!result.module && !hasError) {
    CompileMessage& message = result.messages.emplace_back();
    message.place.file = file;
    message.place.line = message.place.column = 1;
    message.text = describe(outcome);
  }
  if (outcome != GuardOutcome::Done) {
    // Clang's objects on the abandoned stack still point into these.
    work.release();
    state_.release();
    state_ = std::make_unique<State>();
  }
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

}  // namespace heddle
