// TypeSurvey: what a harness needs to know about Clang's types.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <map>
#include <vector>

#include "analysis/survey/survey.h"
#include "clang/AST/ASTContext.h"

namespace heddle {

class TypeSurvey {
 public:
  /// Adds records to `records`, each once. Both references must outlive it.
  TypeSurvey(clang::ASTContext& context, std::vector<SurveyRecord>& records);
  SurveyType of(clang::QualType type);
  /// Whether it is a pointer, or a pointer to one, to a record that was met before.
  bool knows(clang::QualType type) const;

 private:
  uint32_t record(clang::QualType type);
  std::string spelled(clang::QualType type, const std::string& name = "@") const;
  SurveySignature::Part part(clang::QualType type) const;
  /// The parameter's type, as a function has it that changes no object: buffers, and what results are left
  /// in, are none.
  clang::QualType unchanged(const clang::FunctionProtoType& type, unsigned index) const;
  void addFunction(const clang::FunctionProtoType& type, SurveyType& out) const;

  clang::ASTContext& context_;
  std::vector<SurveyRecord>& records_;
  clang::PrintingPolicy policy_;
  std::map<const void*, uint32_t> known_;  // by canonical type
};

/// "mutex", "cond", …: which type of the thread library it is; empty: none.
std::string lockKind(clang::QualType type);

}  // namespace heddle
