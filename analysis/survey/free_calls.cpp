#include "analysis/survey/free_calls.h"

#include <algorithm>
#include <array>
#include <utility>

#include "analysis/support/name_words.h"
#include "analysis/survey/block_states.h"
#include "analysis/survey/source_line.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"

namespace heddle {
namespace {

constexpr std::array<std::string_view, 3> kFreeing = {"free", "destroy", "dealloc"};
/// Not now, not always, or not all of it.
constexpr std::array<std::string_view, 31> kNotFreeing = {
    "async",    "later",   "deferred", "defer",    "lazy",  "delayed", "rcu", "queue",
    "schedule", "pending", "on",       "when",     "maybe", "try",     "if",  "is",
    "unused",   "set",     "get",      "mark",     "unref", "deref",   "put", "contents",
    "members",  "content", "data",     "internal", "list",  "mutex",   "lock"};
constexpr std::array<std::string_view, 8> kMaking = {"new",    "create", "make",  "alloc",
                                                     "malloc", "dup",    "clone", "build"};
constexpr std::array<std::string_view, 6> kEnding = {"fclose",       "pclose",      "closedir",
                                                     "freeaddrinfo", "freeifaddrs", "cfree"};

/// The name that is called: of a function, or of a pointer to one.
llvm::StringRef calledName(const clang::CallExpr& call) {
  const clang::Expr* callee = call.getCallee()->IgnoreParenCasts();
  if (const auto* pointed = llvm::dyn_cast<clang::UnaryOperator>(callee);
      pointed && pointed->getOpcode() == clang::UO_Deref)
    callee = pointed->getSubExpr()->IgnoreParenCasts();
  const clang::NamedDecl* named = nullptr;
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(callee)) named = reference->getDecl();
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(callee)) named = member->getMemberDecl();
  return named && named->getIdentifier() ? named->getName() : llvm::StringRef();
}

bool isFreeingName(llvm::StringRef name) {
  const std::string_view all(name.data(), name.size());
  return (name.ends_with_insensitive("free") || hasWord(all, kFreeing)) && !hasWord(all, kNotFreeing);
}

const clang::FunctionDecl* freeBodyOf(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  const clang::FunctionDecl* definition = callee ? callee->getDefinition() : nullptr;
  return definition && definition->getBody() && !definition->isInvalidDecl() ? definition : nullptr;
}

bool isBytes(clang::QualType type) {
  if (!type->isPointerType()) return false;
  const clang::QualType target = type->getPointeeType();
  if (target.isConstQualified()) return false;  // whoever frees it changes it
  return target->isVoidType() || target->isAnyCharacterType();
}

const clang::Expr* freeAddressed(const clang::Expr& expression) {
  const auto* address = llvm::dyn_cast<clang::UnaryOperator>(expression.IgnoreParenCasts());
  return address && address->getOpcode() == clang::UO_AddrOf ? address->getSubExpr() : nullptr;
}

/// Without what follows pointers: "*p" is found by "p".
std::string bare(std::string key) {
  std::erase_if(key, [](char c) { return c == '*' || c == '(' || c == ')'; });
  return key;
}

bool isUntyped(const clang::Expr& argument) {
  const clang::QualType type = argument.getType();
  return type->isPointerType() && type->getPointeeType()->isVoidType();
}

bool printsPointers(const clang::CallExpr& call) {
  return std::any_of(call.arg_begin(), call.arg_end(), [](const clang::Expr* argument) {
    const auto* text = llvm::dyn_cast<clang::StringLiteral>(argument->IgnoreParenCasts());
    return text && text->getCharByteWidth() == 1 && text->getString().contains("%p");
  });
}

bool hasErrors(const clang::Stmt& part) {
  const auto* expression = llvm::dyn_cast<clang::Expr>(&part);
  if (expression && expression->containsErrors()) return true;
  const auto children = part.children();
  return std::any_of(children.begin(), children.end(),
                     [](const clang::Stmt* child) { return child && hasErrors(*child); });
}

void addAddressed(const clang::Stmt& part, std::set<const clang::VarDecl*>& escaped) {
  const clang::Expr* place = nullptr;
  if (const auto* expression = llvm::dyn_cast<clang::Expr>(&part)) place = freeAddressed(*expression);
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&part);
      cast && cast->getCastKind() == clang::CK_ArrayToPointerDecay)
    place = cast->getSubExpr();
  if (place)
    if (const FreePlace found = freePlaceOf(*place); found.root && !found.isBehind)
      escaped.insert(found.root);
  for (const clang::Stmt* child : part.children())
    if (child) addAddressed(*child, escaped);
}

}  // namespace

