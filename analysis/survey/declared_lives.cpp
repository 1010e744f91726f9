#include "analysis/survey/declared_lives.h"

#include <algorithm>
#include <map>
#include <vector>

#include "analysis/repair/syntax_tree.h"
#include "analysis/survey/life_names.h"
#include "clang/AST/Decl.h"

namespace heddle {
namespace {

constexpr size_t kMostDeclared = 400;

/// It gives, or is given, an object of a record that is known.
bool isOfKnown(const clang::FunctionDecl& function, const TypeSurvey& types) {
  if (types.knows(function.getReturnType())) return true;
  return std::any_of(function.parameters().begin(), function.parameters().end(),
                     [&](const clang::ParmVarDecl* parameter) { return types.knows(parameter->getType()); });
}

}  // namespace

bool isOfSystemFolder(const std::string& path) {
  return path.empty() || path.starts_with("/usr/");
}

void surveyDeclared(clang::ASTContext& context, TypeSurvey& types, Survey& survey) {
  const clang::SourceManager& sources = context.getSourceManager();
  std::map<std::string, const clang::FunctionDecl*> open;
  for (const clang::Decl* declaration : context.getTranslationUnitDecl()->decls()) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
    if (!function || function->isDefined() || function->isVariadic() || !function->getIdentifier() ||
        !function->hasExternalFormalLinkage())
      continue;
    const std::string name = function->getName().str();
    if (!isSetUp(name) && !isTakeDown(name)) continue;
    const clang::FileID file = sources.getFileID(sources.getExpansionLoc(function->getLocation()));
    if (!isOfSystemFolder(pathOf(file, context))) open.try_emplace(name, function);
  }
  // What sets an object up may need another one, which is known from then on.
  for (bool isNew = true; isNew && survey.declared.size() < kMostDeclared;) {
    isNew = false;
    for (auto next = open.begin(); next != open.end() && survey.declared.size() < kMostDeclared;) {
      const clang::FunctionDecl& function = *next->second;
      if (!isOfKnown(function, types)) {
        ++next;
        continue;
      }
      SurveyFunction& found = survey.declared.emplace_back();
      found.name = next->first;
      found.isDeclared = true;
      for (const clang::ParmVarDecl* parameter : function.parameters())
        found.parameters.emplace_back(parameter->getName().str(), types.of(parameter->getType()));
      found.result = types.of(function.getReturnType());
      next = open.erase(next);
      isNew = true;
    }
  }
}

}  // namespace heddle
