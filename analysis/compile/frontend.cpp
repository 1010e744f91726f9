#include "analysis/compile/frontend.h"

#include <algorithm>

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"

#include "analysis/compile/crash_guard.h"

namespace heddle {
namespace {

constexpr size_t kMessageLimit = 200;

SourcePlace placeOf(const clang::Diagnostic& info) {
  SourcePlace place;
  if (!info.hasSourceManager() || !info.getLocation().isValid()) return place;
  const clang::SourceManager& sources = info.getSourceManager();
  // A macro's use is what the user can go to; its expansion is not.
  clang::PresumedLoc at = sources.getPresumedLoc(sources.getExpansionLoc(info.getLocation()));
  if (at.isInvalid()) return place;
  place.file = at.getFilename();
  place.line = at.getLine();
  place.column = at.getColumn();
  return place;
}

/// A C99 `inline` function without an external definition somewhere else has no code without optimization,
/// and many programs rely on the optimizer. Marking it makes Clang emit its body.
class InlineKeeper : public clang::ASTConsumer {
 public:
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* declaration : group) {
      auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
      if (!function || !function->isThisDeclarationADefinition() || !function->isInlineSpecified()) continue;
      if (function->hasAttr<clang::GNUInlineAttr>() || function->hasAttr<clang::AlwaysInlineAttr>()) continue;
      function->addAttr(clang::AlwaysInlineAttr::CreateImplicit(function->getASTContext()));
    }
    return true;
  }
};

/// Runs behind the generator, while its module and the AST are both there.
class DeclaredReader : public clang::ASTConsumer {
 public:
  DeclaredReader(clang::CodeGenerator& generator, std::vector<DeclaredFunction>& declared)
      : generator_(generator), declared_(declared) {}
  void HandleTranslationUnit(clang::ASTContext& context) override {
    if (!context.getDiagnostics().hasErrorOccurred()) declared_ = declaredFunctions(generator_, context);
  }

 private:
  clang::CodeGenerator& generator_;
  std::vector<DeclaredFunction>& declared_;
};

}  // namespace

void MessageCollector::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                        const clang::Diagnostic& info) {
  DiagnosticConsumer::HandleDiagnostic(level, info);
  if (level < clang::DiagnosticsEngine::Warning || messages_.size() >= kMessageLimit) return;
  llvm::SmallString<256> text;
  info.FormatDiagnostic(text);
  messages_.push_back({placeOf(info), text.str().str(), level >= clang::DiagnosticsEngine::Error});
}

void DeadlineCallbacks::check() {
  constexpr unsigned kCallsBetweenChecks = 256;
  if (++calls_ % kCallsBetweenChecks == 0 && Clock::now() >= deadline_) abandonGuardedWork();
}

void MissingIncludes::InclusionDirective(clang::SourceLocation hash, const clang::Token&,
                                         llvm::StringRef name, bool, clang::CharSourceRange,
                                         clang::OptionalFileEntryRef file, llvm::StringRef, llvm::StringRef,
                                         const clang::Module*, bool, clang::SrcMgr::CharacteristicKind) {
  if (file) return;
  CompileMessage message;
  message.text = "'" + name.str() + "' file not found";
  message.missingHeader = name.str();
  const clang::PresumedLoc at = sources_.getPresumedLoc(sources_.getExpansionLoc(hash));
  if (at.isValid()) {
    message.place.file = at.getFilename();
    message.place.line = at.getLine();
    message.place.column = at.getColumn();
  }
  const bool isKnown = std::any_of(missing_.begin(), missing_.end(), [&](const CompileMessage& known) {
    return known.missingHeader == message.missingHeader;
  });
  if (!isKnown && missing_.size() < kMessageLimit) missing_.push_back(std::move(message));
}

void disarmPragmas(clang::Preprocessor& preprocessor) {
  // "__debug" crashes and dumps on demand; "module" compiles a module from the text into a temporary file.
  for (const char* name : {"__debug", "module"})
    preprocessor.AddPragmaHandler("clang", new clang::EmptyPragmaHandler(name));  // replaces; Clang owns it
}

ModuleAction::~ModuleAction() = default;

std::unique_ptr<clang::ASTConsumer> ModuleAction::CreateASTConsumer(clang::CompilerInstance& instance,
                                                                    llvm::StringRef file) {
  disarmPragmas(instance.getPreprocessor());
  instance.getPreprocessor().addPPCallbacks(std::make_unique<DeadlineCallbacks>(deadline_));
  instance.getPreprocessor().addPPCallbacks(
      std::make_unique<MissingIncludes>(instance.getSourceManager(), missing_));
  std::unique_ptr<clang::CodeGenerator> generator = clang::CreateLLVMCodeGen(instance, file, context_);
  generator_ = generator.get();
  std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
  consumers.push_back(std::make_unique<InlineKeeper>());
  consumers.push_back(std::move(generator));
  consumers.push_back(std::make_unique<DeclaredReader>(*generator_, declared_));
  auto all = std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  if (partial_ != nullptr) return partialConsumer(std::move(all), *partial_);
  return all;
}

void ModuleAction::EndSourceFileAction() {
  if (partial_ != nullptr) getCompilerInstance().getDiagnostics().Reset(true);
  if (generator_ && generator_->GetModule() && !getCompilerInstance().getDiagnostics().hasErrorOccurred())
    module_ = generator_->ReleaseModule();
  generator_ = nullptr;  // it dies with the AST
}

std::unique_ptr<llvm::Module> ModuleAction::takeModule() {
  return std::move(module_);
}

