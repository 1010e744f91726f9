// SyntaxTree: Clang's tree of a snapshot, which exists while a callback uses it, and the places of its
// nodes in the files.
//
// Nothing is written and nothing is run (analysis/compile says how it withstands hostile texts). The
// callback runs on a guarded thread. It must own or share everything that it refers to, because after a
// crash the thread is abandoned.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/compile/compiler.h"
#include "analysis/compile/partial_unit.h"
#include "analysis/pipeline/pipeline.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"

namespace heddle {

/// Calls `use` with the tree of `snapshot`. Returns an empty text, or why there is no tree. Takes little
/// longer than `limit`.
std::string withSyntaxTree(const Snapshot& snapshot, std::function<void(clang::ASTContext&)> use,
                           std::chrono::milliseconds limit = std::chrono::seconds(30));

/// As above; under a partial command with what it leaves out, and the words of its file.
std::string withPartialTree(const Snapshot& snapshot,
                            std::function<void(clang::ASTContext&, const PartialUnit&)> use,
                            std::chrono::milliseconds limit);

/// Errors and warnings of `snapshot` under its own flags and -Wall -Wextra; nullopt if Clang failed.
std::optional<std::vector<CompileMessage>> warningsOf(const Snapshot& snapshot);

/// Bytes [begin, end) of a file of the program.
struct FileSpan {
  clang::FileID file;
  size_t begin = 0, end = 0;
  bool contains(clang::FileID other, size_t offset) const {
    return file == other && begin <= offset && offset < end;
  }
};

/// Where a statement stands in its file, its semicolon included; a statement that a macro expands to stands
/// where the macro is used. nullopt: the statement begins and ends in different files.
std::optional<FileSpan> spanOf(const clang::Stmt& statement, const clang::ASTContext& context);

/// The text of a file of the program.
llvm::StringRef textOf(clang::FileID file, const clang::ASTContext& context);

/// The absolute path of a file of the program; empty if it has none.
std::string pathOf(clang::FileID file, const clang::ASTContext& context);

/// The file and offset of a place of a report; nullopt if no file of the program has that name or line.
std::optional<std::pair<clang::FileID, size_t>> offsetOf(const SourcePlace& place,
                                                         const clang::ASTContext& context);

}  // namespace heddle