FreeCalls::FreeCalls(FunctionFlows& flows) : flows_(flows), context_(flows.context()) {
  const clang::SourceManager& sources = context_.getSourceManager();
  for (const clang::Decl* declared : context_.getTranslationUnitDecl()->decls()) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declared);
    if (!function || !function->getIdentifier()) continue;
    const llvm::StringRef name = function->getName();
    const clang::QualType result = function->getReturnType();
    if (result->isPointerType() && hasWord({name.data(), name.size()}, kMaking))
      if (const clang::RecordDecl* record = result->getPointeeType()->getAsRecordDecl())
        made_.insert(llvm::cast<clang::RecordDecl>(record->getCanonicalDecl()));
    if (function->doesThisDeclarationHaveABody() && !sources.isInSystemHeader(function->getLocation()))
      if (const clang::Stmt* body = function->getBody()) look(*body);
  }
}

void FreeCalls::look(const clang::Stmt& part) {
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&part))
    if (const clang::FunctionDecl* callee = call->getDirectCallee())
      for (const clang::Expr* argument : call->arguments())
        if (freeAddressed(*argument)) addressed_.insert(callee->getCanonicalDecl());
  for (const clang::Stmt* child : part.children())
    if (child) look(*child);
}

/// The name is that of the record, and not of a part of it: "freeClient" frees a client, "freeClientName"
/// does not.
bool FreeCalls::namesWhole(llvm::StringRef name, const clang::QualType& record) {
  std::string all;
  for (const clang::QualType& type : {record, record.getCanonicalType()})
    for (const std::string& word : nameWords(type.getUnqualifiedType().getAsString())) all += word;
  const std::vector<std::string> words = nameWords({name.data(), name.size()});
  size_t at = words.size();
  while (at > 0 && std::find(kFreeing.begin(), kFreeing.end(), words[at - 1]) == kFreeing.end()) --at;
  std::string behind;
  for (size_t i = at; i < words.size(); ++i) behind += words[i];
  if (at > 1 && behind.empty()) behind = words[at - 2];
  return !behind.empty() && all.find(behind) != std::string::npos;
}

/// What it frees is all of an object: somebody makes such objects, and none are parts of others.
bool FreeCalls::isWhole(const clang::FunctionDecl& callee) const {
  const clang::QualType type = callee.getParamDecl(0)->getType();
  const clang::RecordDecl* record =
      type->isPointerType() ? type->getPointeeType()->getAsRecordDecl() : nullptr;
  return record && made_.contains(llvm::cast<clang::RecordDecl>(record->getCanonicalDecl())) &&
         !addressed_.contains(callee.getCanonicalDecl()) &&
         namesWhole(callee.getName(), type->getPointeeType());
}

std::optional<unsigned> FreeCalls::freedByName(const clang::CallExpr& call) const {
  const llvm::StringRef name = calledName(call);
  const std::string_view all(name.data(), name.size());
  if (call.getNumArgs() == 1 && std::find(kEnding.begin(), kEnding.end(), all) != kEnding.end()) return 0;
  if (!isFreeingName(name) || !call.getType()->isVoidType()) return std::nullopt;
  const clang::FunctionDecl* callee = call.getDirectCallee();
  // What its body shows counts.
  if (freeBodyOf(call)) return std::nullopt;
  const auto* type = call.getCallee()->getType()->getPointeeType()->getAs<clang::FunctionProtoType>();
  if (!type) return std::nullopt;
  // Bytes have no parts: all of them are freed.
  std::optional<unsigned> bytes;
  for (unsigned i = 0; i < std::min(type->getNumParams(), call.getNumArgs()); ++i) {
    if (!isBytes(type->getParamType(i))) continue;
    if (bytes) return std::nullopt;
    bytes = i;
  }
  if (bytes && (*bytes == 0 || name.ends_with_insensitive("free"))) return bytes;
  const bool isOne = callee && callee->getNumParams() == 1 && call.getNumArgs() == 1;
  return isOne && !freeBodyOf(call) && isWhole(*callee) ? std::optional(0U) : std::nullopt;
}

