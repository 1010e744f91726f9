#include "analysis/survey/left_frees.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>

#include "analysis/support/name_words.h"
#include "analysis/survey/source_line.h"
#include "analysis/survey/tested_call.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

namespace heddle {
namespace {

/// Of functions behind which an object is used no more.
constexpr std::array<std::string_view, 17> kEndingObject = {
    "destroy", "free", "close",    "delete",  "fini",   "deinit",  "cleanup", "term",    "dispose",
    "exit",    "end",  "teardown", "release", "finish", "dealloc", "uninit",  "shutdown"};
/// Of functions behind which an object may be used no more, or is set up next.
constexpr std::array<std::string_view, 27> kAlsoEnding = {
    "clear",  "reset",  "done",  "clean",  "kill",       "del",    "destructor", "dtor",     "stop",
    "drop",   "unload", "purge", "detach", "disconnect", "remove", "flush",      "unref",    "deref",
    "decref", "put",    "gc",    "abort",  "fail",       "error",  "rollback",   "finalize", "terminate"};

bool endsObject(const clang::FunctionDecl& function) {
  const llvm::StringRef name = function.getName();
  return name.ends_with_insensitive("free") || hasWord({name.data(), name.size()}, kEndingObject);
}

bool mayEndObject(const clang::FunctionDecl& function) {
  const llvm::StringRef name = function.getName();
  return endsObject(function) || hasWord({name.data(), name.size()}, kAlsoEnding);
}

/// The variable that gets what the call gives back; null: there is none.
const clang::VarDecl* keptIn(const clang::Stmt& statement, const clang::Stmt& call) {
  const auto isCall = [&](const clang::Expr* value) { return value && value->IgnoreParenCasts() == &call; };
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(&statement)) {
    for (const clang::Decl* one : declared->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one); variable && isCall(variable->getInit()))
        return variable;
  } else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&statement)) {
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(binary->getLHS()->IgnoreParenCasts());
    if (binary->getOpcode() == clang::BO_Assign && reference && isCall(binary->getRHS()))
      return llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
  }
  return nullptr;
}

/// The ways of one function on which a place stays as it was freed.
class LeftWays {
 public:
  LeftWays(const clang::ASTContext& context, const FreeCalls& calls, const FreeFlow& flow,
           const FreePlace& place)
      : context_(context), calls_(calls), flow_(flow), place_(place) {}

  struct Exit {
    const clang::ReturnStmt* by = nullptr;  // null: the end of the text
    uint32_t line = 0;
  };

  /// From behind a step of the block.
  std::vector<Exit> exitsBehind(const clang::CFGBlock& block, const FreeStep& step) {
    run(block, &step, {});
    while (!open_.empty()) {
      const auto [next, state] = open_.back();
      open_.pop_back();
      run(*next, nullptr, state);
    }
    return exits_;
  }

  /// Some way behind the step gives the place itself another value.
  bool isSet() const { return isSet_; }

 private:
  /// What fills the place anew, unless it fails.
  struct State {
    const clang::Stmt* filledBy = nullptr;
    const clang::VarDecl* result = nullptr;  // of it
    auto operator<=>(const State&) const = default;
  };

  bool isOfObject(const clang::Expr& changed) const {
    const FreePlace other = freePlaceOf(changed);
    return mayChange(place_, changed) || (other.isBehind && other.root == place_.root);
  }

  bool fills(const FreeStep& step, bool& isAll) const {
    isAll = !place_.root->hasLocalStorage() && !step.isQuiet;
    bool isPart = false;
    for (const std::string& given : step.given) {
      if (given.empty()) continue;
      const std::string rootKey =
          place_.key.substr(0, place_.key.find(':') + 1) + place_.root->getName().str();
      if (given == rootKey) isAll = true;
      if (isWithin(place_.key, given) && given != place_.key) isPart = true;
      if (given == place_.key && !step.isQuiet) isAll = true;  // its address, or the freed pointer itself
      if (given.starts_with(rootKey) && !isWithin(place_.key, given) && !step.isQuiet) isAll = true;
    }
    return isPart;
  }

  void run(const clang::CFGBlock& block, const FreeStep* behind, State state) {
    const clang::ReturnStmt* by = nullptr;
    const auto& steps = flow_.steps.at(&block);
    auto step = steps.begin();
    while (behind && step != steps.end() && &*step++ != behind) {
    }
    std::map<const clang::Stmt*, const FreeStep*> known;
    for (; step != steps.end(); ++step) known[step->statement] = &*step;
    bool isOn = !behind;
    for (const clang::CFGElement& element : block) {
      const auto part = element.getAs<clang::CFGStmt>();
      if (!part) continue;
      const clang::Stmt& statement = *part->getStmt();
      if (!isOn) {
        isOn = &statement == behind->statement;
        continue;
      }
      by = llvm::dyn_cast<clang::ReturnStmt>(&statement);
      if (state.filledBy && !state.result) state.result = keptIn(statement, *state.filledBy);
      const auto found = known.find(&statement);
      if (found != known.end() && !goesOn(*found->second, state)) return;
    }
    if (block.hasNoReturnElement()) return;
    leave(block, by, state);
  }

