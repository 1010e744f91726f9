#include "analysis/survey/function_paths.h"

#include <algorithm>
#include <tuple>

#include "analysis/survey/block_states.h"
#include "analysis/survey/function_flows.h"
#include "analysis/survey/source_line.h"
#include "analysis/survey/tested_call.h"

namespace heddle {
namespace {

bool isReturning(const clang::CFGBlock& block) {
  return std::any_of(block.begin(), block.end(), [](const clang::CFGElement& element) {
    const auto statement = element.getAs<clang::CFGStmt>();
    return statement && llvm::isa<clang::ReturnStmt>(statement->getStmt());
  });
}

/// Some way leads on from one to the other.
bool isReachable(const clang::CFGBlock& from, const clang::CFGBlock& to) {
  std::set<const clang::CFGBlock*> seen;
  std::vector<const clang::CFGBlock*> open = {&from};
  while (!open.empty()) {
    const clang::CFGBlock* next = open.back();
    open.pop_back();
    for (const clang::CFGBlock* successor : next->succs()) {
      if (successor == &to) return true;
      if (successor && seen.insert(successor).second) open.push_back(successor);
    }
  }
  return false;
}

/// What jumps away, or the block's last statement; null: it has none.
const clang::Stmt* endOf(const clang::CFGBlock& block) {
  if (const clang::Stmt* terminator = block.getTerminatorStmt()) return terminator;
  for (auto element = block.rbegin(); element != block.rend(); ++element)
    if (const auto statement = element->getAs<clang::CFGStmt>()) return statement->getStmt();
  return nullptr;
}

bool isConstant(const clang::Expr* argument) {
  const clang::Expr* stripped = argument->IgnoreParenCasts();
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(stripped);
  return llvm::isa<clang::IntegerLiteral>(stripped) || llvm::isa<clang::CXXBoolLiteralExpr>(stripped) ||
         (reference && llvm::isa<clang::EnumConstantDecl>(reference->getDecl()));
}

const clang::FunctionDecl* bodyOf(const clang::FunctionDecl& function) {
  const clang::FunctionDecl* definition = function.getDefinition();
  return definition && definition->hasBody() ? definition : nullptr;
}

bool forks(const FunctionCalls& calls) {
  return std::any_of(calls.all.begin(), calls.all.end(), [](const clang::CallExpr* call) {
    return hasWord(call->getDirectCallee()->getName(), {"fork", "vfork", "clone"});
  });
}

}  // namespace

FunctionPaths::FunctionPaths(FileLocks& file, const clang::FunctionDecl& function)
    : file_(file),
      function_(function),
      calls_(file.callsOf(function)),
      graph_(file.flows().graphOf(function)),
      forks_(forks(calls_)) {}

std::optional<FunctionPaths::Operation> FunctionPaths::operationOf(const clang::CallExpr& call) const {
  const llvm::StringRef name = call.getDirectCallee()->getName();
  const LockCall what = lockCallOf(name);
  if (what == LockCall::None || call.getNumArgs() == 0) return std::nullopt;
  const bool isOfLock = hasLockArgument(call);
  // References and other things are acquired and released, too.
  if (!isOfLock && !hasWord(name, {"lock", "unlock", "trylock", "rdlock", "wrlock", "rlock", "wlock",
                                   "runlock", "wunlock", "mutex"}))
    return std::nullopt;
  const clang::Expr* argument = lockArgument(call);
  if (!argument->getType()->isPointerType()) return std::nullopt;
  std::optional<LockPlace> place = lockPlaceOf(*argument);
  if (!place) return std::nullopt;
  if (!isOfLock) {
    // An object may have several locks, which a further argument tells apart.
    if (call.getNumArgs() > 1) {
      const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(call.getArg(1)->IgnoreParenCasts());
      if (!reference) return std::nullopt;
      place->text += " (" + reference->getDecl()->getName().str() + ")";
    }
    place->name.clear();
    place->parameter = -1;
  }
  const bool maybe = isTry(name) || calls_.stored.contains(&call);
  return Operation{std::move(*place), what, what == LockCall::Lock && maybe};
}

void FunctionPaths::noteOrder(const std::string& name, uint32_t line, const States& states,
                              const std::set<std::string>& released) {
  for (const auto& [text, state] : states) {
    const std::string& first = ways_.places.at(text).name;
    if (state.isHeld() && !first.empty() && first != name && !released.contains(first))
      order_.try_emplace({first, name}, line);
  }
}

void FunctionPaths::apply(const Operation& operation, const clang::CallExpr& call, States& states,
                          bool isTold) {
  const std::string& text = operation.place.text;
  ways_.places.try_emplace(text, operation.place);
  LockState& state = states[text];
  const uint32_t line = lineOf(call, file_.context());
  const llvm::StringRef name = call.getDirectCallee()->getName();
  if (isTold && operation.call == LockCall::Lock) {
    const bool mayBeAgain =
        file_.hasRecursive() || operation.maybe ||
        hasWord(name, {"rdlock", "rlock", "read", "shared", "reader", "rd", "recursive", "rec"});
    if (state.isHeld() && !mayBeAgain)
      slips_.push_back({LockSlip::Kind::TakenTwice, text, line, state.line, ""});
    if ((state.bits & (kUntouched | kBegun)) != 0) takes_.push_back(operation.place);
    if (!operation.place.name.empty() && !operation.maybe) {
      names_.insert(operation.place.name);
      noteOrder(operation.place.name, line, states);
    }
  }
  if (operation.call == LockCall::Unlock && (state.bits & kUntouched) != 0)
    gives_.insert(operation.place.name);
  if (isTold && operation.call == LockCall::Unlock && state.isFree())
    slips_.push_back({LockSlip::Kind::ReleasedTwice, text, line, state.line, ""});
  // A macro that destroys may take and release what it could not destroy.
  if (isTold && state.bits == kDestroyed && state.line != line)
    slips_.push_back({LockSlip::Kind::UsedDestroyed, text, line, state.line, ""});
  const uint8_t bits = bitsAfter(state.bits, operation.call);
  state.bits = operation.maybe ? static_cast<uint8_t>(bits | state.bits) : bits;
  state.line = line;
}

/// What a function of the file does to locks that its caller knows.
void FunctionPaths::followCallee(const clang::CallExpr& call, const clang::FunctionDecl& callee,
                                 States& states, bool isTold) {
  const LockSummary& summary = file_.summaryOf(callee);
  const uint32_t line = lineOf(call, file_.context());
  const auto seen = [&](const LockPlace& place) {
    if (place.parameter >= 0) return placeInCaller(place, call);
    return place.variables.empty() ? std::optional(place) : std::nullopt;
  };
  // Where the caller says by a constant which way to go, ways that the callee may take tell nothing.
  const bool isSteered = std::any_of(call.arg_begin(), call.arg_end(), isConstant);
  for (const LockSummary::Taken& taken : summary.takes) {
    const std::optional<LockPlace> place = seen(taken.place);
    if (!place) continue;
    const auto known = states.find(place->text);
    const LockState before = known == states.end() ? LockState{} : known->second;
    if (isTold && before.isHeld() && !file_.hasRecursive() && (taken.isAlways || !isSteered))
      slips_.push_back({LockSlip::Kind::TakenTwice, place->text, line, before.line, callee.getName().str()});
    if ((before.bits & (kUntouched | kBegun)) == 0) continue;
    if (isTold) takes_.push_back(*place);
    if (!taken.isAlways) continue;
    ways_.places.try_emplace(place->text, *place);
    states[place->text] = {static_cast<uint8_t>((before.bits & ~(kUntouched | kBegun)) | kReleased), line};
  }
  if (isTold) {
    for (const std::string& name : summary.names) {
      names_.insert(name);
      noteOrder(name, line, states, summary.gives);
    }
    for (const std::string& name : summary.gives) {
      const bool isOwn = std::any_of(states.begin(), states.end(), [&](const auto& one) {
        return one.second.isHeld() && ways_.places.at(one.first).name == name;
      });
      if (!isOwn) gives_.insert(name);
    }
  }
  for (const LockPlace& inner : summary.maybe)
    if (const std::optional<LockPlace> place = seen(inner)) {
      ways_.places.try_emplace(place->text, *place);
      states[place->text].bits = kUnknown;
    }
  for (const LockPlace& inner : summary.begun)
    if (const std::optional<LockPlace> place = seen(inner)) begin(*place, line, states, isTold);
  for (const LockPlace& inner : summary.ended)
    if (const std::optional<LockPlace> place = seen(inner)) end(*place, line, states, isTold);
  for (const auto& [inner, effect] : summary.effects)
    if (const std::optional<LockPlace> place = seen(inner))
      apply({*place, effect, effect == LockCall::Lock && calls_.stored.contains(&call)}, call, states, false);
}

void FunctionPaths::begin(const LockPlace& place, uint32_t line, States& states, bool isTold) {
  ways_.places.try_emplace(place.text, place);
  LockState& state = states[place.text];
  if (isTold && (state.bits & kDestroyed) == 0) begun_.push_back({place, line, block_});
  if (isTold && (state.bits & ~(kHeld | kReleased)) == 0 && !forks_)
    slips_.push_back({LockSlip::Kind::BegunLate, place.text, line, state.line, ""});
  state = {kBegun, line};
}

void FunctionPaths::runLife(const clang::CallExpr& call, LifeCall what, States& states, bool isTold) {
  const auto place = lockPlaceOf(*lockArgument(call));
  if (!place) return;
  const uint32_t line = lineOf(call, file_.context());
  if (what == LifeCall::Begin) return begin(*place, line, states, isTold);
  if (const auto known = states.find(place->text); isTold && known != states.end() && known->second.isHeld())
    slips_.push_back({LockSlip::Kind::Destroyed, place->text, line, known->second.line, ""});
  // A loop that does nothing else ends it again in each turn.
  const LockState before = states[place->text];
  const bool isAgain = before.bits == (kUntouched | kDestroyed) && before.line == line;
  if (isTold && isAgain && calls_.loops.contains(&call))
    slips_.push_back({LockSlip::Kind::DestroyedTwice, place->text, line, 0, ""});
  // Who looks at the result may try again.
  end(*place, line, states, isTold && calls_.dropped.contains(&call));
}

void FunctionPaths::end(const LockPlace& place, uint32_t line, States& states, bool isTold) {
  ways_.places.try_emplace(place.text, place);
  ended_.insert(place.text);
  LockState& state = states[place.text];
  if (isTold && state.bits == kDestroyed)
    slips_.push_back({LockSlip::Kind::DestroyedTwice, place.text, line, state.line, ""});
  if (isTold && state.bits == kUntouched) endedUnbegun_.push_back({place, line, block_});
  state = {kDestroyed, line};
}

/// What the function has made itself, or filled with zeros, it may initialize.
void FunctionPaths::addBegun(SurveyFunction& out) const {
  const bool makes = std::any_of(calls_.all.begin(), calls_.all.end(), [](const clang::CallExpr* call) {
    const llvm::StringRef name = call->getDirectCallee()->getName();
    return name.contains_insensitive("alloc") || name.contains("memset") || name.contains("zero") ||
           hasWord(name, {"new", "create", "fork"});
  });
  for (const auto& [place, line, block] : begun_) {
    if (place.name.empty()) continue;
    out.initializes.insert(place.name);
    const bool isGiven = place.parameter >= 0 && std::all_of(place.variables.begin(), place.variables.end(),
                                                             [](const clang::ValueDecl* variable) {
                                                               return llvm::isa<clang::ParmVarDecl>(variable);
                                                             });
    const bool isAssigned =
        std::any_of(assigned_.begin(), assigned_.end(),
                    [&, &place = place](const clang::Expr* target) { return restsOn(place, *target); });
    if (isGiven && bitsAtExits(place.text) == kBegun && !makes && !isAssigned && !ended_.contains(place.text))
      out.initializesGiven.try_emplace(place.name, line);
  }
}

/// What a function makes and gives up before it has set it up. Who ends something to begin it anew knows it.
void FunctionPaths::addEndedUnbegun(SurveyFunction& out) const {
  for (const auto& [place, line, block] : endedUnbegun_) {
    const bool isOwn =
        !place.variables.empty() &&
        std::none_of(place.variables.begin(), place.variables.end(), [](const clang::ValueDecl* variable) {
          return llvm::isa<clang::ParmVarDecl>(variable);
        });
    if (!isOwn || !calls_.isMade(place.variables)) continue;
    const auto isBegin = [&, &place = place](const Begun& begun) { return begun.place.text == place.text; };
    const auto begun = std::find_if(begun_.begin(), begun_.end(), isBegin);
    const bool isBegunBehind = std::any_of(
        begun_.begin(), begun_.end(),
        [&, block = block](const Begun& one) { return isBegin(one) && isReachable(*block, *one.block); });
    if (begun != begun_.end() && !isBegunBehind)
      out.slips.push_back({LockSlip::Kind::EndedUnbegun, place.text, line, begun->line, ""});
  }
}

void FunctionPaths::noteWait(const clang::CallExpr& call, const clang::CFGBlock& block) {
  const bool isWrapper = hasWord(function_.getName(), {"cond", "cnd", "cv", "condvar", "condition"});
  if (call.getNumArgs() < 2 || isWrapper || isReachable(block, block)) return;
  const auto condition = lockPlaceOf(*call.getArg(0));
  // A wrapper waits for what it is given.
  if (condition && (condition->parameter < 0 || !condition->suffix.empty()))
    slips_.push_back({LockSlip::Kind::WaitedOnce, condition->text, lineOf(call, file_.context()), 0, ""});
}

void FunctionPaths::runCall(const clang::CallExpr& call, States& states, bool isTold, bool isTested) {
  const clang::FunctionDecl& callee = *call.getDirectCallee();
  if (const auto operation = operationOf(call)) {
    const States before = states;
    if (!isTested || operation->call != LockCall::Lock) apply(*operation, call, states, isTold);
    if (operation->call == LockCall::Unlock) forgetReleased(call, true, before, states);
    return;
  }
  if (const LifeCall what = lifeCallOf(call); what != LifeCall::None)
    return runLife(call, what, states, isTold);
  const clang::FunctionDecl* body = bodyOf(callee);
  if (isConditionWait(callee.getName())) return;
  const States before = states;
  forgetLed(call, body != nullptr, states);
  if (body && file_.touchesLocks(*body)) followCallee(call, *body, states, isTold);
  if (!body) forgetGiven(call, states);
  forgetReleased(call, body != nullptr, before, states);
}

void FunctionPaths::run(const clang::CFGBlock& block, States& states, bool isTold) {
  const TestedCall tested = testedCall(block);
  block_ = &block;
  for (const clang::CFGElement& element : block) {
    const auto statement = element.getAs<clang::CFGStmt>();
    if (!statement) continue;
    const clang::Stmt* what = statement->getStmt();
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(what)) {
      const clang::FunctionDecl* callee = call->getDirectCallee();
      if (!callee || !callee->getIdentifier()) continue;
      if (isTold && isConditionWait(callee->getName())) noteWait(*call, block);
      runCall(*call, states, isTold, call == tested.call);
    } else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(what)) {
      if (!binary->isAssignmentOp()) continue;
      if (isTold) assigned_.push_back(binary->getLHS());
      forget(*binary->getLHS(), states);
    } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(what)) {
      if (unary->isIncrementDecrementOp()) forget(*unary->getSubExpr(), states);
    } else if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(what)) {
      forget(*declared, states);
    }
  }
}