std::vector<FreeStep::Free> FreeCalls::freedBy(const clang::CallExpr& call) {
  std::vector<FreeStep::Free> freed;
  if (const auto index = freedByName(call)) {
    freed.push_back({freePlaceOf(*call.getArg(*index)), false});
  } else if (const clang::FunctionDecl* body = freeBodyOf(call)) {
    for (const GivenFree& given : summaryOf(*body)) {
      if (given.parameter >= call.getNumArgs()) continue;
      const clang::Expr& argument = *call.getArg(given.parameter);
      const clang::Expr* object = freeAddressed(argument);
      if (object && given.suffix.empty()) continue;
      FreePlace place = freePlaceOf(object ? *object : argument);
      if (place.text.empty()) continue;
      if (!given.suffix.empty()) {
        const std::string suffix = object ? "." + given.suffix.substr(2) : given.suffix;
        if (place.text.front() == '*') {
          const size_t begin = place.key.find(':') + 1;
          place.text = "(" + place.text + ")";
          place.key = place.key.substr(0, begin) + place.text;
        }
        place.text += suffix;
        place.key += suffix;
        place.member = given.member;
        place.members.insert(given.member);
        place.isBehind |= !object;
      }
      freed.push_back({std::move(place), given.isSet});
    }
  }
  std::erase_if(freed, [](const FreeStep::Free& one) { return one.place.text.empty(); });
  return freed;
}

void FreeCalls::addGiven(const clang::CallExpr& call, bool isOfSystem, FreeStep& step) {
  const bool isUse = !printsPointers(call);
  for (const clang::Expr* argument : call.arguments()) {
    const clang::Expr* part = argument->IgnoreParenCasts();
    if (const clang::Expr* object = freeAddressed(*part)) {
      step.given.push_back(freePlaceOf(*object).key);
      step.addressed.push_back(step.given.back());
      part = leadingPointer(*object);
    } else if (part->getType()->isArrayType()) {
      step.given.push_back(freePlaceOf(*part).key);
      part = leadingPointer(*part);
    } else if (!part->getType()->isPointerType()) {
      part = nullptr;
    } else {
      step.given.push_back(freePlaceOf(*part).key);
      // Others compare it with what they know.
      if (!isOfSystem && isUntyped(*argument)) part = nullptr;
    }
    if (!part || !isUse) continue;
    if (const std::string key = freePlaceOf(*part).key; !key.empty()) step.uses.push_back(key);
  }
}

void FreeCalls::addCall(const clang::CallExpr& call, FreeStep& step) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  const unsigned builtin = callee ? callee->getBuiltinID() : 0;
  if (builtin != 0 && !context_.BuiltinInfo.isPredefinedLibFunction(builtin)) return;
  step.isCall = true;
  step.callee = calledName(call).str();
  step.frees = freedBy(call);
  const clang::SourceManager& sources = context_.getSourceManager();
  const bool isOfSystem = builtin != 0 || (callee && sources.isInSystemHeader(callee->getLocation()));
  const auto freed = freedByName(call);
  step.isQuiet = isOfSystem || (freed && isBytes(call.getArg(*freed)->getType())) ||
                 (freed && callee && *freed < callee->getNumParams() &&
                  isBytes(callee->getParamDecl(*freed)->getType()));
  addGiven(call, isOfSystem, step);
}

FreeStep FreeCalls::stepOf(const clang::Stmt& statement) {
  FreeStep step;
  step.statement = &statement;
  step.line = lineOf(statement, context_);
  if (const clang::Expr* place = touchedPlace(statement)) {
    if (const clang::Expr* pointer = leadingPointer(*place))
      if (const std::string key = freePlaceOf(*pointer).key; !key.empty()) step.uses.push_back(key);
    if (!llvm::isa<clang::CastExpr>(statement)) step.changed = place;
  } else if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(&statement)) {
    if (declared->isSingleDecl()) step.begun = llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl());
  } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement)) {
    addCall(*call, step);
  } else if (llvm::isa<clang::AtomicExpr, clang::AsmStmt>(statement)) {
    step.isCall = true;
  }
  return step;
}

bool FreeCalls::mayFree(const clang::FunctionDecl& function) {
  const auto [known, isNew] = mayFree_.try_emplace(&function, false);
  if (!isNew) return known->second;
  bool may = false;
  const auto search = [&](const auto& self, const clang::Stmt& part) -> void {
    if (may) return;
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&part)) {
      const clang::FunctionDecl* body = freeBodyOf(*call);
      may = freedByName(*call) || (body && mayFree(*body));
    }
    for (const clang::Stmt* child : part.children())
      if (child) self(self, *child);
  };
  search(search, *function.getBody());
  return mayFree_[&function] = may;
}

