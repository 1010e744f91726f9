#include "analysis/survey/type_survey.h"

#include "analysis/compile/verifier_input.h"
#include "analysis/survey/data_name.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Type.h"
#include "llvm/Support/raw_ostream.h"

namespace heddle {

namespace {

SurveyType::Kind kindOf(clang::QualType type) {
  if (type->isVoidType()) return SurveyType::Kind::Void;
  if (type->isPointerType()) return SurveyType::Kind::Pointer;
  if (type->isRecordType()) return SurveyType::Kind::Record;
  return type->isScalarType() ? SurveyType::Kind::Number : SurveyType::Kind::Other;
}

}  // namespace

std::string lockKind(clang::QualType type) {
  while (const auto* named = type->getAs<clang::TypedefType>()) {
    const llvm::StringRef name = named->getDecl()->getName();
    if (name == "pthread_mutex_t") return "mutex";
    if (name == "pthread_cond_t") return "cond";
    if (name == "pthread_rwlock_t") return "rwlock";
    if (name == "pthread_spinlock_t") return "spin";
    if (name == "sem_t") return "sem";
    if (name.starts_with("pthread_") && name != "pthread_t") return "other";
    if (name == "mtx_t" || name == "cnd_t" || name == "once_flag") return "other";
    type = named->desugar();
  }
  return "";
}

namespace {

void addBitBytes(const clang::ASTContext& context, const clang::FieldDecl& field, std::set<uint32_t>& bytes) {
  constexpr uint64_t kMost = 1 << 16;  // of a larger structure the bits are not made up
  const uint64_t first = context.getFieldOffset(&field), bits = field.getBitWidthValue();
  for (uint64_t at = first / 8; bits > 0 && at <= (first + bits - 1) / 8 && at < kMost; ++at)
    bytes.insert(static_cast<uint32_t>(at));
}

bool namesThread(clang::QualType type) {
  for (const auto* named = type->getAs<clang::TypedefType>(); named;
       named = named->desugar()->getAs<clang::TypedefType>())
    if (named->getDecl()->getName() == "pthread_t" || named->getDecl()->getName() == "thrd_t") return true;
  return false;
}

}  // namespace

TypeSurvey::TypeSurvey(clang::ASTContext& context, std::vector<SurveyRecord>& records)
    : context_(context), records_(records), policy_(context.getPrintingPolicy()) {
  policy_.Bool = false;
}

std::string TypeSurvey::spelled(clang::QualType type, const std::string& name) const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  type.print(stream, policy_, name);
  return text;
}

SurveySignature::Part TypeSurvey::part(clang::QualType type) const {
  using Part = SurveySignature::Part;
  if (type->isVoidType()) return Part::Nothing;
  if (type->isVoidPointerType()) return Part::Untyped;
  if (!type->isIntegerType() || type->isBooleanType()) return Part::Other;
  const bool isSize =
      type->isUnsignedIntegerType() && context_.getTypeSize(type) == context_.getTypeSize(context_.VoidPtrTy);
  return isSize ? Part::Size : Part::Number;
}

clang::QualType TypeSurvey::unchanged(const clang::FunctionProtoType& type, unsigned index) const {
  const clang::QualType given = type.getParamType(index);
  if (!given->isPointerType()) return given;
  const clang::QualType target = given->getPointeeType();
  const bool isSized = index + 1 < type.getNumParams() && type.getParamType(index + 1)->isIntegerType();
  const bool isBuffer = target->isVoidType() && isSized;
  if (isBuffer || (!target->isRecordType() && !target->isVoidType())) return given;
  return context_.getPointerType(target.withConst());
}

void TypeSurvey::addFunction(const clang::FunctionProtoType& type, SurveyType& out) const {
  const auto listed = [&](const auto& typeOf) {
    std::string text;
    for (unsigned i = 0; i < type.getNumParams(); ++i)
      text += (i == 0 ? "" : ", ") + spelled(typeOf(i), "a" + std::to_string(i));
    return (text.empty() ? "void" : text) + (type.isVariadic() ? ", ..." : "");
  };
  const clang::QualType result = type.getReturnType();
  SurveySignature& signature = out.signature;
  signature.result = part(result);
  std::string body;
  for (unsigned i = 0; i < type.getNumParams(); ++i) {
    body += " (void)a" + std::to_string(i) + ";";
    signature.parameters.push_back(part(type.getParamType(i)));
  }
  if (result->isRecordType())
    body += " static " + spelled(result, "result") + "; return result;";
  else if (!result->isVoidType())
    body += " return 0;";
  const std::string given = listed([&](unsigned i) { return type.getParamType(i); });
  const std::string kept = listed([&](unsigned i) { return unchanged(type, i); });
  out.callback = "static " + spelled(result, "@(" + given + ")") + " {" + body + " }";
  signature.declared = spelled(result, "@(" + kept + ")");
}