/// Where the result of a call decides the way, only one of the two has the lock.
bool FunctionPaths::onEdge(const clang::CFGBlock& block, bool isFirst, States& states) {
  const TestedCall tested = testedCall(block);
  if (!tested.call || block.succ_size() != 2) return true;
  std::optional<Operation> operation = operationOf(*tested.call);
  if (!operation || operation->call != LockCall::Lock) return true;
  const llvm::StringRef name = tested.call->getDirectCallee()->getName();
  const bool isZero = isFirst == tested.isZeroOnFirst;
  // What a project's own tries return, their names do not tell.
  operation->maybe = isTry(name) && !name.starts_with("pthread_") && !name.starts_with("mtx_") &&
                     !name.starts_with("uv_") && !name.starts_with("sem_");
  const bool isTakenOnZero = !tested.call->getType()->isBooleanType();
  if (operation->maybe || isZero == isTakenOnZero) apply(*operation, *tested.call, states, false);
  return true;
}

void FunctionPaths::noteEnd(const clang::CFGBlock& block, const States& before, const States& behind) {
  for (const clang::CFGElement& element : block) {
    const auto statement = element.getAs<clang::CFGStmt>();
    const auto* call = statement ? llvm::dyn_cast<clang::CallExpr>(statement->getStmt()) : nullptr;
    const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    if (!callee || !callee->getIdentifier()) continue;
    const auto operation = operationOf(*call);
    if (!operation) continue;
    const bool isNew = ways_.operated[&block].insert(operation->place.text).second;
    if (isNew && operation->call == LockCall::Unlock)
      ways_.released[&block][operation->place.text] = lineOf(*call, file_.context());
  }
  for (const auto& [text, state] : behind) {
    const auto known = before.find(text);
    if (known == before.end() || known->second.bits != state.bits) ways_.operated[&block].insert(text);
  }
  const clang::Stmt* end = endOf(block);
  const uint32_t line = lineOf(end ? end->getBeginLoc() : function_.getBodyRBrace(), file_.context());
  ways_.lastLine[&block] = line;
  const bool isExit =
      std::any_of(block.succ_begin(), block.succ_end(),
                  [&](const clang::CFGBlock* successor) { return successor == &graph_->getExit(); });
  if (isExit && !block.hasNoReturnElement())
    ways_.exits.push_back({isReturning(block) ? line : lineOf(function_.getBodyRBrace(), file_.context()),
                           behind, nulls_ ? nulls_->at(block) : std::set<int>()});
}

