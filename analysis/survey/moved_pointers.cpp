#include "analysis/survey/moved_pointers.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "analysis/support/name_words.h"
#include "analysis/survey/block_states.h"
#include "analysis/survey/counted_steps.h"
#include "analysis/survey/have_common.h"
#include "analysis/survey/source_line.h"
#include "analysis/survey/tested_call.h"
#include "analysis/survey/way_names.h"
#include "clang/AST/Expr.h"
#include "clang/Analysis/CFG.h"

namespace heddle {
namespace {

/// What realloc is given; null: the call is no such one.
const clang::Expr* reallocatedBy(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  if (!callee || !callee->getIdentifier() || !call.getType()->isPointerType()) return nullptr;
  if (!callee->getName().contains_insensitive("realloc")) return nullptr;
  for (unsigned i = 0; i < std::min(call.getNumArgs(), callee->getNumParams()); ++i)
    if (callee->getParamDecl(i)->getType()->isVoidPointerType()) return call.getArg(i);
  return nullptr;
}

bool reallocates(const clang::Stmt* part) {
  if (!part) return false;
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(part))
    if (!call->getDirectCallee() || reallocatedBy(*call) || call->getDirectCallee()->getDefinition())
      return true;
  return std::any_of(part->child_begin(), part->child_end(), reallocates);
}

/// The pointer to the array that an address lies in; null: none that is written there.
const clang::Expr* arrayOf(const clang::Expr& value) {
  const clang::Expr* part = value.IgnoreParenCasts();
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(part);
      address && address->getOpcode() == clang::UO_AddrOf) {
    const clang::Expr* pointer = leadingPointer(*address->getSubExpr());
    return pointer ? arrayOf(*pointer) : nullptr;
  }
  if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(part); sum && sum->isAdditiveOp()) {
    if (!sum->getType()->isPointerType()) return nullptr;
    return arrayOf(sum->getLHS()->getType()->isPointerType() ? *sum->getLHS() : *sum->getRHS());
  }
  return part->getType()->isPointerType() && part->isLValue() ? part : nullptr;
}

class MovedWays {
 public:
  MovedWays(MovedPointers& looks, clang::ASTContext& context, const clang::FunctionDecl& function,
            Survey& survey)
      : looks_(looks), context_(context), function_(function), survey_(survey) {}

  void follow(const clang::CFG& graph) {
    auto before = followBlocks(
        graph, State(), [&](const auto& block, State& state) { run(block, state, false); },
        [&](const auto& block, bool isFirst, State& state) { return take(block, isFirst, state); }, join);
    for (auto& [block, state] : before) run(*block, state, true);
  }

 private:
  struct Inside {
    FreePlace array;
    const clang::Stmt* set = nullptr;
    uint32_t moved = 0;  // line; 0: it has not been moved
    std::string result;  // key of what holds the new address
    std::string by;      // a function that moves it; empty: this one
    bool isCallback = false;
    bool isSome = false;                // only some way has moved it
    NameSet beside;                     // what may tell whether the way was that one
    std::set<std::string> movers = {};  // that have made room in the array before the pointer was set
  };
  using Pointers = std::map<const clang::VarDecl*, Inside>;
  struct State {
    Pointers inside;
    std::map<std::string, std::set<std::string>> moved;  // by whom, on all ways; by the array's key
  };

  /// A pointer must have been set in one place. Then it counts that some way has moved it.
  static bool join(State& into, const State& from) {
    bool isChanged = false;
    for (auto known = into.inside.begin(); known != into.inside.end();) {
      const auto other = from.inside.find(known->first);
      Inside& own = known->second;
      if (other == from.inside.end() || other->second.set != own.set) {
        known = into.inside.erase(known);
        isChanged = true;
        continue;
      }
      ++known;
      const Inside& more = other->second;
      const bool isSome = own.isSome || more.isSome || (own.moved == 0) != (more.moved == 0);
      if (own.moved == 0 && more.moved != 0) {
        Inside moved = more;
        moved.movers = std::move(own.movers);
        own = std::move(moved);
        isChanged = true;
      }
      isChanged |= std::exchange(own.isSome, isSome) != isSome;
      const size_t names = own.beside.size(), movers = own.movers.size();
      own.beside.insert(more.beside.begin(), more.beside.end());
      std::erase_if(own.movers, [&](const std::string& mover) { return !more.movers.contains(mover); });
      isChanged |= names != own.beside.size() || movers != own.movers.size();
    }
    for (auto& [key, movers] : into.moved) {
      const auto other = from.moved.find(key);
      isChanged |= std::erase_if(movers, [&](const std::string& mover) {
                     return other == from.moved.end() || !other->second.contains(mover);
                   }) != 0;
    }
    return isChanged;
  }