std::shared_ptr<clang::CompilerInvocation> makeInvocation(const std::vector<std::string>& arguments,
                                                          llvm::vfs::FileSystem& files,
                                                          std::vector<CompileMessage>& messages) {
  std::vector<const char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
  clang::DiagnosticOptions options;
  MessageCollector collector(messages);
  auto diagnostics = clang::CompilerInstance::createDiagnostics(files, options, &collector, false);
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, pointers, *diagnostics)) return nullptr;
  // Set here as well as by arguments: the analysis relies on these.
  invocation->getCodeGenOpts().DisableO0ImplyOptNone = true;
  invocation->getCodeGenOpts().DisableLifetimeMarkers = true;
  invocation->getCodeGenOpts().DiscardValueNames = false;
  invocation->getFrontendOpts().DisableFree = false;
  // Buffers that a preamble puts in place of files belong to the caller.
  invocation->getPreprocessorOpts().RetainRemappedFileBuffers = true;
  return invocation;
}

namespace {

std::string listed(const std::vector<std::string>& names) {
  constexpr size_t kMost = 4;
  std::string text;
  for (size_t i = 0; i < names.size() && i < kMost; ++i) text += (i == 0 ? "'" : ", '") + names[i] + "'";
  return names.size() > kMost ? text + " and " + std::to_string(names.size() - kMost) + " more" : text;
}

/// What a partial unit takes for granted.
std::vector<std::string> gapsOf(const std::string& path, const PartialUnit& unit,
                                const std::vector<CompileMessage>& missing,
                                const std::vector<CompileMessage>& messages) {
  const std::string file = path.substr(path.rfind('/') + 1);
  std::vector<std::string> gaps, headers, functions;
  for (const CompileMessage& message : missing) headers.push_back(message.missingHeader);
  for (const PartialUnit::LeftOut& function : unit.functions) functions.push_back(function.name);
  if (!headers.empty())
    gaps.push_back("headers that are missing are empty in " + file + ": " + listed(headers));
  const auto error = std::find_if(messages.begin(), messages.end(),
                                  [](const CompileMessage& message) { return message.isError; });
  if (error != messages.end() || !functions.empty())
    gaps.push_back("what does not compile is left out of " + file +
                   (functions.empty() ? "" : ": functions " + listed(functions)) +
                   (error == messages.end() ? "" : " (first error: " + error->text + ")"));
  return gaps;
}

/// Runs the action; false: it could not begin.
bool run(clang::CompilerInstance& instance, ModuleAction& action) {
  instance.createFileManager();
  // Not ExecuteAction: it would print to stderr and hand deep recursion to further threads outside the crash
  // guard.
  if (!instance.createTarget() || !action.PrepareToExecute(instance)) return false;
  instance.createSourceManager();
  if (!action.BeginSourceFile(instance, instance.getFrontendOpts().Inputs.front())) return false;
  if (llvm::Error error = action.Execute()) llvm::consumeError(std::move(error));
  action.EndSourceFile();
  return true;
}

}  // namespace

std::unique_ptr<llvm::Module> makeModule(std::shared_ptr<clang::CompilerInvocation> invocation, Files files,
                                         llvm::LLVMContext& context,
                                         DeadlineCallbacks::Clock::time_point deadline,
                                         std::vector<CompileMessage>& messages,
                                         std::vector<DeclaredFunction>& declared) {
  clang::CompilerInstance instance(std::move(invocation));
  instance.setVirtualFileSystem(std::move(files));
  instance.createDiagnostics(new MessageCollector(messages), true);
  ModuleAction action(context, deadline);
  if (!run(instance, action)) return nullptr;
  declared = action.takeDeclared();
  if (std::vector<CompileMessage> missing = action.takeMissing(); !missing.empty()) {
    // What else is said follows from it.
    std::erase_if(messages, [](const CompileMessage& message) { return message.isError; });
    messages.insert(messages.begin(), missing.begin(), missing.end());
    return nullptr;
  }
  return action.takeModule();
}

std::unique_ptr<llvm::Module> makePartialModule(std::shared_ptr<clang::CompilerInvocation> invocation,
                                                Files files, llvm::LLVMContext& context,
                                                DeadlineCallbacks::Clock::time_point deadline,
                                                std::vector<CompileMessage>& messages,
                                                std::vector<DeclaredFunction>& declared,
                                                std::vector<std::string>& gaps) {
  PartialUnit unit;
  clang::CompilerInstance instance(std::move(invocation));
  instance.setVirtualFileSystem(std::move(files));
  instance.createDiagnostics(new ErrorPlaces(unit, std::make_unique<MessageCollector>(messages)), true);
  goOnPastErrors(instance);
  ModuleAction action(context, deadline, &unit);
  if (!run(instance, action)) return nullptr;
  declared = action.takeDeclared();
  std::vector<CompileMessage> missing = action.takeMissing();
  gaps = gapsOf(instance.getFrontendOpts().Inputs.front().getFile().str(), unit, missing, messages);
  messages.insert(messages.begin(), missing.begin(), missing.end());
  std::unique_ptr<llvm::Module> module = action.takeModule();
  for (const PartialUnit::LeftOut& function : unit.functions) {
    llvm::Function* const code = module && function.isStatic ? module->getFunction(function.name) : nullptr;
    if (code == nullptr || !code->isDeclaration()) continue;
    // No other file's function of this name is meant.
    const std::string name = function.name + " (does not compile)";
    for (DeclaredFunction& known : declared)
      if (known.name == function.name) known.name = name;
    code->setName(name);
  }
  return module;
}

}  // namespace heddle
