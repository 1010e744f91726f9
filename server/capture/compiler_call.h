// CompilerCall: what one executed command compiles, as entries of a compile_commands.json.
//
// Compilers of C are known by their names (`cc`, `gcc-12`, `x86_64-linux-gnu-gcc`, `clang`, `ccache gcc`). A
// call that compiles no C file (one that links, only preprocesses, only lists headers or asks for a version)
// has no entries; nor has what `configure`, CMake and Meson compile to try the compiler.
//
// Threading: pure functions, except that response files (`@file`) are read, relative to the call's folder.
#pragma once

#include <string>
#include <vector>

namespace heddle {

struct CapturedEntry {
  std::string directory;               // absolute
  std::string file;                    // as the call has it
  std::string output;                  // as the call has it; empty: the compiler's choice
  std::vector<std::string> arguments;  // the compiler first; without other inputs and outputs

  friend bool operator==(const CapturedEntry&, const CapturedEntry&) = default;
};

/// The command is a compiler of C or what starts one (`ccache`), whatever it is asked to do.
bool isCompilerCall(const std::vector<std::string>& arguments);

/// One entry for each C file that the command compiles, in the order of the command. `directory`: absolute,
/// where it runs.
std::vector<CapturedEntry> entriesOf(const std::vector<std::string>& arguments, const std::string& directory);

/// The words of a response file, as compilers split it: blanks separate, quotes and backslashes hold
/// together.
std::vector<std::string> responseWords(const std::string& text);

}  // namespace heddle
