// SilentConditions: conditions of a file, static or in its own structures, that it waits for and never
// signals, and that it gives to nobody else: who waits there waits for ever.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "analysis/survey/survey.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace heddle {

class SilentConditions {
 public:
  /// In the order of the text.
  void add(const clang::VarDecl& variable);
  void add(const clang::RecordDecl& record);
  /// The initial value of a variable, which may hand conditions over.
  void addValue(const clang::Stmt& value);
  /// `text` is (part of) the body of `function`.
  void add(const clang::Stmt& text, const clang::FunctionDecl& function);
  /// By name, as data is named: who waits, and where.
  std::map<std::string, SurveyWait> found() const;

 private:
  struct Uses {
    unsigned all = 0, known = 0;  // known: in a wait without a time limit, or set up or taken down
    SurveyWait wait;              // the first; line 0: none
  };
  std::map<const clang::ValueDecl*, Uses> conditions_;
};

}  // namespace heddle
