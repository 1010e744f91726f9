#include "analysis/survey/null_results.h"

#include <algorithm>
#include <tuple>

#include "analysis/survey/source_line.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

namespace heddle {
namespace {

using NullKind = NullEvent::Kind;
using NullNeed = NullSummary::Need;
using NullStep = NullFlow::Step;

/// Code that ends on the first error anyway.
bool isTrialCode(llvm::StringRef name) {
  for (const char* part : {"test", "example", "bench", "demo"})
    if (name.contains_insensitive(part)) return true;
  return name == "main";
}

}  // namespace

std::string NullResults::textOf(const clang::Expr& expression) const {
  const auto range = clang::CharSourceRange::getTokenRange(expression.getSourceRange());
  const llvm::StringRef written =
      clang::Lexer::getSourceText(range, context_.getSourceManager(), context_.getLangOpts());
  std::string text;
  for (const char c : written) {
    const bool isSpace = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!isSpace)
      text += c;
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
  }
  constexpr size_t kLongest = 60;
  if (text.size() > kLongest) text = text.substr(0, kLongest - 3) + "...";
  return text;
}

/// An assertion that is left out of the tree is still what the author thought of.
void NullResults::addAsserted() {
  asserted_.clear();
  const clang::SourceManager& sources = context_.getSourceManager();
  const clang::SourceRange range = function_->getBody()->getSourceRange();
  const llvm::StringRef text = clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(range),
                                                           sources, context_.getLangOpts());
  if (!text.contains_insensitive("assert")) return;
  clang::Lexer lexer(range.getBegin(), context_.getLangOpts(), text.begin(), text.begin(), text.end());
  clang::Token token;
  unsigned depth = 0;
  bool isNext = false;
  for (bool isLast = false; !isLast;) {
    isLast = lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::raw_identifier)) {
      const llvm::StringRef name = token.getRawIdentifier();
      if (depth > 0)
        asserted_.insert(name.str());
      else
        isNext = name.contains_insensitive("assert");
    } else if (token.is(clang::tok::l_paren) && (depth > 0 || isNext)) {
      ++depth;
    } else if (token.is(clang::tok::r_paren) && depth > 0) {
      if (--depth == 0) isNext = false;
    }
  }
}

bool NullResults::isUntested(const NullFlow& flow, const clang::VarDecl& variable, const void* at,
                             Candidate& candidate, bool& isTested) {
  const NullFlow::Place from = flow.behind(at);
  if (!from.block || !flow.isReached(*from.block) || flow.isEscaped(variable)) return false;
  const bool isSized = candidate.group == Group::Allocation || candidate.group == Group::Failing;
  const auto walk = flow.walk(from, variable, [&](const NullEvent& event) {
    if (needs_.isUse(event, isSized)) return NullStep::Use;
    if (event.kind == NullKind::Given) {
      if (event.isInner) return NullStep::GoOn;
      const bool isDropped = event.call->getType()->isVoidType();
      return isDropped && !NullNeeds::nameOf(*event.call).contains_insensitive("free") ? NullStep::GoOn
                                                                                       : NullStep::Lost;
    }
    isTested = isTested || event.kind == NullKind::Tested;
    if (event.kind == NullKind::Tested || event.kind == NullKind::Compared) return NullStep::Tested;
    return event.kind == NullKind::Stepped ? NullStep::GoOn : NullStep::Lost;
  });
  if (walk.uses.empty() || walk.isTested) return false;
  bool isTestedSomewhere = false;
  for (const NullEvent& event : flow.eventsOf(variable))
    isTestedSomewhere =
        isTestedSomewhere || event.kind == NullKind::Tested || event.kind == NullKind::Compared;
  // Whoever tests it behind the use is told of that by ValueSlips.
  const NullEvent* use = nullptr;
  for (const NullEvent* one : walk.uses)
    if (!one->place.isMacroID() && (!use || lineOf(one->place, context_) < lineOf(use->place, context_)))
      use = one;
  if (!use) return false;
  if (isTestedSomewhere) {
    if (!walk.isUsedAlways()) return false;
    const NullFlow::Place behind = flow.behind(use->at);
    const auto later = flow.walk(behind, variable, [](const NullEvent& event) {
      if (event.kind == NullKind::Tested) return NullStep::Tested;
      return event.kind == NullKind::Set ? NullStep::Lost : NullStep::GoOn;
    });
    if (use->kind == NullKind::Used && later.isTested) return false;
  } else if (!walk.isUsedAlways() && candidate.group != Group::Allocation &&
             candidate.group != Group::Other) {
    return false;
  }
  if (asserted_.contains(variable.getName().str())) return false;
  candidate.slip.value = variable.getName().str();
  candidate.slip.line = lineOf(use->place, context_);
  return true;
}