bool FunctionPaths::follow() {
  constexpr size_t kMostBlocks = 5000;  // generated parsers have more, and no locks
  if (!graph_ || graph_->size() > kMostBlocks) return false;
  nulls_.emplace(file_.context(), *graph_);
  ways_.in = followBlocks(
      *graph_, States(), [&](const auto& block, States& states) { run(block, states, false); },
      [&](const auto& block, bool isFirst, States& states) { return onEdge(block, isFirst, states); }, join,
      FollowOptions::withoutLimits(BlockOrder::Newest));
  for (const auto& [block, before] : LastFirst(ways_.in)) {
    States states = before;
    run(*block, states, true);
    noteEnd(*block, before, states);
    ways_.out[block] = std::move(states);
  }
  std::sort(ways_.exits.begin(), ways_.exits.end(),
            [](const LockWays::Exit& a, const LockWays::Exit& b) { return a.line < b.line; });
  return true;
}

void FunctionPaths::addTo(SurveyFunction& out) const {
  out.slips = slips_;
  out.order = order_;
  addKeptLocks(ways_, out);
  addBegun(out);
  addEndedUnbegun(out);
  const auto key = [](const LockSlip& slip) { return std::tie(slip.line, slip.kind, slip.lock); };
  std::sort(out.slips.begin(), out.slips.end(),
            [&](const LockSlip& a, const LockSlip& b) { return key(a) < key(b); });
  const auto isSame = [&](const LockSlip& a, const LockSlip& b) { return key(a) == key(b); };
  out.slips.erase(std::unique(out.slips.begin(), out.slips.end(), isSame), out.slips.end());
}

