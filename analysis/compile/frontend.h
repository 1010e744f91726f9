// Front end: the pieces of one Clang run (diagnostics, deadline, code generation), used by Compiler and
// PreambleCache.
//
// Threading: one run at a time per object; everything here is called on the guarded thread.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/PPCallbacks.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/VirtualFileSystem.h"

#include "analysis/compile/compiler.h"
#include "analysis/compile/declared_functions.h"
#include "analysis/compile/partial_unit.h"

namespace clang {
class CodeGenerator;
}

namespace heddle {

/// Keeps errors and warnings with their places; notes are left out.
class MessageCollector : public clang::DiagnosticConsumer {
 public:
  explicit MessageCollector(std::vector<CompileMessage>& messages) : messages_(messages) {}
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override;

 private:
  std::vector<CompileMessage>& messages_;
};

/// Ends a run that takes too long (macro or include bombs). The deadline is checked wherever the preprocessor
/// reports something.
class DeadlineCallbacks : public clang::PPCallbacks {
 public:
  using Clock = std::chrono::steady_clock;
  explicit DeadlineCallbacks(Clock::time_point deadline) : deadline_(deadline) {}
  void MacroExpands(const clang::Token&, const clang::MacroDefinition&, clang::SourceRange,
                    const clang::MacroArgs*) override {
    check();
  }
  void FileChanged(clang::SourceLocation, FileChangeReason, clang::SrcMgr::CharacteristicKind,
                   clang::FileID) override {
    check();
  }

 private:
  void check();
  Clock::time_point deadline_;
  unsigned calls_ = 0;
};

/// Goes on past includes that are not found, and keeps them, so that one run finds all of them.
class MissingIncludes : public clang::PPCallbacks {
 public:
  MissingIncludes(clang::SourceManager& sources, std::vector<CompileMessage>& missing)
      : sources_(sources), missing_(missing) {}
  // NOLINTNEXTLINE(readability-identifier-naming): a name that Clang calls
  bool FileNotFound(llvm::StringRef) override { return true; }
  void InclusionDirective(clang::SourceLocation hash, const clang::Token& directive, llvm::StringRef name,
                          bool isAngled, clang::CharSourceRange range, clang::OptionalFileEntryRef file,
                          llvm::StringRef searchPath, llvm::StringRef relativePath,
                          const clang::Module* suggested, bool isImported,
                          clang::SrcMgr::CharacteristicKind kind) override;

 private:
  clang::SourceManager& sources_;
  std::vector<CompileMessage>& missing_;
};

/// Takes away the pragmas by which a text could make Clang crash, print or write files.
void disarmPragmas(clang::Preprocessor& preprocessor);

/// Parses and makes code for the one input of an invocation; nothing is optimized, nothing is written.
class ModuleAction : public clang::ASTFrontendAction {
 public:
  /// `partial`: receives what is left out; null: a text with errors gives no module.
  ModuleAction(llvm::LLVMContext& context, DeadlineCallbacks::Clock::time_point deadline,
               PartialUnit* partial = nullptr)
      : context_(context), deadline_(deadline), partial_(partial) {}
  ~ModuleAction() override;
  std::unique_ptr<llvm::Module> takeModule();
  std::vector<DeclaredFunction> takeDeclared() { return std::move(declared_); }
  /// Includes that were not found; then there is no module.
  std::vector<CompileMessage> takeMissing() { return std::move(missing_); }

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& instance,
                                                        llvm::StringRef file) override;
  void EndSourceFileAction() override;

 private:
  llvm::LLVMContext& context_;
  DeadlineCallbacks::Clock::time_point deadline_;
  PartialUnit* const partial_;
  clang::CodeGenerator* generator_ = nullptr;
  std::unique_ptr<llvm::Module> module_;
  std::vector<DeclaredFunction> declared_;
  std::vector<CompileMessage> missing_;
};

using Files = llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>;

/// The invocation for cc1 `arguments`; null if they do not parse (messages then say why).
std::shared_ptr<clang::CompilerInvocation> makeInvocation(const std::vector<std::string>& arguments,
                                                          llvm::vfs::FileSystem& files,
                                                          std::vector<CompileMessage>& messages);

/// Runs Clang; null if the text does not compile. `declared`: takes what the text says of functions that it
/// does not define.
std::unique_ptr<llvm::Module> makeModule(std::shared_ptr<clang::CompilerInvocation> invocation, Files files,
                                         llvm::LLVMContext& context,
                                         DeadlineCallbacks::Clock::time_point deadline,
                                         std::vector<CompileMessage>& messages,
                                         std::vector<DeclaredFunction>& declared);

/// As makeModule, but what does not compile is left out, and headers that are missing are empty; `messages`
/// says so. `gaps`: takes what that takes for granted, in words.
std::unique_ptr<llvm::Module> makePartialModule(std::shared_ptr<clang::CompilerInvocation> invocation,
                                                Files files, llvm::LLVMContext& context,
                                                DeadlineCallbacks::Clock::time_point deadline,
                                                std::vector<CompileMessage>& messages,
                                                std::vector<DeclaredFunction>& declared,
                                                std::vector<std::string>& gaps);

}  // namespace heddle