const FreeFlow& FreeCalls::flowOf(const clang::FunctionDecl& function) {
  constexpr size_t kMostBlocks = 2000;
  const auto [known, isNew] = freeFlows_.try_emplace(&function);
  FreeFlow& flow = known->second;
  if (!isNew || !mayFree(function)) return flow;
  if (hasErrors(*function.getBody())) return flow;
  const clang::CFG* graph = flows_.graphOf(function);
  if (!graph || graph->size() > kMostBlocks) return flow;
  addAddressed(*function.getBody(), flow.escaped);
  for (const clang::CFGBlock* block : *graph) {
    std::vector<FreeStep> steps;
    for (const clang::CFGElement& element : *block) {
      const auto part = element.getAs<clang::CFGStmt>();
      if (!part) continue;
      FreeStep step = stepOf(*part->getStmt());
      flow.frees |= !step.frees.empty();
      if (step.isCall || step.changed || step.begun || !step.uses.empty()) steps.push_back(std::move(step));
    }
    flow.steps[block] = std::move(steps);
  }
  flow.graph = graph;
  return flow;
}

bool FreeCalls::changes(const FreeFlow& flow, const FreeStep& step, const FreePlace& place) {
  if (step.changed) return mayChange(place, *step.changed);
  if (step.begun) return place.variables.contains(step.begun->getCanonicalDecl());
  if (!step.isCall) return false;
  const bool isEscaped = std::any_of(
      place.variables.begin(), place.variables.end(),
      [&](const auto* variable) { return flow.escaped.contains(variable) || !variable->hasLocalStorage(); });
  if (!isEscaped && !place.isBehind) return false;
  if (!step.isQuiet) return true;
  if (std::find(step.addressed.begin(), step.addressed.end(), place.key) != step.addressed.end()) return true;
  return std::any_of(step.given.begin(), step.given.end(), [&](const std::string& given) {
    // The value of the place itself leads on, and not to the place.
    return given != place.key && isWithin(bare(place.key), bare(given));
  });
}

std::optional<GivenFree> FreeCalls::followed(const FreeFlow& flow, const FreePlace& place) {
  enum class State : uint8_t { Freed, Kept, Lost };  // what ways have in common is the largest of theirs
  bool isSet = false;
  const auto run = [&](const clang::CFGBlock& block, State& state) {
    if (block.hasNoReturnElement()) return;  // it ends the process with the object as it is
    for (const FreeStep& step : flow.steps.at(&block)) {
      const bool isFreed = std::any_of(step.frees.begin(), step.frees.end(), [&](const FreeStep::Free& one) {
        isSet |= one.isSet && one.place.key == place.key;
        return one.place.key == place.key;
      });
      const bool isChanged = !isFreed && changes(flow, step, place);
      if (state == State::Kept && isFreed) state = State::Freed;
      if (state == State::Kept && isChanged) state = State::Lost;
      isSet |= state == State::Freed && isChanged;
    }
  };
  const auto take = [&](const clang::CFGBlock& block, bool isFirst, State state) {
    const auto test = state == State::Kept ? nullTest(block) : std::nullopt;
    return !test || test->second != isFirst || !isWithin(place.key, test->first);
  };
  const auto join = [](State& into, State from) { return std::exchange(into, std::max(into, from)) < from; };
  const auto in = followBlocks(*flow.graph, State::Kept, run, take, join,
                               FollowOptions::withoutLimits(BlockOrder::Newest));
  const auto end = in.find(&flow.graph->getExit());
  if (end == in.end() || end->second != State::Freed) return std::nullopt;
  return GivenFree{0, "", place.member, isSet && !place.isVariable()};
}

const FreeCalls::Summary& FreeCalls::summaryOf(const clang::FunctionDecl& function) {
  constexpr unsigned kMostDepth = 6, kMostPlaces = 30;
  const auto [known, isNew] = summaries_.try_emplace(&function);
  if (!isNew || depth_ > kMostDepth) return known->second;
  ++depth_;
  const FreeFlow& flow = flowOf(function);
  Summary summary;
  if (!flow.graph) {  // too large, or on the way here already
    --depth_;
    return known->second;
  }
  std::map<std::string, FreePlace> places;
  for (const auto& [block, steps] : flow.steps)
    for (const FreeStep& step : steps)
      for (const FreeStep::Free& one : step.frees) places.try_emplace(one.place.key, one.place);
  unsigned left = kMostPlaces;
  for (const auto& [key, place] : places) {
    const auto* parameter = llvm::dyn_cast_or_null<clang::ParmVarDecl>(place.root);
    if (!parameter || place.variables.size() != 1 || left-- == 0) continue;
    const std::string& text = place.text;
    std::string suffix = text.substr(std::min(text.size(), parameter->getName().size()));
    if (!text.starts_with(parameter->getName()) || (!suffix.empty() && !suffix.starts_with("->"))) continue;
    if (auto given = followed(flow, place)) {
      given->parameter = parameter->getFunctionScopeIndex();
      given->suffix = std::move(suffix);
      summary.push_back(*given);
    }
  }
  --depth_;
  return summaries_[&function] = std::move(summary);
}

}  // namespace heddle
