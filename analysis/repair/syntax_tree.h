// SyntaxTree: Clang's tree of a snapshot, for as long as a callback looks at it; and where its nodes stand in
// the files.
//
// Nothing is written and nothing is run (analysis/compile says how hostile texts are held off). The callback
// runs on a guarded thread: it must own or share all that it refers to, because a crash abandons it.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/compile/compiler.h"
#include "analysis/pipeline/pipeline.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"

namespace heddle {

/// Calls `use` with the tree of `snapshot`. Returns an empty text, or why there is no tree. Takes no longer
/// than `limit` and a moment. `leftOut`: takes the functions that do not compile, of a partial command.
std::string withSyntaxTree(const Snapshot& snapshot, std::function<void(clang::ASTContext&)> use,
                           std::chrono::milliseconds limit = std::chrono::seconds(30),
                           std::vector<SourcePlace>* leftOut = nullptr);

/// Errors and warnings of `snapshot` under its own flags and -Wall -Wextra; nothing when Clang failed.
std::optional<std::vector<CompileMessage>> warningsOf(const Snapshot& snapshot);

/// Bytes [begin, end) of a file of the program.
struct FileSpan {
  clang::FileID file;
  size_t begin = 0, end = 0;
  bool contains(clang::FileID other, size_t offset) const {
    return file == other && begin <= offset && offset < end;
  }
};

/// Where a statement stands in its file, its semicolon included; a statement that comes out of a macro stands
/// where the macro is used. nullopt: it begins and ends in different files.
std::optional<FileSpan> spanOf(const clang::Stmt& statement, const clang::ASTContext& context);

/// The text of a file of the program.
llvm::StringRef textOf(clang::FileID file, const clang::ASTContext& context);

/// The absolute path of a file of the program; empty if it has none.
std::string pathOf(clang::FileID file, const clang::ASTContext& context);

/// The file and offset of a place of a report; nullopt when no file of the program has that name or line.
std::optional<std::pair<clang::FileID, size_t>> offsetOf(const SourcePlace& place,
                                                         const clang::ASTContext& context);

}  // namespace heddle
