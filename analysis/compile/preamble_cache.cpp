#include "analysis/compile/preamble_cache.h"

#include <algorithm>

#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Lexer.h"
#include "clang/Serialization/PCHContainerOperations.h"

namespace heddle {
namespace {

class Callbacks : public clang::PreambleCallbacks {
 public:
  explicit Callbacks(DeadlineCallbacks::Clock::time_point deadline) : deadline_(deadline) {}
  void BeforeExecute(clang::CompilerInstance& instance) override {
    disarmPragmas(instance.getPreprocessor());
  }
  std::unique_ptr<clang::PPCallbacks> createPPCallbacks() override {
    return std::make_unique<DeadlineCallbacks>(deadline_);
  }

 private:
  DeadlineCallbacks::Clock::time_point deadline_;
};

clang::PreambleBounds boundsOf(const clang::CompilerInvocation& invocation,
                               const llvm::MemoryBuffer& buffer) {
  return clang::ComputePreambleBounds(invocation.getLangOpts(), buffer.getMemBufferRef(), 0);
}

}  // namespace

PreambleCache::Entry* PreambleCache::find(const std::string& path) {
  auto at =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.path == path; });
  if (at == entries_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, at);
  return &entries_.front();
}

std::vector<std::string> PreambleCache::namesOf(const std::map<std::string, std::string>& texts) {
  std::vector<std::string> names;
  for (const auto& [name, text] : texts) names.push_back(name);
  return names;
}

bool PreambleCache::build(Entry& entry, const Request& request, const clang::CompilerInvocation& invocation,
                          const llvm::MemoryBuffer& mainBuffer, clang::PreambleBounds bounds,
                          const Files& files) {
  entry.preamble.reset();
  entry.messages.clear();
  clang::DiagnosticOptions options = invocation.getDiagnosticOpts();
  MessageCollector collector(entry.messages);
  auto diagnostics = clang::CompilerInstance::createDiagnostics(*files, options, &collector, false);
  Callbacks callbacks(request.deadline);
  auto preamble = clang::PrecompiledPreamble::Build(invocation, &mainBuffer, bounds, diagnostics, files,
                                                    std::make_shared<clang::PCHContainerOperations>(),
                                                    /*StoreInMemory=*/true, /*StoragePath=*/"", callbacks);
  if (!preamble || diagnostics->hasErrorOccurred()) return false;
  entry.preamble.emplace(std::move(*preamble));
  return true;
}

void PreambleCache::apply(const Request& request, clang::CompilerInvocation& invocation,
                          llvm::MemoryBuffer& mainBuffer, Files& files,
                          std::vector<CompileMessage>& messages) {
  Entry* entry = find(request.path);
  if (!entry) return;
  clang::PreambleBounds bounds = boundsOf(invocation, mainBuffer);
  bool unchanged = entry->arguments == request.arguments && entry->overlayNames == namesOf(request.texts) &&
                   mainBuffer.getBuffer().take_front(bounds.Size) == entry->block;
  if (!unchanged) return;
  bool usable =
      entry->preamble && entry->preamble->CanReuse(invocation, mainBuffer.getMemBufferRef(), bounds, *files);
  if (!usable && !build(*entry, request, invocation, mainBuffer, bounds, files)) return;
  messages.insert(messages.end(), entry->messages.begin(), entry->messages.end());
  entry->preamble->AddImplicitPreamble(invocation, files, &mainBuffer);
}

void PreambleCache::compiled(const Request& request, const clang::CompilerInvocation& invocation,
                             const llvm::MemoryBuffer& mainBuffer) {
  clang::PreambleBounds bounds = boundsOf(invocation, mainBuffer);
  if (bounds.Size == 0) return;
  llvm::StringRef block = mainBuffer.getBuffer().take_front(bounds.Size);
  std::vector<std::string> names = namesOf(request.texts);
  if (Entry* entry = find(request.path)) {
    if (entry->arguments == request.arguments && entry->overlayNames == names && block == entry->block)
      return;
    entries_.pop_front();
  }
  entries_.push_front({request.path, request.arguments, std::move(names), block.str(), std::nullopt, {}});
  if (entries_.size() > kEntryLimit) entries_.pop_back();
}

}  // namespace heddle