  /// False: the place is not left behind the step.
  bool goesOn(const FreeStep& step, State& state) {
    for (const FreeStep::Free& one : step.frees)
      if (isWithin(place_.key, one.place.key)) return false;
    if (step.changed) {
      const FreePlace other = freePlaceOf(*step.changed);
      isSet_ |= other.key == place_.key;
      // The next element.
      const bool isIndex = other.isVariable() && other.root != place_.root;
      return isIndex || !isOfObject(*step.changed);
    }
    if (!step.isCall) return true;
    bool isAll = false;
    const bool isFilled = fills(step, isAll);
    if (isAll) return false;
    if (isFilled) {
      if (step.isQuiet || state.filledBy || step.statement->getStmtClass() != clang::Stmt::CallExprClass)
        return false;
      state = {step.statement, nullptr};
    }
    return true;
  }

  /// Whether the call that fills has failed on the first way; nothing: the block does not ask.
  std::optional<bool> isFailedFirst(const clang::CFGBlock& block, const State& state) const {
    const auto* last = branchCondition(block);
    if (!last) return std::nullopt;
    const clang::Expr* condition = last->IgnoreParenCasts();
    bool isFailed = true;
    if (const auto* comparison = llvm::dyn_cast<clang::BinaryOperator>(condition)) {
      if (comparison->getOpcode() != clang::BO_NE && comparison->getOpcode() != clang::BO_EQ)
        return std::nullopt;
      clang::Expr::EvalResult value;
      if (!comparison->getRHS()->EvaluateAsInt(value, context_) || value.Val.getInt() != 0)
        return std::nullopt;
      isFailed = comparison->getOpcode() == clang::BO_NE;
      condition = comparison->getLHS()->IgnoreParenCasts();
    }
    if (condition == state.filledBy) return isFailed;
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(condition);
    return reference && state.result && reference->getDecl() == state.result ? std::optional(isFailed)
                                                                             : std::nullopt;
  }

  void leave(const clang::CFGBlock& block, const clang::ReturnStmt* by, const State& state) {
    const auto test = calls_.nullTest(block);
    const auto failed = state.filledBy ? isFailedFirst(block, state) : std::nullopt;
    bool isFirst = true;
    for (const clang::CFGBlock::AdjacentBlock& next : block.succs()) {
      const bool isNull = test && test->first == place_.key && test->second == isFirst;
      const bool isFilled = failed && *failed != isFirst;
      isFirst = false;
      const clang::CFGBlock* to = next.getReachableBlock();
      if (!to || isNull || isFilled) continue;
      if (to == &flow_.graph->getExit())
        addExit(by, state);
      else if (const State out = failed ? State() : state; seen_.insert({to, out}).second)
        open_.push_back({to, out});
    }
  }

  /// An assertion that returns is no way that anybody thinks of.
  bool isOfAssertion(const clang::Stmt& statement) const {
    const clang::SourceManager& sources = context_.getSourceManager();
    for (clang::SourceLocation at = statement.getBeginLoc(); at.isMacroID();
         at = sources.getImmediateMacroCallerLoc(at))
      if (clang::Lexer::getImmediateMacroName(at, sources, context_.getLangOpts())
              .contains_insensitive("assert"))
        return true;
    return false;
  }

  void addExit(const clang::ReturnStmt* by, const State& state) {
    if (by && isOfAssertion(*by)) return;
    const clang::Expr* value = by ? by->getRetValue() : nullptr;
    // Its caller is told whether it is filled.
    if (state.filledBy && (!value || value->IgnoreParenCasts() != state.filledBy)) return;
    exits_.push_back({by, by ? lineOf(*by, context_) : 0});
  }

  const clang::ASTContext& context_;
  const FreeCalls& calls_;
  const FreeFlow& flow_;
  const FreePlace& place_;
  std::vector<std::pair<const clang::CFGBlock*, State>> open_;
  std::set<std::pair<const clang::CFGBlock*, State>> seen_;
  std::vector<Exit> exits_;
  bool isSet_ = false;
};

/// It is found by a parameter, or by a local variable that begins as what a parameter leads to.
bool isOfCaller(const FreePlace& place) {
  if (!place.root || !place.isBehind) return false;
  if (llvm::isa<clang::ParmVarDecl>(place.root)) return true;
  if (!place.root->hasLocalStorage()) return false;
  const clang::Expr* init = place.root->getInit();
  const FreePlace from = init ? freePlaceOf(*init) : FreePlace();
  return from.root && llvm::isa<clang::ParmVarDecl>(from.root);
}

