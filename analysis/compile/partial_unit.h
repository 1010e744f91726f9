// PartialUnit: what a text that does not compile leaves: each function in which an error is stays declared
// and loses its body, so that calls of it are calls of a function that is not defined; other declarations in
// which an error is are left out, with the functions that use them or a type that rests on them. For files
// whose headers are not there: what does not need them can be explored.
//
// Threading: everything here is called on the guarded thread of one run of Clang.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceLocation.h"

#include "analysis/source_place.h"

namespace clang {
class CompilerInstance;
}

namespace heddle {

struct PartialUnit {
  struct LeftOut {
    std::string name;
    bool isStatic = false;  // no other file defines it
    SourcePlace place;
  };
  std::vector<clang::SourceLocation> errors;  // of the run so far
  std::vector<LeftOut> functions;
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

/// After the diagnostics were created: no number of errors ends the run.
void goOnPastErrors(clang::CompilerInstance& instance);

/// What is handed on to `inner` has no errors, and no diagnostics say that there were any.
std::unique_ptr<clang::ASTConsumer> partialConsumer(std::unique_ptr<clang::ASTConsumer> inner,
                                                    PartialUnit& unit);

}  // namespace heddle