  bool take(const clang::CFGBlock& block, bool isFirst, State& state) const {
    const clang::Expr* condition = branchCondition(block);
    if (!condition) return true;
    // Where it has failed nothing has moved.
    const auto test = nullTestOf(block, context_);
    const bool isNullWay = test && test->second == isFirst;
    for (auto& [variable, inside] : state.inside)
      if (isNullWay && inside.moved != 0 && inside.result == test->first) inside.moved = 0;
    // It may decide that the way is none of those that have moved it.
    NameSet read;
    addRead(*condition, true, read);
    std::erase_if(state.inside,
                  [&](const auto& one) { return one.second.isSome && haveCommon(read, one.second.beside); });
    return true;
  }

  void set(const clang::VarDecl* variable, const clang::Expr* value, State& state, const clang::Stmt& by) {
    variable = variable->getCanonicalDecl();
    const auto* call = value ? llvm::dyn_cast<clang::CallExpr>(value->IgnoreParenCasts()) : nullptr;
    if (call && reallocatedBy(*call)) hold(*call, variableKey(*variable), state);
    std::erase_if(state.inside, [&](const auto& one) {
      return one.first != variable && one.second.moved == 0 && one.second.array.variables.contains(variable);
    });
    state.inside.erase(variable);
    const clang::Expr* array = value && variable->getType()->isPointerType() ? arrayOf(*value) : nullptr;
    if (!array) return;
    if (const clang::VarDecl* other = countedPointer(*array); other && state.inside.contains(other)) {
      const Inside inside = state.inside.at(other);
      state.inside[variable] = inside;
      state.inside[variable].set = &by;
      return;
    }
    FreePlace place = freePlaceOf(*array);
    if (place.key.empty() || place.variables.contains(variable)) return;
    const auto movers = state.moved.find(place.key);
    Inside inside;
    if (movers != state.moved.end()) inside.movers = movers->second;
    inside.array = std::move(place);
    inside.set = &by;
    state.inside[variable] = std::move(inside);
  }

  static void hold(const clang::CallExpr& call, const std::string& result, State& state) {
    const FreePlace given = freePlaceOf(*reallocatedBy(call));
    for (auto& [variable, inside] : state.inside)
      if (inside.array.key == given.key && inside.moved != 0) inside.result = result;
  }

  static void move(const std::string& key, uint32_t line, const std::string& by, bool isCallback,
                   State& state) {
    for (auto& [variable, inside] : state.inside)
      if (inside.array.key == key && inside.moved == 0) {
        inside.moved = line;
        inside.by = by;
        inside.isCallback = isCallback;
      }
    if (!key.empty() && !isCallback) state.moved[key].insert(by);
  }

  void call(const clang::CallExpr& call, State& state) {
    if (const clang::Expr* given = reallocatedBy(call)) {
      const FreePlace place = freePlaceOf(*given);
      move(place.key, lineOf(call, context_), "", false, state);
      return;
    }
    const clang::FunctionDecl* callee = call.getDirectCallee();
    if (!callee) return callback(call, state);
    const clang::FunctionDecl* body = callee->getDefinition();
    if (!body || !body->getBody()) return;
    for (const auto& [index, suffix] : looks_.movedBy(*body)) {
      if (index >= call.getNumArgs()) continue;
      if (const std::string key = partOf(*call.getArg(index), suffix); !key.empty())
        move(key, lineOf(call, context_), body->getName().str(), false, state);
    }
  }