/// The function has given the place its value itself, on some way to the step.
bool isOwnValue(const FreeFlow& flow, const clang::CFGBlock& block, const FreeStep& step,
                const FreePlace& place) {
  std::vector<const clang::CFGBlock*> open = {&block};
  std::set<const clang::CFGBlock*> seen;
  bool isFirst = true;
  while (!open.empty()) {
    const clang::CFGBlock* at = open.back();
    open.pop_back();
    for (const FreeStep& before : flow.steps.at(at)) {
      if (isFirst && &before == &step) break;
      if (before.changed && freePlaceOf(*before.changed).key == place.key) return true;
      // What is given the address of the place sets it.
      const auto names = [&](const std::vector<std::string>& all) {
        return std::find(all.begin(), all.end(), place.key) != all.end();
      };
      if (before.isCall && names(before.given) && !names(before.uses) && before.frees.empty()) return true;
    }
    isFirst = false;
    for (const clang::CFGBlock* previous : at->preds())
      if (previous && seen.insert(previous).second) open.push_back(previous);
  }
  return false;
}

/// Zero, or true: all went well.
bool isSuccess(const clang::ReturnStmt* by, const clang::ASTContext& context) {
  const clang::Expr* value = by ? by->getRetValue() : nullptr;
  if (!value || value->getType()->isPointerType()) return !value;
  clang::Expr::EvalResult result;
  if (!value->getType()->isIntegralOrEnumerationType() || !value->EvaluateAsInt(result, context))
    return false;
  return value->IgnoreParenCasts()->getType()->isBooleanType() ? result.Val.getInt() != 0
                                                               : result.Val.getInt() == 0;
}

}  // namespace

void LeftFrees::addEnded(const clang::FunctionDecl& function) {
  if (!endsObject(function)) return;
  for (const auto& [block, steps] : calls_.flowOf(function).steps)
    for (const FreeStep& step : steps)
      for (const FreeStep::Free& one : step.frees)
        if (!one.place.members.empty()) ended_.insert(one.place.members);
}

bool LeftFrees::isSetBehind(const FreeFlow& flow, const FreePlace& place) const {
  for (const auto& [block, steps] : flow.steps)
    for (const FreeStep& step : steps)
      for (const FreeStep::Free& one : step.frees) {
        if (one.place.key != place.key) continue;
        LeftWays ways(context_, calls_, flow, place);
        ways.exitsBehind(*block, step);
        if (ways.isSet()) return true;
      }
  return false;
}

void LeftFrees::look(const clang::FunctionDecl& function, Survey& survey) {
  const FreeFlow& flow = calls_.flowOf(function);
  if (!flow.frees || mayEndObject(function)) return;
  constexpr size_t kMostFrees = 64;  // of a function; each is followed to all exits
  size_t frees = 0;
  for (const auto& [block, steps] : flow.steps)
    for (const FreeStep& step : steps) frees += step.frees.size();
  if (frees > kMostFrees) return;
  std::map<std::string, ValueSlip> found;  // by place
  std::map<std::string, bool> isSetOf;     // by place: some way behind a free of it sets it
  for (const auto& [block, steps] : flow.steps)
    for (const FreeStep& step : steps)
      for (const FreeStep::Free& one : step.frees) {
        const FreePlace& place = one.place;
        if (one.isSet || !isOfCaller(place) || isOwnValue(flow, *block, step, place)) continue;
        LeftWays ways(context_, calls_, flow, place);
        std::vector<LeftWays::Exit> exits = ways.exitsBehind(*block, step);
        const bool isEnded = !place.members.empty() && ended_.contains(place.members);
        const auto [isSetAt, isNewPlace] = isSetOf.try_emplace(place.key, false);
        if (isNewPlace) isSetAt->second = isSetBehind(flow, place);
        const bool isSet = isSetAt->second;
        if (!isEnded)
          std::erase_if(exits, [&](const auto& exit) { return !isSet || isSuccess(exit.by, context_); });
        if (exits.empty()) continue;
        const auto first = std::min_element(exits.begin(), exits.end(),
                                            [](const auto& a, const auto& b) { return a.line < b.line; });
        const uint32_t end = first->by ? first->line : lineOf(function.getBody()->getEndLoc(), context_);
        const ValueSlip slip{
            ValueSlip::Kind::LeftFreed, place.text, function.getName().str(), step.line, end, step.callee};
        const auto [known, isNew] = found.try_emplace(place.key, slip);
        if (!isNew && slip.line < known->second.line) known->second = slip;
      }
  for (const auto& [key, slip] : found) survey.valueSlips.push_back(slip);
}

void LeftFrees::finish(Survey& survey) {
  for (const clang::FunctionDecl* function : functions_) addEnded(*function);
  for (const clang::FunctionDecl* function : functions_) look(*function, survey);
}

}  // namespace heddle
