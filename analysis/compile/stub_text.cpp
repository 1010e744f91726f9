#include "analysis/compile/stub_text.h"

#include <set>

#include "analysis/compile/verifier_input.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Type.h"

namespace heddle {
namespace {

class StubWriter {
 public:
  explicit StubWriter(const clang::FunctionDecl& declared)
      : context_(declared.getASTContext()), declared_(declared), policy_(context_.getPrintingPolicy()) {
    policy_.Bool = false;
    policy_.SuppressTagKeyword = false;
  }

  std::string write() {
    std::string parameters;
    unsigned number = 0;
    for (const clang::ParmVarDecl* parameter : declared_.parameters()) {
      std::string name = parameter->getName().str();
      // Names of the implementation are no names for a program.
      if (name.empty() || name.starts_with("_")) name = "a" + std::to_string(number);
      ++number;
      parameters += (parameters.empty() ? "" : ", ") + declarator(parameter->getType(), name);
      body_ += "  (void)" + name + ";\n";
      addTarget(parameter->getType(), name);
    }
    if (declared_.isVariadic() && !parameters.empty()) parameters += ", ...";
    if (parameters.empty()) parameters = "void";
    addReturn(declared_.getReturnType());
    std::string inputs;
    for (const std::string& name : inputs_) inputs += inputDeclaration(name) + "\n";
    return inputs +
           declarator(declared_.getReturnType(), declared_.getName().str() + "(" + parameters + ")") +
           " {\n" + body_ + "}\n";
  }

 private:
  std::string declarator(clang::QualType type, const std::string& inner) const {
    std::string text;
    llvm::raw_string_ostream stream(text);
    type.print(stream, policy_, inner);
    return text;
  }

  /// "__VERIFIER_nondet_int()"; empty: the type is no number.
  std::string input(clang::QualType type) {
    const std::string name = verifierInput(context_, type);
    if (name.empty()) return "";
    inputs_.insert(name);
    return "__VERIFIER_nondet_" + name + "()";
  }

  void addTarget(clang::QualType type, const std::string& name) {
    if (!type->isPointerType()) return;
    const clang::QualType target = type->getPointeeType();
    if (target.isConstQualified() || target->isFunctionType() || target->isVoidType() ||
        target->isIncompleteType())
      return;
    if (const clang::RecordDecl* record = target->getAsRecordDecl()) {
      if (record->isUnion()) return;
      for (const clang::FieldDecl* field : record->fields()) {
        if (field->getName().empty() || field->getType().isConstQualified()) continue;
        const std::string value = input(field->getType());
        if (!value.empty()) body_ += "  " + name + "->" + field->getName().str() + " = " + value + ";\n";
      }
      return;
    }
    if (target->isPointerType()) {
      body_ += "  if (" + name + ") *" + name + " = 0;  // or what it gives\n";
      return;
    }
    const std::string value = input(target);
    if (!value.empty()) body_ += "  if (" + name + ") *" + name + " = " + value + ";\n";
  }

  void addReturn(clang::QualType type) {
    if (type->isVoidType()) return;
    if (const std::string value = input(type); !value.empty()) {
      body_ += "  return " + value + ";\n";
      return;
    }
    if (!type->isPointerType()) {
      body_ += "  static " + declarator(type, "result") + ";\n  return result;\n";
      return;
    }
    const clang::QualType target = type->getPointeeType().getUnqualifiedType();
    const bool isKnown = !target->isVoidType() && !target->isIncompleteType() && !target->isFunctionType();
    if (target->isAnyCharacterType())
      body_ += "  static char result[8];\n";
    else if (isKnown)
      body_ += "  static " + declarator(target, "result") + ";\n";
    else
      body_ += "  static long result;\n";
    body_ += isKnown && !target->isAnyCharacterType()
                 ? "  return &result;\n"
                 : "  return (" + declarator(type, "") + ")" +
                       (target->isAnyCharacterType() ? "result" : "&result") + ";\n";
  }

  const clang::ASTContext& context_;
  const clang::FunctionDecl& declared_;
  clang::PrintingPolicy policy_;
  std::set<std::string> inputs_;
  std::string body_;
};

}  // namespace

std::string stubText(const clang::FunctionDecl& declared) {
  return StubWriter(declared).write();
}

}  // namespace heddle