  static std::string partOf(const clang::Expr& argument, const std::string& suffix) {
    const clang::Expr* part = argument.IgnoreParenCasts();
    if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(part);
        address && address->getOpcode() == clang::UO_AddrOf) {
      const FreePlace place = freePlaceOf(*address->getSubExpr());
      return place.key.empty() ? "" : place.key + "." + suffix.substr(2);
    }
    const FreePlace place = freePlaceOf(*part);
    return place.key.empty() ? "" : place.key + suffix;
  }

  void callback(const clang::CallExpr& call, State& state) {
    for (const clang::Expr* argument : call.arguments()) {
      const FreePlace object = freePlaceOf(*argument);
      if (!object.isVariable() || !argument->IgnoreParenCasts()->getType()->isPointerType()) continue;
      for (auto& [variable, inside] : state.inside) {
        if (inside.moved != 0 || !inside.array.key.starts_with(object.key + "->")) continue;
        const std::string suffix = inside.array.key.substr(object.key.size());
        const clang::FunctionDecl* mover = looks_.moverOf(argument->IgnoreParenCasts()->getType(), suffix);
        if (mover) move(inside.array.key, lineOf(call, context_), mover->getName().str(), true, state);
      }
    }
  }

  void use(const clang::Expr& pointer, const clang::Stmt& where, State& state, bool isTold) {
    const clang::VarDecl* variable = countedPointer(pointer);
    const auto known = variable ? state.inside.find(variable) : state.inside.end();
    if (known == state.inside.end() || known->second.moved == 0) return;
    const Inside inside = known->second;
    state.inside.erase(known);
    // Another function has made room for what this one adds.
    const bool hasRoom =
        !inside.isCallback && std::any_of(inside.movers.begin(), inside.movers.end(),
                                          [&](const std::string& mover) { return mover != inside.by; });
    if (hasRoom) return;
    // An old address may be kept to tell how far all has moved.
    const bool isOld = hasWord(variable->getName(), {"old", "orig", "prev", "previous", "saved", "before"}) ||
                       variable->getName().starts_with("old");
    if (!isTold || isOld || where.getBeginLoc().isMacroID() || !told_.insert(variable).second) return;
    survey_.valueSlips.push_back(
        {inside.isCallback ? ValueSlip::Kind::MovedCallback : ValueSlip::Kind::UsedMoved,
         variable->getName().str(), function_.getName().str(), lineOf(where, context_), inside.moved,
         inside.array.text + (inside.by.empty() ? "" : " by " + inside.by)});
  }

  void run(const clang::CFGBlock& block, State& state, bool isTold) {
    std::set<const clang::VarDecl*> whole;  // not moved before
    for (const auto& [variable, inside] : state.inside)
      if (inside.moved == 0) whole.insert(variable);
    for (const clang::CFGElement& element : block) {
      const auto part = element.getAs<clang::CFGStmt>();
      if (part) step(*part->getStmt(), state, isTold);
    }
    NameSet beside;
    for (auto& [variable, inside] : state.inside) {
      if (inside.moved == 0 || !whole.contains(variable)) continue;
      if (beside.empty()) addBeside(block, beside);
      inside.beside = beside;
    }
  }

  /// What tells that a way has gone through the block: what it sets, and what decides to go there.
  static void addBeside(const clang::CFGBlock& block, NameSet& names) {
    for (const clang::CFGElement& element : block)
      if (const auto part = element.getAs<clang::CFGStmt>()) addChangedBy(*part->getStmt(), names);
    NameSet read;
    for (const clang::CFGBlock* before : block.preds())
      if (const clang::Expr* condition = before ? branchCondition(*before) : nullptr)
        addRead(*condition, false, read);
    // Members may be of another object.
    std::copy_if(read.begin(), read.end(), std::inserter(names, names.end()),
                 [](const clang::ValueDecl* name) { return llvm::isa<clang::VarDecl>(name); });
  }

  void step(const clang::Stmt& statement, State& state, bool isTold) {
    if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(&statement)) {
      for (const clang::Decl* one : declared->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one); variable && variable->getIdentifier())
          set(variable, variable->getInit(), state, statement);
    } else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&statement)) {
      if (binary->getOpcode() == clang::BO_Assign) {
        assign(*binary, state);
      } else if (binary->isComparisonOp() || binary->getOpcode() == clang::BO_Sub) {
        // The author knows where it leads.
        for (const clang::Expr* side : {binary->getLHS(), binary->getRHS()})
          if (const clang::VarDecl* variable = countedPointer(*side);
              variable && state.inside.contains(variable) && state.inside.at(variable).moved != 0)
            state.inside.erase(variable);
      }
    } else if (const auto* made = llvm::dyn_cast<clang::CallExpr>(&statement)) {
      if (!reallocatedBy(*made))
        for (const clang::Expr* argument : made->arguments()) use(*argument, statement, state, isTold);
      call(*made, state);
    } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&statement)) {
      if (unary->getOpcode() == clang::UO_AddrOf)
        if (const clang::VarDecl* variable = countedPointer(*unary->getSubExpr()))
          state.inside.erase(variable);
      if (unary->getOpcode() == clang::UO_Deref) use(*unary->getSubExpr(), statement, state, isTold);
    } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&statement)) {
      if (member->isArrow()) use(*member->getBase(), statement, state, isTold);
    } else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&statement)) {
      use(*element->getBase(), statement, state, isTold);
    }
  }

  void assign(const clang::BinaryOperator& assignment, State& state) {
    const clang::Expr& left = *assignment.getLHS();
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(left.IgnoreParenCasts());
    if (const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
        variable && variable->getIdentifier())
      return set(variable, assignment.getRHS(), state, assignment);
    const auto* made = llvm::dyn_cast<clang::CallExpr>(assignment.getRHS()->IgnoreParenCasts());
    if (made && reallocatedBy(*made)) hold(*made, freePlaceOf(left).key, state);
    std::erase_if(state.inside, [&](const auto& one) {
      return one.second.moved == 0 && mayChange(one.second.array, left);
    });
  }

  MovedPointers& looks_;
  clang::ASTContext& context_;
  const clang::FunctionDecl& function_;
  Survey& survey_;
  std::set<const clang::VarDecl*> told_;
};

}  // namespace

