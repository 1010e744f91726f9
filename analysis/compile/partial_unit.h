// PartialUnit: what remains of a text that does not compile. A function with an error in it stays declared
// and loses its body, so that calls of it are calls of a function that is not defined. Other declarations
// with an error in them are left out, together with the functions that use them or a type that rests on them.
// This is for files whose headers are missing: the parts that do not need the headers can be explored.
//
// Threading: everything here is called on the guarded thread of one run of Clang.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceLocation.h"

#include "analysis/compile/written_words.h"
#include "analysis/source_place.h"

namespace clang {
class CompilerInstance;
class FunctionDecl;
class Stmt;
}  // namespace clang

namespace heddle {

struct PartialUnit {
  struct Error {
    clang::SourceLocation place;
    bool isOfSyntax = false;  // what stands behind it may have been skipped
  };
  struct LeftOut {
    std::string name;
    bool isStatic = false;  // no other file defines it
    SourcePlace place;
    clang::FunctionDecl* function = nullptr;  // while the tree is alive, as `body`
    clang::Stmt* body = nullptr;              // that it had
    bool isParsed = false;                    // no error in it is one of syntax
  };
  std::vector<Error> errors;  // of the run so far
  std::vector<LeftOut> functions;
  std::set<std::string> unknownTypes;  // names that stand for a type and that nothing declares
  WrittenWords words;                  // of the file, where somebody keeps them
};

/// Passes everything on to `inner`, and keeps where errors are.
class ErrorPlaces : public clang::DiagnosticConsumer {
 public:
  ErrorPlaces(PartialUnit& unit, std::unique_ptr<clang::DiagnosticConsumer> inner)
      : unit_(unit), inner_(std::move(inner)) {}
  // NOLINTNEXTLINE(readability-identifier-naming): a name that Clang calls
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override;

 private:
  PartialUnit& unit_;
  std::unique_ptr<clang::DiagnosticConsumer> inner_;
};

/// Must be called after the diagnostics were created. From then on no number of errors ends the run.
void goOnPastErrors(clang::CompilerInstance& instance);

/// Hands on to `inner` only what has no errors, and hides from it that there were any.
std::unique_ptr<clang::ASTConsumer> partialConsumer(std::unique_ptr<clang::ASTConsumer> inner,
                                                    PartialUnit& unit);

}  // namespace heddle
