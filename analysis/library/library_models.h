// LibraryModels: models of library functions in C, for libraries that stand on threads: what the interpreter
// does not model itself is compiled from here and linked to a program that uses it.
//
// A model is plain C of its own, which needs no header of the library it stands for: a type is declared again
// as far as its layout counts. It says by `heddle_assumption` what it takes for granted.
//
// Threading: immutable.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace heddle {

struct LibraryModel {
  std::string_view name;                // of its file: "glib.c"
  std::string_view text;                // C
  std::vector<std::string_view> names;  // of the functions and variables that it defines for programs
  /// It takes the place of models of the interpreter, where an option asks for it (Environment::signals).
  bool isOnRequest = false;
};

/// All there are; each name is in one only, and has no model in the interpreter unless it `isOnRequest`.
std::span<const LibraryModel> libraryModels();

/// The functions and variables that a text of models defines for others: those whose definition begins a
/// line, and not with `static`; a variable has its value there.
std::vector<std::string_view> namesDefinedIn(std::string_view text);

}  // namespace heddle
