// Preamble cache: the #include block at the top of a file, parsed once and kept in memory between compiles of
// the file.
//
// A preamble is built when a file compiles for the second time with the same block, so a single compile does
// not pay for it. It is used again only if the front-end arguments, the names of the overlays and the block
// itself are unchanged, and every header that went in has its size and modification time (for an overlay: its
// text). Not noticed: a new header on disk that would now be found earlier on the include path.
//
// Warnings of the block are kept with the preamble and reported by every compile, so a result does not depend
// on the cache.
//
// Threading: one compile at a time; called on the guarded thread. After a crash the whole cache is lost.
#pragma once

#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "clang/Frontend/PrecompiledPreamble.h"

#include "analysis/compile/frontend.h"

namespace heddle {

class PreambleCache {
 public:
  struct Request {
    const std::string& path;
    const std::vector<std::string>& arguments;
    const std::map<std::string, std::string>& texts;  // the main text and all overlays
    DeadlineCallbacks::Clock::time_point deadline;
  };

  /// Makes `invocation` and `files` use a preamble, if there is one or it is time to build one; `messages`
  /// gets its warnings. `mainBuffer` must live as long as the compile.
  void apply(const Request& request, clang::CompilerInvocation& invocation, llvm::MemoryBuffer& mainBuffer,
             Files& files, std::vector<CompileMessage>& messages);

  /// Tells that the file compiled without errors: its block is worth a preamble next time.
  void compiled(const Request& request, const clang::CompilerInvocation& invocation,
                const llvm::MemoryBuffer& mainBuffer);

 private:
  struct Entry {
    std::string path;
    std::vector<std::string> arguments;
    std::vector<std::string> overlayNames;
    std::string block;  // text of the #include block that compiled
    std::optional<clang::PrecompiledPreamble> preamble;
    std::vector<CompileMessage> messages;  // of the preamble
  };

  Entry* find(const std::string& path);
  static std::vector<std::string> namesOf(const std::map<std::string, std::string>& texts);
  static bool build(Entry& entry, const Request& request, const clang::CompilerInvocation& invocation,
                    const llvm::MemoryBuffer& mainBuffer, clang::PreambleBounds bounds, const Files& files);

  static constexpr size_t kEntryLimit = 8;
  std::list<Entry> entries_;  // most recently used first
};

}  // namespace heddle
