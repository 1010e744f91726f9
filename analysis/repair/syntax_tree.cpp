#include "analysis/repair/syntax_tree.h"

#include <chrono>
#include <memory>

#include "analysis/compile/cc1_arguments.h"
#include "analysis/compile/command_database.h"
#include "analysis/compile/crash_guard.h"
#include "analysis/compile/frontend.h"
#include "analysis/compile/guarded_files.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Lexer.h"

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kGrace{10};

using TreeUse = std::function<void(clang::ASTContext&, const PartialUnit&)>;

class Consumer : public clang::ASTConsumer {
 public:
  Consumer(TreeUse& use, const PartialUnit& partial) : use_(use), partial_(partial) {}
  void HandleTranslationUnit(clang::ASTContext& context) override {
    if (!context.getDiagnostics().hasErrorOccurred() && use_) use_(context, partial_);
  }

 private:
  TreeUse& use_;
  const PartialUnit& partial_;
};

class TreeAction : public clang::ASTFrontendAction {
 public:
  /// `isPartial`: `partial` takes what does not compile; else the tree is used only if all does.
  TreeAction(TreeUse& use, Clock::time_point deadline, PartialUnit& partial, bool isPartial)
      : use_(use), deadline_(deadline), partial_(partial), isPartial_(isPartial) {}

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& instance,
                                                        llvm::StringRef) override {
    disarmPragmas(instance.getPreprocessor());
    instance.getPreprocessor().addPPCallbacks(std::make_unique<DeadlineCallbacks>(deadline_));
    auto consumer = std::make_unique<Consumer>(use_, partial_);
    if (!isPartial_) return consumer;
    keepWords(instance.getPreprocessor(), partial_.words);
    instance.getPreprocessor().addPPCallbacks(
        std::make_unique<MissingIncludes>(instance.getSourceManager(), missing_));
    return partialConsumer(std::move(consumer), partial_);
  }

 private:
  TreeUse& use_;
  Clock::time_point deadline_;
  PartialUnit& partial_;
  const bool isPartial_;
  std::vector<CompileMessage> missing_;
};

/// One parse: all that the guarded work reaches.
struct Parse {
  std::string file, directory;
  std::vector<std::string> arguments;
  std::map<std::string, std::string> texts;
  TreeUse use;
  std::vector<CompileMessage> messages;
  bool isPartial = false;
  std::chrono::milliseconds limit{30'000};

  void run() {
    Files files = guardedFiles(texts, directory);
    auto invocation = makeInvocation(arguments, *files, messages);
    if (!invocation) return;
    // Comments before a declaration belong to it, whatever their style.
    invocation->getLangOpts().CommentOpts.ParseAllComments = true;
    clang::CompilerInstance instance(std::move(invocation));
    instance.setVirtualFileSystem(std::move(files));
    PartialUnit partial;
    auto collector = std::make_unique<MessageCollector>(messages);
    if (isPartial)
      instance.createDiagnostics(new ErrorPlaces(partial, std::move(collector)), true);
    else
      instance.createDiagnostics(collector.release(), true);
    if (isPartial) goOnPastErrors(instance);
    instance.createFileManager();
    if (!instance.createTarget()) return;
    TreeAction action(use, Clock::now() + limit, partial, isPartial);
    if (!action.PrepareToExecute(instance)) return;
    instance.createSourceManager();
    if (!action.BeginSourceFile(instance, instance.getFrontendOpts().Inputs.front())) return;
    if (llvm::Error error = action.Execute()) llvm::consumeError(std::move(error));
    action.EndSourceFile();
  }
};

GuardOutcome parse(const std::shared_ptr<Parse>& work) {
  const auto grace = std::min<std::chrono::milliseconds>(kGrace, work->limit);
  const GuardOutcome outcome = runGuarded([work] { work->run(); }, work->limit + grace);
  // Clang's objects on an abandoned stack still point into the work: it is never freed.
  if (outcome != GuardOutcome::Done) new std::shared_ptr<Parse>(work);
  return outcome;
}

std::shared_ptr<Parse> parseOf(const Snapshot& snapshot, const std::vector<std::string>& moreFlags) {
  auto work = std::make_shared<Parse>();
  work->file = absolutePath(snapshot.path, snapshot.command.directory);
  work->directory = snapshot.command.directory;
  CompileCommand command = snapshot.command;
  command.arguments.insert(command.arguments.begin(), moreFlags.begin(), moreFlags.end());
  work->arguments = cc1Arguments(work->file, command, findResourceDirectory());
  work->isPartial = command.isPartial;
  if (work->isPartial) work->arguments = partialArguments(std::move(work->arguments));
  work->texts = snapshot.overlays;
  work->texts.insert(command.made.begin(), command.made.end());
  work->texts[work->file] = snapshot.text;
  return work;
}

/// The statement whose last token is that of `statement`.
const clang::Stmt* lastPart(const clang::Stmt* s) {
  for (;;) {
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s))
      s = branch->getElse() ? branch->getElse() : branch->getThen();
    else if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(s))
      s = loop->getBody();
    else if (const auto* counted = llvm::dyn_cast<clang::ForStmt>(s))
      s = counted->getBody();
    else if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(s))
      s = choice->getBody();
    else if (const auto* label = llvm::dyn_cast<clang::LabelStmt>(s))
      s = label->getSubStmt();
    else if (const auto* option = llvm::dyn_cast<clang::SwitchCase>(s))
      s = option->getSubStmt();
    else if (const auto* marked = llvm::dyn_cast<clang::AttributedStmt>(s))
      s = marked->getSubStmt();
    else
      return s;
  }
}

}  // namespace