void NullResults::addResult(const NullFlow& flow, const clang::Expr& source, Candidate candidate) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&source);
  const std::string& name = candidate.slip.callee;
  const uint32_t line = lineOf(source.getBeginLoc(), context_);
  bool isTested = false, isUsed = false;
  for (const NullEvent& event : flow.eventsOf(source)) {
    if (event.kind == NullKind::Tested) {
      isTested = true;
    } else if (event.target && event.target->hasLocalStorage()) {
      Candidate one = candidate;
      for (const std::string& argument : candidate.given)
        one.isPlain = one.isPlain && argument != event.target->getName();
      if (event.isMoved || event.isInner) {
        isUsed = isUsed || candidate.group == Group::Search;
        if (candidate.group != Group::Search) continue;
        one.slip.value = textOf(source);
        one.slip.line = line;
      } else if (!isUntested(flow, *event.target, event.at, one, isTested)) {
        continue;
      }
      isUsed = true;
      one.slip.other = one.slip.line == line ? 0 : line;
      if (!source.getBeginLoc().isMacroID()) candidates_.push_back(one);
    } else if (needs_.isUse(event, candidate.group == Group::Allocation) ||
               (candidate.group == Group::Search && (event.kind == NullKind::Stepped || event.isMoved))) {
      isUsed = true;
      if (source.getBeginLoc().isMacroID() || event.place.isMacroID()) continue;
      const NullFlow::Place at = flow.behind(event.at);
      if (!at.block || !flow.isReached(*at.block)) continue;
      candidate.slip.value = textOf(source);
      candidate.slip.line = line;
      candidates_.push_back(candidate);
    }
  }
  if (!call) return;
  results_[name].tested += isTested;
  results_[name].untested += isUsed && !isTested;
  if (candidate.group == Group::Allocation) {
    allocations_.tested += isTested;
    allocations_.untested += isUsed && !isTested;
  }
  calls_.push_back({name, function_->getName().str(), candidate.given, isTested});
}

void NullResults::addResults(const NullFlow& flow) {
  for (const clang::Expr* source : flow.calls()) {
    const auto& call = *llvm::cast<clang::CallExpr>(source);
    const clang::FunctionDecl* callee = call.getDirectCallee();
    if (!callee || !callee->getIdentifier() || !call.getType()->isPointerType() ||
        callee->hasAttr<clang::ReturnsNonNullAttr>())
      continue;
    Candidate candidate;
    candidate.slip.kind = ValueSlip::Kind::NullResult;
    candidate.slip.function = function_->getName().str();
    candidate.slip.callee = callee->getName().str();
    for (const clang::Expr* argument : call.arguments()) {
      candidate.given.push_back(textOf(*argument));
      const clang::Expr* bare = argument->IgnoreParenCasts();
      candidate.isPlain = candidate.isPlain && (llvm::isa<clang::DeclRefExpr>(bare) ||
                                                bare->isIntegerConstantExpr(context_) || flow.isNull(*bare));
    }
    switch (NullNeeds::libraryOf(callee->getName())) {
      case NullLibrary::Allocation:
        candidate.group = Group::Allocation;
        break;
      case NullLibrary::Search:
        candidate.group = Group::Search;
        break;
      case NullLibrary::Time:
        candidate.group = Group::Time;
        break;
      case NullLibrary::Other:
        candidate.group = Group::Other;
        break;
      case NullLibrary::None:
        if (needs_.isFallible(*callee)) candidate.group = Group::Failing;
    }
    addResult(flow, call, candidate);
  }
}

