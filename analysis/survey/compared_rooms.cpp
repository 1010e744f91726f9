#include "analysis/survey/compared_rooms.h"

#include <algorithm>
#include <optional>

#include "analysis/survey/data_name.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace heddle {
namespace {

constexpr uint64_t kLeastRoom = 4, kMostRoom = 4096;
constexpr uint64_t kMostGap = 128;  // every byte of such a buffer is an input
constexpr unsigned kCallees = 2;    // how deep

}  // namespace

class ComparedRooms::Visitor : public clang::RecursiveASTVisitor<ComparedRooms::Visitor> {
 public:
  Visitor(clang::ASTContext& context, Text& out) : context_(context), out_(out) {}

  // NOLINTBEGIN(readability-identifier-naming): names that Clang calls
  bool VisitDeclRefExpr(const clang::DeclRefExpr* named) { return noteArray(named->getType(), 0); }
  /// What is too long for a member shows where it leaves the whole structure.
  bool VisitMemberExpr(const clang::MemberExpr* named) {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(named->getMemberDecl());
    if (!field || field->getParent()->isInvalidDecl()) return true;
    const clang::ASTRecordLayout& layout = context_.getASTRecordLayout(field->getParent());
    const auto whole = static_cast<uint64_t>(layout.getSize().getQuantity());
    const uint64_t offset = layout.getFieldOffset(field->getFieldIndex()) / context_.getCharWidth();
    return noteArray(named->getType(), whole - offset);
  }
  bool VisitBinaryOperator(const clang::BinaryOperator* operation) {
    if (!operation->isComparisonOp()) return true;
    const clang::Expr& left = *operation->getLHS();
    const clang::Expr& right = *operation->getRHS();
    if (left.getType()->isPointerType() && right.getType()->isPointerType()) {
      noteGap(shiftOf(left));
      noteGap(shiftOf(right));
    } else {
      noteDifference(left, right);
      noteDifference(right, left);
    }
    return true;
  }
  bool VisitCallExpr(const clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const clang::FunctionDecl* definition = callee ? callee->getDefinition() : nullptr;
    if (definition && definition->doesThisDeclarationHaveABody() && isOfMainFile(*definition))
      out_.callees.insert(definition);
    return true;
  }
  // NOLINTEND(readability-identifier-naming)

 private:
  /// An array that texts are copied to: what callers pass may be longer than it is.
  bool noteArray(clang::QualType type, uint64_t least) {
    const auto* array = context_.getAsConstantArrayType(type);
    if (!array) return true;
    const uint64_t count = array->getSize().getZExtValue();
    const auto note = [](std::set<uint64_t>& rooms, uint64_t room) {
      if (room >= kLeastRoom && room <= kMostRoom) rooms.insert(room);
    };
    note(out_.counts, count);
    if (array->getElementType()->isCharType()) note(out_.rooms, std::max(count, least));
    return true;
  }

  void noteGap(std::optional<int64_t> gap) {
    if (!gap) return;
    const uint64_t size = *gap < 0 ? 0 - static_cast<uint64_t>(*gap) : static_cast<uint64_t>(*gap);
    if (size >= kLeastRoom && size <= kMostGap) out_.gaps.insert(size);
  }

  /// What is added to the pointer, in bytes; nothing: no constant, or other elements than bytes.
  std::optional<int64_t> shiftOf(const clang::Expr& pointer) const {
    const clang::Expr* part = pointer.IgnoreParenCasts();
    int64_t shift = 0;
    while (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(part)) {
      const auto step = sum->isAdditiveOp() && isOfBytes(*sum) ? constantOf(*sum->getRHS()) : std::nullopt;
      if (!step) return std::nullopt;
      shift += sum->getOpcode() == clang::BO_Add ? *step : -*step;
      part = sum->getLHS()->IgnoreParenCasts();
    }
    return shift;
  }

  void noteDifference(const clang::Expr& side, const clang::Expr& other) {
    const auto* difference = llvm::dyn_cast<clang::BinaryOperator>(side.IgnoreParenCasts());
    if (difference && difference->getOpcode() == clang::BO_Sub && isOfBytes(*difference->getLHS()) &&
        isOfBytes(*difference->getRHS()))
      noteGap(constantOf(other));
  }

  static bool isOfBytes(const clang::Expr& pointer) {
    const clang::QualType type = pointer.getType();
    return type->isPointerType() && (type->getPointeeType()->isCharType() || type->isVoidPointerType());
  }

  std::optional<int64_t> constantOf(const clang::Expr& expression) const {
    constexpr int64_t kMost = 1 << 20;
    clang::Expr::EvalResult result;
    if (expression.isValueDependent() || !expression.EvaluateAsInt(result, context_)) return std::nullopt;
    const llvm::APSInt& value = result.Val.getInt();
    if (value.getSignificantBits() > 32) return std::nullopt;
    const int64_t number = value.getExtValue();
    return number > kMost || number < -kMost ? std::nullopt : std::optional(number);
  }

  clang::ASTContext& context_;
  Text& out_;
};

const ComparedRooms::Text& ComparedRooms::textOf(const clang::FunctionDecl& function) {
  const auto [known, isNew] = texts_.try_emplace(&function);
  if (isNew) Visitor(context_, known->second).TraverseStmt(function.getBody());
  return known->second;
}

void ComparedRooms::addGaps(const clang::FunctionDecl& function, unsigned depth,
                            std::set<const clang::FunctionDecl*>& known, std::set<uint64_t>& gaps) {
  if (!known.insert(&function).second) return;
  const Text& text = textOf(function);
  gaps.insert(text.gaps.begin(), text.gaps.end());
  if (depth == 0) return;
  for (const clang::FunctionDecl* callee : text.callees) addGaps(*callee, depth - 1, known, gaps);
}

void ComparedRooms::add(const clang::FunctionDecl& function, SurveyFunction& out) {
  const Text& text = textOf(function);
  std::set<const clang::FunctionDecl*> known;
  std::set<uint64_t> gaps;
  addGaps(function, kCallees, known, gaps);
  std::set<uint64_t> rooms = text.rooms;
  rooms.insert(gaps.begin(), gaps.end());
  for (auto& [name, type] : out.parameters) {
    const bool isNumber = type.kind == SurveyType::Kind::Number && !type.isBool;
    const bool isPointer = type.kind == SurveyType::Kind::Pointer && !type.isTwice && type.callback.empty();
    const std::set<uint64_t>& sizes = isNumber ? text.counts : rooms;
    if ((isNumber || isPointer) && !sizes.empty()) type.compared.rooms = {*sizes.begin(), *sizes.rbegin()};
  }
}

}  // namespace heddle