uint8_t FunctionPaths::bitsAtExits(const std::string& text, bool withNulls) const {
  uint8_t bits = 0;
  const auto place = ways_.places.find(text);
  for (const LockWays::Exit& exit : ways_.exits) {
    // Where there is no object, nothing is left undone.
    const bool isNull = place != ways_.places.end() && exit.nulls.contains(place->second.parameter);
    if (isNull && !withNulls) continue;
    const auto found = exit.states.find(text);
    bits |= found == exit.states.end() ? uint8_t{kUntouched} : found->second.bits;
  }
  return bits;
}

LockSummary FunctionPaths::summary() const {
  LockSummary summary;
  summary.names = names_;
  summary.gives = gives_;
  for (const LockPlace& place : takes_)
    summary.takes.push_back({place, (bitsAtExits(place.text) & (kUntouched | kBegun | kDestroyed)) == 0});
  for (const auto& [place, line, block] : begun_)
    if (place.parameter >= 0 || place.variables.empty())
      (bitsAtExits(place.text) == kBegun ? summary.begun : summary.maybe).push_back(place);
  for (const auto& [text, place] : ways_.places) {
    if (place.parameter < 0 && !place.variables.empty()) continue;
    const uint8_t bits = bitsAtExits(text);
    // Whoever had the object behind its end rarely begins it again.
    if ((bitsAtExits(text, false) & ~kUnknown) == kDestroyed) summary.ended.push_back(place);
    if (bits == kHeld) summary.effects.emplace_back(place, LockCall::Lock);
    if (bits == kReleasedFirst) summary.effects.emplace_back(place, LockCall::Unlock);
  }
  return summary;
}

}  // namespace heddle