/// Addresses of interfaces, which may have none.
void NullResults::addFields(const NullFlow& flow) {
  std::vector<const clang::MemberExpr*> fields;
  for (const clang::MemberExpr* member : flow.members()) {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (!field || !field->getIdentifier() || field->getParent()->getName() != "ifaddrs") continue;
    if (field->getName() != "ifa_addr" && field->getName() != "ifa_netmask") continue;
    fields.push_back(member);
    for (const NullEvent& event : flow.eventsOf(*member))
      if (event.kind == NullKind::Tested) return;
    // Whoever is given all of it may look at its address.
    const auto* base = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenCasts());
    const auto* variable = base ? llvm::dyn_cast<clang::VarDecl>(base->getDecl()) : nullptr;
    if (!variable) return;
    for (const NullEvent& event : flow.eventsOf(*variable))
      if (event.kind == NullKind::Given && !event.isInner) return;
  }
  for (const clang::MemberExpr* member : fields) {
    Candidate candidate;
    candidate.group = Group::Other;
    candidate.slip.kind = ValueSlip::Kind::NullResult;
    candidate.slip.function = function_->getName().str();
    candidate.slip.callee = "getifaddrs";
    const size_t before = candidates_.size();
    addResult(flow, *member, candidate);
    if (candidates_.size() != before) return;
  }
}

void NullResults::addGiven(const NullFlow& flow) {
  for (const clang::Expr* source : flow.calls()) {
    const auto& call = *llvm::cast<clang::CallExpr>(source);
    const clang::FunctionDecl* callee = call.getDirectCallee();
    const clang::FunctionDecl* body = callee ? callee->getDefinition() : nullptr;
    if (!body || !body->hasBody() || !body->getIdentifier()) continue;
    const NullFlow::Place place = flow.behind(&call);
    for (unsigned i = 0; i < std::min(call.getNumArgs(), body->getNumParams()); ++i) {
      if (!body->getParamDecl(i)->getType()->isPointerType()) continue;
      Given& given = given_[{body->getCanonicalDecl(), i}];
      if (!flow.isNull(*call.getArg(i))) {
        ++given.others;
        continue;
      }
      const NullNeed need = needs_.needOf(call, i);
      if (need != NullNeed::Always && need != NullNeed::Wanted) continue;
      if (call.getBeginLoc().isMacroID() || !place.block || !flow.isReached(*place.block)) continue;
      given.isWanted = need == NullNeed::Wanted;
      given.nulls.push_back({ValueSlip::Kind::NullGiven, body->getParamDecl(i)->getName().str(),
                             function_->getName().str(), lineOf(call.getBeginLoc(), context_), 0,
                             body->getName().str()});
    }
  }
}

/// The test decides an `if`, alone or as a part of its condition.
bool NullResults::isIfTest(const NullFlow& flow, const clang::CFGBlock& block) const {
  const clang::Stmt* at = block.getTerminatorStmt();
  while (at && !llvm::isa<clang::IfStmt>(at)) {
    const auto* both = llvm::dyn_cast<clang::BinaryOperator>(at);
    const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(at);
    if (!llvm::isa<clang::ParenExpr, clang::ImplicitCastExpr>(at) && !(both && both->isLogicalOp()) &&
        !(unary && unary->getOpcode() == clang::UO_LNot))
      return false;
    at = flow.parents().getParent(at);
  }
  return at != nullptr;
}

/// Some way comes to the test with a value that nothing has tested or used before.
bool NullResults::isFirstTest(const NullFlow& flow, const clang::CFGBlock& block,
                              const clang::VarDecl& variable) {
  const auto passes = [&](const NullFlow::Walk& walk) { return walk.passed.contains(&block); };
  const auto ask = [&](const NullEvent& event) {
    if (event.kind == NullKind::Set || needs_.isUse(event, false)) return NullStep::Lost;
    return event.kind == NullKind::Tested ? NullStep::Tested : NullStep::GoOn;
  };
  if (llvm::isa<clang::ParmVarDecl>(variable) && passes(flow.walkFromEntry(variable, ask))) return true;
  for (const NullEvent& event : flow.eventsOf(variable)) {
    const NullFlow::Place from = event.kind == NullKind::Set ? flow.behind(event.at) : NullFlow::Place();
    if (from.block && passes(flow.walk(from, variable, ask))) return true;
  }
  return false;
}

