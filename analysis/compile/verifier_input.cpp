#include "analysis/compile/verifier_input.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Type.h"

namespace heddle {

std::string verifierInput(const clang::ASTContext& context, const clang::QualType& type) {
  if (const auto* enumeration = type->getAs<clang::EnumType>()) {
    // Its type has no sign where no enumerator is negative.
    const clang::QualType underlying = enumeration->getDecl()->getIntegerType();
    return underlying.isNull() ? "int" : verifierInput(context, underlying);
  }
  if (type->isBooleanType()) return "bool";
  if (type->isRealFloatingType()) return context.getTypeSize(type) == 32 ? "float" : "double";
  if (!type->isIntegerType()) return "";
  const std::string sign = type->isUnsignedIntegerType() ? "u" : "";
  switch (context.getTypeSize(type)) {
    case 8:
      return sign + "char";
    case 16:
      return sign + "short";
    case 32:
      return sign + "int";
    case 64:
      return sign + "longlong";
    default:
      return "";
  }
}

std::string inputDeclaration(const std::string& input) {
  std::string type = input == "bool"          ? "_Bool"
                     : input.starts_with("u") ? "unsigned " + input.substr(1)
                                              : input;
  if (const size_t at = type.find("longlong"); at != std::string::npos) type.replace(at, 8, "long long");
  return "extern " + type + " __VERIFIER_nondet_" + input + "(void);";
}

}  // namespace heddle
