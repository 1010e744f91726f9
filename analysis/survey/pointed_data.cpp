#include "analysis/survey/pointed_data.h"

#include <algorithm>

#include "analysis/survey/data_name.h"
#include "analysis/survey/type_survey.h"

namespace heddle {

void PointedData::add(const clang::Expr& pointer, bool isWrite, const std::set<std::string>& held,
                      uint32_t line) {
  const clang::Expr* stripped = pointer.IgnoreParenCasts();
  const clang::QualType type = stripped->getType();
  const clang::QualType target =
      type->isPointerType() ? type->getPointeeType() : context_.getBaseElementType(type);
  // Members of records have names of their own, whatever leads to them.
  const bool isPlain =
      target->isVoidType() || (target->isScalarType() && !target->isAtomicType() && lockKind(target).empty());
  SurveyAccess found;
  if (isPlain) found.data = dataName(*stripped);
  if (found.data.empty()) return;
  found.isWrite = isWrite;
  found.held = held;
  const auto isSame = [&](const SurveyAccess& known) {
    return known.data == found.data && known.isWrite == found.isWrite && known.held == found.held;
  };
  auto known = std::find_if(out_.pointed.begin(), out_.pointed.end(), isSame);
  if (known == out_.pointed.end()) known = out_.pointed.insert(known, std::move(found));
  known->lines.insert(line);
}

void PointedData::addPassed(const clang::CallExpr& call, const std::set<std::string>& held, uint32_t line) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  for (unsigned i = 0; callee && i < call.getNumArgs() && i < callee->getNumParams(); ++i) {
    const clang::QualType type = callee->getParamDecl(i)->getType();
    if (type->isPointerType()) add(*call.getArg(i), !type->getPointeeType().isConstQualified(), held, line);
  }
}

}  // namespace heddle
