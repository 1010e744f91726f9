#include "analysis/survey/passed_arrays.h"

#include <algorithm>

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace heddle {

void PassedArrays::add(const clang::Stmt& text) {
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&text)) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const bool isOwn = callee && callee->getIdentifier() && callee->getStorageClass() == clang::SC_Static;
    for (unsigned i = 0; isOwn && i < call->getNumArgs(); ++i) {
      const std::pair<std::string, unsigned> key(callee->getName().str(), i);
      const clang::QualType type = call->getArg(i)->IgnoreParenCasts()->getType();
      const clang::ConstantArrayType* array = context_.getAsConstantArrayType(type);
      // A text has an end of its own.
      const bool isText = llvm::isa<clang::StringLiteral>(call->getArg(i)->IgnoreParenCasts());
      const clang::QualType pointed = i < callee->getNumParams()
                                          ? callee->getParamDecl(i)->getType()->getPointeeType()
                                          : clang::QualType();
      const bool isSame = array && !pointed.isNull() && pointed->isIntegerType() &&
                          context_.getTypeSize(pointed) == context_.getTypeSize(array->getElementType());
      // One of a single element may go on behind a structure's end.
      if (!isSame || isText || !array->getElementType()->isIntegerType() || array->getZExtSize() <= 1) {
        others_.insert(key);
        continue;
      }
      const uint64_t size = array->getZExtSize();
      const auto [known, isNew] = arrays_.try_emplace(key, size);
      if (!isNew) known->second = std::min(known->second, size);
    }
  }
  for (const clang::Stmt* part : text.children())
    if (part) add(*part);
}

std::map<std::string, std::map<unsigned, uint64_t>> PassedArrays::found() const {
  std::map<std::string, std::map<unsigned, uint64_t>> found;
  for (const auto& [key, size] : arrays_)
    if (!others_.contains(key) && size > 0) found[key.first][key.second] = size;
  return found;
}

}  // namespace heddle
