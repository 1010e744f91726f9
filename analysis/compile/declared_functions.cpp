#include "analysis/compile/declared_functions.h"

#include <map>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/RecordLayout.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/IR/Module.h"

#include "analysis/compile/stub_text.h"

namespace heddle {
namespace {

// Of one object; what is larger is listed in part.
constexpr size_t kMostScalars = 64;
// Pointers that are followed from a parameter or a result.
constexpr unsigned kDepth = 2;

/// A lock or another object of the thread library: it is used through calls only.
bool isLibraryObject(clang::QualType type) {
  while (const auto* named = type->getAs<clang::TypedefType>()) {
    const llvm::StringRef name = named->getDecl()->getName();
    if ((name.starts_with("pthread_") && name != "pthread_t") || name == "sem_t" || name == "mtx_t" ||
        name == "cnd_t" || name == "FILE" || name == "va_list")
      return true;
    type = named->desugar();
  }
  return false;
}

class Describer {
 public:
  Describer(clang::ASTContext& context, DeclaredFunction& function)
      : context_(context), function_(function) {}

  void describe(const clang::FunctionDecl& declared) {
    for (const clang::ParmVarDecl* parameter : declared.parameters()) {
      const clang::QualType type = parameter->getType();
      function_.passesRecords |= type->isRecordType();
      DeclaredFunction::Parameter described;
      if (type->isPointerType()) {
        const clang::QualType pointee = type->getPointeeType();
        described.isPointer = true;
        described.isFunction = pointee->isFunctionType();
        described.isChanged = !pointee.isConstQualified() && !described.isFunction;
        if (described.isChanged) described.target = shape(pointee, kDepth);
      }
      function_.parameters.push_back(described);
    }
    const clang::QualType result = declared.getReturnType();
    if (result->isVoidType()) return;
    ObjectShape whole;
    addScalars(result, 0, "", kDepth, whole);
    function_.result = std::move(whole.scalars);
  }

 private:
  /// What a pointer to `type` points to.
  uint32_t shape(clang::QualType type, unsigned depth) {
    type = type.getUnqualifiedType();
    if (depth == 0 || type->isVoidType() || type->isFunctionType()) return kNoShape;
    const auto known = shapes_.find({type.getAsOpaquePtr(), depth});
    if (known != shapes_.end()) return known->second;
    ObjectShape shape;
    if (!type->isIncompleteType() && !isLibraryObject(type)) {
      shape.size = static_cast<uint64_t>(context_.getTypeSizeInChars(type).getQuantity());
      shape.isText = type->isAnyCharacterType();
      addScalars(type, 0, "", depth - 1, shape);
    }
    const auto index = static_cast<uint32_t>(function_.shapes.size());
    function_.shapes.push_back(std::move(shape));
    shapes_[{type.getAsOpaquePtr(), depth}] = index;
    return index;
  }

  void addScalars(clang::QualType type, uint64_t offset, const std::string& name, unsigned depth,
                  ObjectShape& out) {
    if (out.scalars.size() >= kMostScalars) {
      out.isWhole = false;
      return;
    }
    if (type->isIncompleteType() || isLibraryObject(type)) {
      out.isWhole = false;
      return;
    }
    type = type.getCanonicalType().getAtomicUnqualifiedType();
    if (const auto* array = context_.getAsConstantArrayType(type)) {
      const uint64_t count = array->getSize().getLimitedValue();
      const auto each =
          static_cast<uint64_t>(context_.getTypeSizeInChars(array->getElementType()).getQuantity());
      for (uint64_t i = 0; i < count && out.scalars.size() < kMostScalars; ++i)
        addScalars(array->getElementType(), offset + i * each, name + "[" + std::to_string(i) + "]", depth,
                   out);
      out.isWhole &= out.scalars.size() < kMostScalars;
      return;
    }
    if (const clang::RecordDecl* record = type->getAsRecordDecl()) {
      const clang::ASTRecordLayout& layout = context_.getASTRecordLayout(record);
      for (const clang::FieldDecl* field : record->fields()) {
        if (field->isBitField()) {
          out.isWhole = false;
          continue;
        }
        const std::string inner = field->getName().empty() ? name : name + "." + field->getName().str();
        addScalars(field->getType(), offset + layout.getFieldOffset(field->getFieldIndex()) / 8, inner, depth,
                   out);
        if (record->isUnion()) break;
      }
      return;
    }
    const auto bytes = static_cast<uint64_t>(context_.getTypeSizeInChars(type).getQuantity());
    if (!type->isScalarType() || (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)) {
      out.isWhole = false;
      return;
    }
    ScalarShape scalar;
    scalar.offset = offset;
    scalar.bytes = static_cast<uint8_t>(bytes);
    scalar.isSigned = type->isSignedIntegerOrEnumerationType();
    scalar.isPointer = type->isPointerType();
    scalar.name = name;
    if (scalar.isPointer) scalar.target = shape(type->getPointeeType(), depth);
    out.scalars.push_back(std::move(scalar));
  }

  clang::ASTContext& context_;
  DeclaredFunction& function_;
  std::map<std::pair<void*, unsigned>, uint32_t> shapes_;
};

}  // namespace

std::vector<DeclaredFunction> declaredFunctions(clang::CodeGenerator& generator, clang::ASTContext& context) {
  std::vector<DeclaredFunction> found;
  if (!generator.GetModule()) return found;
  for (const llvm::Function& function : *generator.GetModule()) {
    if (!function.isDeclaration() || function.isIntrinsic() || function.use_empty()) continue;
    const clang::Decl* declaration = generator.GetDeclForMangledName(function.getName());
    const auto* declared = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration);
    if (!declared) continue;
    DeclaredFunction described;
    described.name = function.getName().str();
    Describer(context, described).describe(*declared);
    described.stub = stubText(*declared);
    found.push_back(std::move(described));
  }
  return found;
}

}  // namespace heddle
