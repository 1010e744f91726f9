// Compiler: C text to LLVM IR, in this process and in memory.
//
// Uses an overlay file system for unsaved texts; writes nothing to disk and runs no other program. Code is
// made at -O0 with debug information and without optnone, then computed gotos and inline assembly are
// replaced, and of LLVM's passes only mem2reg runs, which cannot add or remove an access to memory that
// another thread can reach (local_promotion.h).
//
// Threading: a Compiler may be used by one thread at a time; several may exist. Never throws. A crash inside
// Clang is caught and reported as a failed compile.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analysis/compile/compile_command.h"
#include "analysis/report.h"
#include "analysis/support/declared_function.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace heddle {

struct CompileMessage {
  SourcePlace place;
  std::string text;
  bool isError = true;
  std::string missingHeader = {};  // as it is included; empty: the message is of something else
};

/// What kept a text from becoming a module: the text, or the compiler itself.
enum class CompileFailure : uint8_t { None, Errors, CompilerCrashed, CompilerStuck };

struct CompileResult {
  std::unique_ptr<llvm::LLVMContext> context;  // owns what `module` needs; declared first, destroyed last
  std::unique_ptr<llvm::Module> module;        // null when the file does not compile
  std::vector<CompileMessage> messages;        // errors and warnings in order
  std::vector<DeclaredFunction> declared;      // functions that the text calls and does not define
  std::vector<std::string> gaps;               // of a partial command: what is taken for granted, in words
  CompileFailure failure = CompileFailure::None;
  double seconds = 0;

  CompileResult();
  CompileResult(CompileResult&&) noexcept;
  CompileResult& operator=(CompileResult&&) noexcept;
  ~CompileResult();
};

struct CompileModes {
  bool keepLocals = false;     // every local stays in memory: one never written can be told from one that was
  bool checkOverflow = false;  // an operation on signed integers that overflows traps
  bool checkArrays = true;     // an index beyond an array inside of an object traps
};

class Compiler {
 public:
  Compiler();
  ~Compiler();
  /// `overlays`: unsaved texts of other files, by absolute path. May keep a preamble for `path` to be fast
  /// the next time.
  CompileResult compile(const std::string& path, const std::string& text, const CompileCommand& command,
                        const std::map<std::string, std::string>& overlays = {},
                        const CompileModes& modes = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle
