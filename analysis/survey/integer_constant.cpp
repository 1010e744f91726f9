#include "analysis/survey/integer_constant.h"

namespace heddle {

std::optional<int64_t> integerConstant(const clang::Expr& expression, const clang::ASTContext& context) {
  if (expression.isValueDependent() || expression.containsErrors() || expression.getType().isNull() ||
      !expression.getType()->isIntegralOrEnumerationType())
    return std::nullopt;
  clang::Expr::EvalResult result;
  if (!expression.EvaluateAsInt(result, context)) return std::nullopt;
  const llvm::APSInt& value = result.Val.getInt();
  return value.isRepresentableByInt64() ? std::optional(value.getExtValue()) : std::nullopt;
}

}  // namespace heddle
