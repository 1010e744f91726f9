#include "analysis/survey/data_name.h"

namespace heddle {

std::string memberName(const clang::MemberExpr& member) {
  const auto* field = llvm::dyn_cast<clang::FieldDecl>(member.getMemberDecl());
  if (!field) return "";
  llvm::StringRef record = field->getParent()->getName();
  if (const auto* named = field->getParent()->getTypedefNameForAnonDecl(); record.empty() && named)
    record = named->getName();
  return record.str() + "." + field->getName().str();
}

}  // namespace heddle