void NullResults::addNullEdges(const NullFlow& flow, Survey& survey) {
  std::set<std::pair<const clang::VarDecl*, uint32_t>> told;
  for (const clang::CFGBlock* block : flow.graph()) {
    const auto test = flow.testOf(*block);
    if (!test || test->of->getBeginLoc().isMacroID() || !flow.isReached(*block) ||
        flow.isEscaped(*test->variable) || !isIfTest(flow, *block))
      continue;
    const unsigned side = test->holdsIfNull ? 0 : 1;
    const clang::CFGBlock* ifNull = *(block->succ_begin() + side);
    if (!ifNull || !isFirstTest(flow, *block, *test->variable)) continue;
    const auto walk = flow.walk({ifNull, 0}, *test->variable, [&](const NullEvent& event) {
      if (needs_.isUse(event, false)) return NullStep::Use;
      if (event.kind == NullKind::Tested) return NullStep::NullSide;
      if (event.kind == NullKind::Compared || event.kind == NullKind::Stepped) return NullStep::Tested;
      return event.kind == NullKind::Set ? NullStep::Lost : NullStep::GoOn;
    });
    if (!walk.isUsedAlways() || walk.mayStop) continue;
    const auto elsewhere = flow.reachedWithout(block, side);
    for (const NullEvent* use : walk.uses) {
      const NullFlow::Place place = flow.behind(use->at);
      // Where it can be nothing but null, ValueSlips tells its use.
      const bool isKnown = use->kind == NullKind::Used && !elsewhere.contains(place.block);
      if (use->place.isMacroID() || isKnown ||
          !told.insert({test->variable, lineOf(use->place, context_)}).second)
        continue;
      survey.valueSlips.push_back({ValueSlip::Kind::UsedNull, test->variable->getName().str(),
                                   function_->getName().str(), lineOf(use->place, context_),
                                   lineOf(test->of->getBeginLoc(), context_)});
      break;
    }
  }
}

void NullResults::add(const clang::FunctionDecl& function, Survey& survey) {
  if (!function.hasBody() || !function.getIdentifier()) return;
  function_ = &function;
  const NullFlow flow = needs_.flowOf(function);
  if (!flow.isWhole()) return;
  addAsserted();
  addResults(flow);
  addFields(flow);
  addGiven(flow);
  addNullEdges(flow, survey);
}

bool NullResults::isLikely(const Candidate& candidate) const {
  if (isTrialCode(candidate.slip.function)) return false;
  const auto found = results_.find(candidate.slip.callee);
  const Count count = found == results_.end() ? Count() : found->second;
  // Other functions that test the result of the same call, word for word. Whoever has tested it before knows
  // it.
  std::set<std::string> alike;
  for (const Call& call : calls_)
    if (call.isTested && call.callee == candidate.slip.callee && call.given == candidate.given)
      alike.insert(call.function);
  if (alike.contains(candidate.slip.function) && candidate.group != Group::Allocation &&
      candidate.group != Group::Failing)
    return false;
  switch (candidate.group) {
    case Group::Allocation:
      return allocations_.tested > 0 && allocations_.untested <= allocations_.tested;
    case Group::Time:
      return count.tested > 0;
    case Group::Other:
      return true;
    case Group::Failing:
      return count.untested <= std::max(1U, count.tested);
    case Group::Unknown: {
      const bool isRare = count.tested >= 3 && count.tested > 2 * count.untested;
      constexpr size_t kFewest = 2;
      return isRare && candidate.isPlain && alike.size() >= kFewest;
    }
    case Group::Search:
      return !alike.empty();
  }
  return false;
}

void NullResults::finish(Survey& survey) {
  std::set<std::tuple<std::string, std::string, uint32_t>> told;
  for (const Candidate& candidate : candidates_)
    if (isLikely(candidate) &&
        told.insert({candidate.slip.value, candidate.slip.function, candidate.slip.line}).second)
      survey.valueSlips.push_back(candidate.slip);
  for (const auto& [key, given] : given_) {
    if (given.others == 0 || (given.isWanted && given.nulls.size() > 1)) continue;
    survey.valueSlips.insert(survey.valueSlips.end(), given.nulls.begin(), given.nulls.end());
  }
}

}  // namespace heddle