std::string withSyntaxTree(const Snapshot& snapshot, std::function<void(clang::ASTContext&)> use,
                           std::chrono::milliseconds limit) {
  return withPartialTree(
      snapshot, [use = std::move(use)](clang::ASTContext& context, const PartialUnit&) { use(context); },
      limit);
}

std::string withPartialTree(const Snapshot& snapshot,
                            std::function<void(clang::ASTContext&, const PartialUnit&)> use,
                            std::chrono::milliseconds limit) {
  const std::shared_ptr<Parse> work = parseOf(snapshot, {});
  work->limit = limit;
  auto called = std::make_shared<bool>(false);
  work->use = [called, use = std::move(use)](clang::ASTContext& context, const PartialUnit& partial) {
    *called = true;
    use(context, partial);
  };
  switch (parse(work)) {
    case GuardOutcome::Done:
      return *called ? "" : "the file does not compile";
    case GuardOutcome::Crashed:
      return "the compiler crashed on this file";
    case GuardOutcome::TimedOut:
      return "compiling this file takes too long";
    case GuardOutcome::NoThread:
      return "no thread could be started to compile this file";
  }
  return "the file does not compile";
}

std::optional<std::vector<CompileMessage>> warningsOf(const Snapshot& snapshot) {
  const std::shared_ptr<Parse> work = parseOf(snapshot, {"-Wall", "-Wextra"});
  if (parse(work) != GuardOutcome::Done) return std::nullopt;
  return work->messages;
}

std::optional<FileSpan> spanOf(const clang::Stmt& statement, const clang::ASTContext& context) {
  const clang::SourceManager& sources = context.getSourceManager();
  const clang::LangOptions& language = context.getLangOpts();
  const clang::CharSourceRange range = sources.getExpansionRange(statement.getSourceRange());
  clang::SourceLocation end = range.getEnd();
  const clang::SourceLocation lastToken = end;
  if (range.isTokenRange()) end = clang::Lexer::getLocForEndOfToken(end, 0, sources, language);
  if (range.getBegin().isInvalid() || end.isInvalid()) return std::nullopt;
  const auto [file, begin] = sources.getDecomposedLoc(range.getBegin());
  auto [endFile, endOffset] = sources.getDecomposedLoc(end);
  if (file != endFile) return std::nullopt;
  const clang::Stmt* last = lastPart(&statement);
  if (!llvm::isa<clang::CompoundStmt>(last)) {
    bool invalid = false;
    const bool closed = llvm::isa<clang::DeclStmt, clang::NullStmt>(last) &&
                        sources.getBufferData(file, &invalid).substr(0, endOffset).ends_with(";");
    const auto next = clang::Lexer::findNextToken(lastToken, sources, language);
    if (!closed && next && next->is(clang::tok::semi)) {
      const auto [semiFile, semi] = sources.getDecomposedLoc(next->getLocation());
      if (semiFile == file) endOffset = semi + 1;
    }
  }
  return FileSpan{file, begin, endOffset};
}

llvm::StringRef textOf(clang::FileID file, const clang::ASTContext& context) {
  return context.getSourceManager().getBufferData(file);
}

std::string pathOf(clang::FileID file, const clang::ASTContext& context) {
  const clang::SourceManager& sources = context.getSourceManager();
  const clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
  if (!entry) return {};
  llvm::SmallString<256> path(entry->getName());
  sources.getFileManager().makeAbsolutePath(path);
  llvm::sys::path::remove_dots(path, true);
  return std::string(path);
}

std::optional<std::pair<clang::FileID, size_t>> offsetOf(const SourcePlace& place,
                                                         const clang::ASTContext& context) {
  const clang::SourceManager& sources = context.getSourceManager();
  if (place.line == 0) return std::nullopt;
  for (unsigned i = 0; i < sources.local_sloc_entry_size(); ++i) {
    const clang::SrcMgr::SLocEntry& entry = sources.getLocalSLocEntry(i);
    if (!entry.isFile() || !entry.getFile().getContentCache().OrigEntry) continue;
    const clang::FileID file =
        sources.getFileID(clang::SourceLocation::getFromRawEncoding(entry.getOffset()));
    if (pathOf(file, context) != place.file) continue;
    const clang::SourceLocation at = sources.translateLineCol(file, place.line, std::max(1u, place.column));
    if (at.isInvalid()) return std::nullopt;
    return std::make_pair(file, static_cast<size_t>(sources.getFileOffset(at)));
  }
  return std::nullopt;
}

}  // namespace heddle
