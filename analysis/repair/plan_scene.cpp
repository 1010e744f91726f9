#include "analysis/repair/plan_scene.h"

#include <algorithm>
#include <set>

#include "analysis/repair/lock_calls.h"
#include "analysis/repair/lock_declaration.h"
#include "analysis/support/word.h"

namespace heddle {

using clang::Stmt;

std::string quotedList(const std::vector<std::string>& names) {
  std::string out;
  for (size_t i = 0; i < names.size(); ++i)
    out += (i == 0 ? "'" : i + 1 == names.size() ? " and '" : ", '") + names[i] + "'";
  return out;
}

std::string identifierOf(const std::string& object) {
  size_t end = 0;
  while (end < object.size() && isWordCharacter(object[end])) ++end;
  // "heap object allocated at a.c:12" is a description, no name; of "pool->stop" the pointer alone has one.
  const bool isNone = (end < object.size() && object[end] == ' ') || object.find("->") != std::string::npos;
  return isNone ? "" : object.substr(0, end);
}

const FunctionShape* PlanScene::shapeOf(const std::string& function) {
  const auto known = shapes_.find(function);
  if (known != shapes_.end()) return known->second.get();
  for (const clang::FunctionDecl* defined : definedFunctions(context))
    if (defined->getName() == function)
      return (shapes_[function] = std::make_unique<FunctionShape>(*defined, context)).get();
  fail("function '" + function + "' is not defined in this file");
  return nullptr;
}

const Stmt* PlanScene::statementAt(const SourceAccess& access, const FunctionShape*& shape) {
  shape = shapeOf(access.place.function);
  if (shape == nullptr) return nullptr;
  const auto at = offsetOf(access.place, context);
  const Stmt* found = at ? shape->statementAt(at->first, at->second) : nullptr;
  if (found == nullptr)
    fail("line " + std::to_string(access.place.line) + ": no statement of '" + access.place.function +
         "' stands there (is it inside a macro of another file?)");
  return found;
}

const std::vector<std::string>& PlanScene::reachedFrom(const std::string& function) {
  const auto known = reached_.find(function);
  if (known != reached_.end()) return known->second;
  std::map<std::string, const clang::FunctionDecl*> defined;
  for (const clang::FunctionDecl* f : definedFunctions(context)) defined[f->getName().str()] = f;
  std::vector<std::string> found = {function};
  for (size_t i = 0; i < found.size(); ++i) {
    const auto body = defined.find(found[i]);
    if (body == defined.end()) continue;
    for (const Stmt* s : FunctionShape::below(body->second->getBody()))
      if (const auto* call = llvm::dyn_cast<clang::CallExpr>(s)) {
        const std::string name = calleeName(*call);
        if (!name.empty() && std::find(found.begin(), found.end(), name) == found.end())
          found.push_back(name);
      }
  }
  return reached_[function] = found;
}

bool PlanScene::contains(const Stmt* statement, const SourceAccess& access) const {
  const auto at = offsetOf(access.place, context);
  const auto span = spanOf(*statement, context);
  return at && span && span->contains(at->first, at->second);
}

bool PlanScene::calls(const Stmt* statement, const std::string& function) {
  for (const Stmt* s : FunctionShape::below(statement)) {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(s);
    if (call == nullptr || calleeName(*call).empty()) continue;
    const std::vector<std::string>& reached = reachedFrom(calleeName(*call));
    if (std::find(reached.begin(), reached.end(), function) != reached.end()) return true;
  }
  return false;
}

PlacedRegion PlanScene::place(const std::vector<SourceAccess>& region) {
  std::set<std::string> functions;
  for (const SourceAccess& access : region) functions.insert(access.place.function);
  const auto reachesAll = [&](const std::string& from) {
    const std::vector<std::string>& reached = reachedFrom(from);
    return std::all_of(functions.begin(), functions.end(), [&](const std::string& f) {
      return std::find(reached.begin(), reached.end(), f) != reached.end();
    });
  };
  // The innermost function from which all are called: the accesses' own, then what the thread runs.
  std::string home;
  if (functions.size() == 1) home = *functions.begin();
  for (const std::string& f : functions)
    if (home.empty() && reachesAll(f)) home = f;
  if (home.empty() && !region.empty()) {
    size_t fewest = SIZE_MAX;
    for (const clang::FunctionDecl* defined : definedFunctions(context)) {
      const std::string name = defined->getName().str();
      if (!reachesAll(name) || reachedFrom(name).size() >= fewest) continue;
      fewest = reachedFrom(name).size();
      home = name;
    }
  }
  PlacedRegion placed;
  if (home.empty()) {
    fail("no function calls all the functions that one critical section would have to cover");
    return placed;
  }
  for (const SourceAccess& access : region) {
    if (access.place.function == home) {
      if (const Stmt* s = statementAt(access, placed.shape)) placed.statements.push_back(s);
      continue;
    }
    placed.shape = shapeOf(home);
    if (placed.shape == nullptr) return placed;
    for (const Stmt* s : FunctionShape::below(placed.shape->body())) {
      const auto* call = llvm::dyn_cast<clang::CallExpr>(s);
      if (call == nullptr || calleeName(*call).empty()) continue;
      const std::vector<std::string>& reached = reachedFrom(calleeName(*call));
      if (std::find(reached.begin(), reached.end(), access.place.function) == reached.end()) continue;
      const auto span = spanOf(*call, context);
      const Stmt* around = span ? placed.shape->statementAt(span->file, span->begin) : nullptr;
      if (around != nullptr) placed.statements.push_back(around);
    }
  }
  if (placed.statements.empty()) fail("no statement contains the accesses");
  return placed;
}

}  // namespace heddle