void MovedPointers::collect(const clang::Stmt& part, const clang::FunctionDecl& function, unsigned depth,
                            MovedParts& out) {
  constexpr unsigned kMostDepth = 3;
  const auto add = [&](const FreePlace& place, const std::string& more) {
    const auto* parameter = llvm::dyn_cast_or_null<clang::ParmVarDecl>(place.root);
    if (!parameter || place.variables.size() != 1) return;
    const std::string suffix =
        place.text.substr(std::min(place.text.size(), parameter->getName().size())) + more;
    if (suffix.starts_with("->")) out.insert({parameter->getFunctionScopeIndex(), suffix});
  };
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&part)) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const clang::FunctionDecl* body = callee ? callee->getDefinition() : nullptr;
    if (const clang::Expr* given = reallocatedBy(*call)) {
      add(freePlaceOf(*given), "");
    } else if (body && body->getBody() && depth < kMostDepth) {
      for (const auto& [index, suffix] : movedBy(*body, depth + 1))
        if (index < call->getNumArgs()) {
          const FreePlace place = freePlaceOf(*call->getArg(index));
          if (!place.key.empty()) add(place, suffix);
        }
    }
  }
  for (const clang::Stmt* child : part.children())
    if (child) collect(*child, function, depth, out);
}

const MovedParts& MovedPointers::movedBy(const clang::FunctionDecl& function, unsigned depth) {
  const auto known = moved_.find({&function, depth});
  if (known != moved_.end()) return known->second;
  MovedParts parts;
  collect(*function.getBody(), function, depth, parts);
  return moved_[{&function, depth}] = std::move(parts);
}

const clang::FunctionDecl* MovedPointers::moverOf(clang::QualType object, const std::string& suffix) {
  for (const clang::Decl* declared : context_.getTranslationUnitDecl()->decls()) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declared);
    if (!function || !function->doesThisDeclarationHaveABody() || !function->getIdentifier() ||
        function->getStorageClass() == clang::SC_Static || function->isInvalidDecl())
      continue;
    for (const auto& [index, part] : movedBy(*function))
      if (part == suffix && context_.hasSameUnqualifiedType(function->getParamDecl(index)->getType(),
                                                            object.getUnqualifiedType()))
        return function;
  }
  return nullptr;
}

void MovedPointers::add(const clang::FunctionDecl& function, Survey& survey) {
  if (!function.getIdentifier() || !reallocates(function.getBody())) return;
  if (const clang::CFG* graph = flows_.graphOf(function))
    MovedWays(*this, context_, function, survey).follow(*graph);
}

}  // namespace heddle
