#include "analysis/survey/guarded_copies.h"

#include <algorithm>

#include "analysis/support/name_words.h"
#include "analysis/survey/integer_constant.h"
#include "analysis/survey/source_line.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

namespace heddle {
namespace {

/// "end", "bEnd", "iend" of "12:this->iend", and no "backend": a pointer to where something ends.
bool isEndKey(llvm::StringRef key) {
  const size_t at = key.find_last_of(":>.");
  if (at != llvm::StringRef::npos) key = key.substr(at + 1);
  return hasWord({key.data(), key.size()}, {"end", "iend", "oend", "pend", "bufend", "strend", "dataend",
                                            "srcend", "dstend", "inend", "outend"});
}

class CopyChecks {
 public:
  CopyChecks(clang::ASTContext& context, const clang::FunctionDecl& function, LinearFlow& flow,
             WideReads& reads, Survey& survey)
      : context_(context), function_(function), flow_(flow), reads_(reads), survey_(survey) {
    addSteps(*function.getBody());
  }

  void look(const clang::Stmt& statement, const LinearState& state) {
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement)) {
      for (unsigned i = 0; i < call->getNumArgs(); ++i) readWide(*call, i, state);
      return lookAt(*call, state);
    }
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&statement);
    if (!binary || binary->getOpcode() != clang::BO_Assign) return;
    const clang::Expr* place = binary->getLHS()->IgnoreParens();
    const clang::Expr* pointer = nullptr;
    LinearValue index = LinearValue::number(0);
    const int64_t size = flow_.sizeOf(place->getType());
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place)) {
      pointer = element->getBase();
      index = linearSum(index, flow_.valueOf(*element->getIdx(), state), size);
    } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(place);
               unary && unary->getOpcode() == clang::UO_Deref) {
      pointer = unary->getSubExpr();
    }
    if (pointer && size > 0) check(*pointer, linearSum(index, LinearValue::number(size)), statement, state);
  }

 private:
  void lookAt(const clang::CallExpr& call, const LinearState& state) {
    const llvm::StringRef name = linearCallee(call);
    const unsigned count = call.getNumArgs();
    const auto size = [&](unsigned index) { return flow_.valueOf(*call.getArg(index), state); };
    if ((name == "memcpy" || name == "memmove") && count >= 3) {
      check(*call.getArg(0), size(2), call, state);
      check(*call.getArg(1), size(2), call, state);
      if (name == "memmove") shift(call, state);
    } else if ((name == "memset" || name == "strncpy") && count >= 3) {
      check(*call.getArg(0), size(2), call, state);
    } else if ((name == "snprintf" || name == "vsnprintf") && count >= 3) {
      wish(*call.getArg(0), call, state);
      check(*call.getArg(0), size(1), call, state);
    } else if ((name == "read" || name == "recv" || name == "readlink") && count >= 3) {
      check(*call.getArg(1), size(2), call, state);
    } else if (name == "fgets" && count == 3) {
      check(*call.getArg(0), size(1), call, state);
    } else if (name == "strcpy" && count == 2) {
      check(*call.getArg(0), lengthOf(*call.getArg(1), state), call, state);
    } else if (name == "strcat" && count == 2) {
      append(call, state);
    } else if (name.ends_with("strlcpy") && count == 3) {
      check(*call.getArg(0), size(2), call, state);
    }
  }

  /// With the byte at its end.
  LinearValue lengthOf(const clang::Expr& text, const LinearState& state) const {
    const clang::Expr* plain = text.IgnoreParenCasts();
    if (const auto* literal = llvm::dyn_cast<clang::StringLiteral>(plain))
      return LinearValue::number(static_cast<int64_t>(literal->getByteLength()) + 1);
    return linearSum(LinearFlow::textLength(flow_.valueOf(*plain, state), state), LinearValue::number(1));
  }

  /// An index that is raised by more than 1 need not meet its bound.
  void addSteps(const clang::Stmt& part) {
    if (const auto* binary = llvm::dyn_cast<clang::CompoundAssignOperator>(&part)) {
      const auto by = integerConstant(*binary->getRHS(), context_);
      const std::string key = freePlaceOf(*binary->getLHS()).key;
      if (binary->getType()->isIntegerType() && by != 1) stepped_.insert(key);
      if (by && *by > 0 && *by < kMostStep && binary->getType()->isPointerType() &&
          binary->getOpcode() == clang::BO_AddAssign) {
        int64_t& bytes = strides_[key];
        bytes = std::max(bytes, *by * flow_.sizeOf(binary->getType()->getPointeeType()));
      }
    } else if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(&part);
               step && step->isIncrementOp() && step->getType()->isPointerType()) {
      int64_t& bytes = strides_[freePlaceOf(*step->getSubExpr()).key];
      bytes = std::max(bytes, flow_.sizeOf(step->getType()->getPointeeType()));
    }
    for (const clang::Stmt* child : part.children())
      if (child) addSteps(*child);
  }

  bool isStepped(const LinearValue& value) const {
    return std::any_of(value.terms.begin(), value.terms.end(), [&](const auto& term) {
      const size_t at = term.first.find("@b");
      return at != std::string::npos && stepped_.contains(term.first.substr(0, at));
    });
  }

  void tell(ValueSlip::Kind kind, const clang::Expr& place, const clang::Stmt& where, uint32_t other,
            std::string callee) {
    // All that is appended behind one call is one slip.
    if (!told_.insert({kind, kind == ValueSlip::Kind::TextAppended ? other : lineOf(where, context_)}).second)
      return;
    survey_.valueSlips.push_back(
        {kind, textOf(place), function_.getName().str(), lineOf(where, context_), other, std::move(callee)});
  }

  /// "12:this->items@0" is of "this->items".
  static std::string placeOf(const std::string& symbol) {
    const size_t begin = symbol.find(':');
    return begin == std::string::npos ? symbol : symbol.substr(begin + 1, symbol.find('@') - begin - 1);
  }

  std::string textOf(const clang::Expr& place) const {
    const clang::SourceManager& sources = context_.getSourceManager();
    return clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(
                                           sources.getExpansionRange(place.getSourceRange()).getAsRange()),
                                       sources, context_.getLangOpts())
        .str();
  }

  void check(const clang::Expr& pointer, const LinearValue& size, const clang::Stmt& where,
             const LinearState& state) {
    if (where.getBeginLoc().isMacroID() && !llvm::isa<clang::CallExpr>(where)) return;
    const auto target = flow_.targetOf(pointer, state);
    if (!target || !size.isKnown) return;
    const LinearValue end = linearSum(target->offset, size);
    const LinearValue over = linearDifference(end, target->room.bytes);
    if (!over.isKnown) return;
    if (over.isNumber()) {
      if (over.constant > 0 && target->room.isCertain && target->room.line != 0)
        tell(ValueSlip::Kind::RoomShort, pointer, where, target->room.line, std::to_string(over.constant));
      return;
    }
    const auto excess = state.facts.most(over);
    constexpr int64_t kMostExcess = 16;
    if (isStepped(over) || !excess || excess->most <= 0 || excess->most > kMostExcess) return;
    // What a parameter is said to be long may leave out the end of the text.
    const bool isGivenLength = target->room.line == 0 && !target->room.bytes.isNumber();
    if (isGivenLength && (excess->most == 1 || over.terms.size() < 3)) return;
    tell(ValueSlip::Kind::GuardShort, pointer, where, excess->line, std::to_string(excess->most));
  }

  /// A call reads more at the pointer than lies between it and the end that it is compared with.
  void readWide(const clang::CallExpr& call, unsigned argument, const LinearState& state) {
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(call.getArg(argument)->IgnoreParenCasts());
    const auto* pointer = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    if (!pointer || !pointer->getType()->isPointerType()) return;
    const int64_t bytes = std::max(reads_.bytesBy(call, argument), reads_.bytesOf(call, *pointer));
    if (bytes <= 1) return;
    const auto stride = strides_.find(variableKey(*pointer));
    const bool isWhole = stride != strides_.end() && stride->second >= bytes;
    const LinearValue end = linearSum(flow_.valueOf(*reference, state), LinearValue::number(bytes));
    for (const auto& [key, value] : state.values) {
      if (!isEndKey(key)) continue;
      // An end that lies in front of another one leaves something behind it.
      const bool isInner =
          std::any_of(state.values.begin(), state.values.end(), [&, own = value](const auto& other) {
            const LinearValue more = linearDifference(other.second, own);
            return more.isNumber() && more.constant > 0;
          });
      if (isInner) continue;
      const auto excess = state.facts.most(linearDifference(end, value));
      if (!excess || !excess->isOfAddresses || excess->most <= 0 || excess->most >= bytes) continue;
      // Steps of all that is read come to the end itself, if what is there has no rest.
      if (isWhole && excess->most == bytes - 1) continue;
      tell(ValueSlip::Kind::ReadWide, *reference, call, excess->line, std::to_string(excess->most));
    }
  }

  void wish(const clang::Expr& pointer, const clang::Stmt& where, const LinearState& state) {
    const auto target = flow_.targetOf(pointer, state);
    if (!target || !target->offset.isKnown) return;
    for (const auto& [symbol, factor] : target->offset.terms)
      if (factor > 0 && state.wishes.contains(symbol) && !state.facts.limits(symbol))
        tell(ValueSlip::Kind::WishTaken, pointer, where, 0, placeOf(symbol));
  }

  void append(const clang::CallExpr& call, const LinearState& state) {
    const auto target = flow_.targetOf(*call.getArg(0), state);
    if (!target || !target->offset.isNumber() || target->offset.constant != 0) return;
    const auto text = state.texts.find(target->base);
    if (text == state.texts.end()) return;
    const LinearValue end = linearSum(text->second.length, lengthOf(*call.getArg(1), state));
    LinearValue over = linearDifference(end, target->room.bytes);
    if (!over.isKnown) return;
    std::erase_if(over.terms,
                  [](const auto& term) { return term.second > 0 && term.first.starts_with("strlen("); });
    if (over.isNumber() && over.constant > 0)
      tell(ValueSlip::Kind::TextAppended, *call.getArg(0), call, text->second.line, text->second.callee);
  }

  /// The array that the address is in, or the pointer that leads to it.
  static const clang::Expr& arrayPart(const clang::Expr& address) {
    const clang::Expr* part = address.IgnoreParenCasts();
    while (!part->getType()->isArrayType()) {
      const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(part);
      const auto* taken = llvm::dyn_cast<clang::UnaryOperator>(part);
      const auto* element =
          taken && taken->getOpcode() == clang::UO_AddrOf
              ? llvm::dyn_cast<clang::ArraySubscriptExpr>(taken->getSubExpr()->IgnoreParens())
              : nullptr;
      if (sum && sum->isAdditiveOp() && sum->getLHS()->getType()->isPointerType())
        part = sum->getLHS()->IgnoreParenCasts();
      else if (element)
        part = element->getBase()->IgnoreParenCasts();
      else
        break;
    }
    return *part;
  }

  /// How far an array that the address is in lies behind the begin of its structure.
  int64_t arrayOffset(const clang::Expr& address, const LinearState& state) const {
    const clang::Expr& part = arrayPart(address);
    return part.getType()->isArrayType() ? flow_.addressOf(part, state).constant : 0;
  }

  /// Pointers may be one more than are counted: null at the end of texts, the children beside the keys of a
  /// node. An array that is alone in its structure, and of objects, has none.
  static bool hasOneMore(const clang::Expr& array) {
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(&array);
    const auto* field = member ? llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl()) : nullptr;
    if (!field || !field->getIdentifier()) return true;
    const llvm::StringRef name = field->getName();
    if (hasWord({name.data(), name.size()}, {"child", "children", "childs", "kids", "links", "argv", "env"}))
      return true;
    const clang::QualType type = field->getType();
    const clang::QualType element = type->isPointerType()
                                        ? type->getPointeeType()
                                        : clang::QualType(type->getArrayElementTypeNoTypeQual(), 0);
    if (element.isNull() || !element->isPointerType() || !element->getPointeeType()->isRecordType())
      return true;
    const auto fields = field->getParent()->fields();
    return std::any_of(fields.begin(), fields.end(), [&](const clang::FieldDecl* other) {
      const clang::QualType own = other->getType();
      const bool isArray = own->isArrayType() || (own->isPointerType() && !own->isFunctionPointerType() &&
                                                  !own->getPointeeType()->isRecordType());
      return other != field && isArray;
    });
  }

  /// memmove(&a[i], &a[i + 1], (n - i) * sizeof a[0]): it reads a[n].
  void shift(const clang::CallExpr& call, const LinearState& state) {
    const clang::Expr* to = call.getArg(0)->IgnoreParenCasts();
    const clang::QualType type = to->getType();
    if (!type->isPointerType()) return;
    const int64_t size = flow_.sizeOf(type->getPointeeType());
    if (size <= 1 || (type->getPointeeType()->isPointerType() && hasOneMore(arrayPart(*to)))) return;
    const LinearValue from = flow_.valueOf(*call.getArg(1), state), begin = flow_.valueOf(*to, state);
    const LinearValue by = linearDifference(from, begin), bytes = flow_.valueOf(*call.getArg(2), state);
    if (!by.isNumber() || by.constant < size || !bytes.isKnown || bytes.isNumber()) return;
    // The end of the source, in front of which n elements lie.
    const LinearValue end =
        linearDifference(linearSum(from, bytes), LinearValue::number(arrayOffset(*call.getArg(1), state)));
    const LinearValue count = linearDifference(end, LinearValue::number(by.constant));
    for (const auto& term : count.terms) {
      const std::string& symbol = term.first;
      const int64_t factor = term.second;
      if (factor == size && bytes.mentions(symbol)) {
        const bool isEnd = end.constant == by.constant;
        const bool isLess = std::any_of(state.values.begin(), state.values.end(), [&](const auto& value) {
          return value.second.mentions(symbol) && value.second.constant < 0;
        });
        if (isEnd && !isLess) tell(ValueSlip::Kind::ShiftLong, *call.getArg(1), call, 0, placeOf(symbol));
      }
    }
  }

  clang::ASTContext& context_;
  const clang::FunctionDecl& function_;
  LinearFlow& flow_;
  WideReads& reads_;
  Survey& survey_;
  std::set<std::pair<ValueSlip::Kind, uint32_t>> told_;
  static constexpr int64_t kMostStep = 4096;
  std::set<std::string> stepped_;
  std::map<std::string, int64_t> strides_;  // of pointers, in bytes: the widest
};

/// Something is copied, or made.
bool hasCopies(const clang::Stmt& part) {
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&part)) {
    const llvm::StringRef name = linearCallee(*call);
    if (name.starts_with("mem") || name.contains("str") || name.contains("alloc") ||
        name.contains("printf") || name.contains("read") || name.contains("recv") || name == "fgets")
      return true;
  }
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&part))
    if (const clang::ValueDecl* named = reference->getDecl();
        named->getIdentifier() && named->getType()->isPointerType() && isEndKey(named->getName()))
      return true;
  return std::any_of(part.child_begin(), part.child_end(),
                     [](const clang::Stmt* child) { return child && hasCopies(*child); });
}

}  // namespace

void GuardedCopies::add(const clang::FunctionDecl& function, Survey& survey) {
  if (!function.getIdentifier() || !hasCopies(*function.getBody())) return;
  LinearFlow flow(flows_, function);
  CopyChecks checks(context_, function, flow, reads_, survey);
  flow.visit([&](const clang::Stmt& statement, const LinearState& state) { checks.look(statement, state); });
}

}  // namespace heddle