uint32_t TypeSurvey::record(clang::QualType type) {
  const clang::QualType plain = type.getUnqualifiedType();
  const void* const key = plain.getCanonicalType().getAsOpaquePtr();
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  const auto index = static_cast<uint32_t>(records_.size());
  known_[key] = index;
  records_.emplace_back();
  std::string name = spelled(plain, "");
  while (!name.empty() && name.back() == ' ') name.pop_back();
  records_[index].spelled = name;
  const clang::RecordDecl* declared = plain->getAsRecordDecl();
  declared = declared ? declared->getDefinition() : nullptr;
  records_[index].isOpaque = !declared;
  if (!declared || declared->isUnion()) return index;
  records_[index].isComplete = true;
  for (const clang::FieldDecl* field : declared->fields()) {
    if (field->isBitField() && !field->isInvalidDecl() && !declared->isInvalidDecl())
      addBitBytes(context_, *field, records_[index].bitBytes);
    if (field->isBitField() || field->getName().empty()) continue;
    SurveyField found{field->getName().str(), of(field->getType()), lockKind(field->getType()),
                      fieldName(*field)};
    records_[index].fields.push_back(std::move(found));  // `of` may have moved the records
  }
  return index;
}

bool TypeSurvey::knows(clang::QualType type) const {
  if (!type->isPointerType()) return false;
  clang::QualType target = type->getPointeeType();
  if (target->isPointerType()) target = target->getPointeeType();
  return target->isRecordType() &&
         known_.contains(target.getUnqualifiedType().getCanonicalType().getAsOpaquePtr());
}

SurveyType TypeSurvey::of(clang::QualType type) {
  SurveyType found;
  if (const auto* adjusted = type->getAs<clang::DecayedType>()) type = adjusted->getDecayedType();
  if (const clang::ArrayType* array = context_.getAsArrayType(type)) {
    // A parameter of an array type is a pointer; a field of one is not, and nothing is said of it.
    if (!llvm::isa<clang::IncompleteArrayType>(array) && !llvm::isa<clang::ConstantArrayType>(array))
      return found;
    found.spelled = spelled(type.getUnqualifiedType());
    const clang::QualType element = array->getElementType();
    const auto* sized = llvm::dyn_cast<clang::ConstantArrayType>(array);
    found.isPair = sized && sized->getZExtSize() == 2 && element->isVoidPointerType() &&
                   type->getAs<clang::TypedefType>() != nullptr;
    const bool isText = element->isCharType() && !element->isSpecificBuiltinType(clang::BuiltinType::UChar);
    if (sized && element->isIntegerType() && !isText && !element.isConstQualified()) {
      found.input = verifierInput(context_, element);
      found.elements = static_cast<uint32_t>(std::min<uint64_t>(sized->getZExtSize(), kNoRecord));
    }
    return found;
  }
  found.spelled = spelled(type.getUnqualifiedType());
  found.kind = kindOf(type);
  if (found.kind == SurveyType::Kind::Number) {
    found.isBool = type->isBooleanType();
    found.isThread = namesThread(type);
    found.input = verifierInput(context_, type);
  }
  if (found.kind == SurveyType::Kind::Record) found.record = record(type);
  if (found.kind != SurveyType::Kind::Pointer) return found;
  const clang::QualType target = type->getPointeeType();
  found.target = kindOf(target);
  found.isTargetConst = target.isConstQualified();
  found.isTargetText = target->isAnyCharacterType();
  found.targetSpelled = spelled(target.getUnqualifiedType());
  if (const auto* function = target->getAs<clang::FunctionProtoType>()) addFunction(*function, found);
  if (found.target == SurveyType::Kind::Record) found.record = record(target);
  if (found.target == SurveyType::Kind::Pointer && target->getPointeeType()->isRecordType()) {
    found.record = record(target->getPointeeType());
    found.isTwice = true;
  }
  return found;
}

}  // namespace heddle
