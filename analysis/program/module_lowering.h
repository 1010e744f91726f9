// ModuleLowering: what the lowering of all functions of a module shares (indices, constants, debug
// information). Internal to analysis/program.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>

#include <optional>

#include "analysis/model/term.h"
#include "analysis/program/program.h"

namespace heddle::lowering {

/// A scalar constant: bits, plus the address of a global or function.
struct ScalarConstant {
  uint64_t bits = 0;
  RelocationTarget target = RelocationTarget::None;
  uint32_t index = 0;
  bool undefined = false;
};

/// One scalar of a value's type: where it lies in memory and how wide it is in a register.
struct Scalar {
  llvm::Type* type = nullptr;
  uint64_t offset = 0;  // bytes
  unsigned width = 0;   // bits
};

class ModuleLowering {
 public:
  ModuleLowering(const llvm::Module& module, Program& program, bool withStatements);

  const llvm::Module& module;
  const llvm::DataLayout& layout;
  Program& program;
  const bool withStatements;

  void lowerGlobals();
  void declareFunctions();

  uint32_t functionIndex(const llvm::Function& function) const { return functions_.lookup(&function); }
  uint32_t globalIndex(const llvm::GlobalVariable& global) const { return globals_.lookup(&global); }
  uint32_t external(llvm::StringRef name);

  /// nullopt: not a constant that can be expressed (a difference of addresses, a wide integer).
  std::optional<ScalarConstant> scalarConstant(const llvm::Constant& constant) const;
  /// The scalars a type consists of; nullopt for types that registers cannot hold (integers above 128 bits,
  /// quadruple precision, large vectors). Wide integers and long double are two scalars, vectors their
  /// elements.
  std::optional<std::vector<Scalar>> flatten(llvm::Type* type) const;
  /// Width in bits of a scalar type; 0 if the type is not scalar or too wide.
  unsigned scalarWidth(llvm::Type* type) const;

  /// Bits of an integer of 65 to 128 bits, else 0.
  static unsigned wideWidth(llvm::Type* type);
  /// Whether long double of the target is what the interpreter computes with.
  static bool isLongDouble(llvm::Type* type);

  /// Constructors and destructors, and the functions that run them.
  void lowerProcess();

  PlaceId place(const llvm::DILocation* location);
  PlaceId place(const llvm::DIFile* file, unsigned line, unsigned column, llvm::StringRef function);
  TypeIndex type(const llvm::DIType* type);

 private:
  bool writeInitializer(const llvm::Constant& constant, uint64_t offset, GlobalVariable& out) const;
  TypeIndex composite(const llvm::DICompositeType& type);

  llvm::DenseMap<const llvm::Function*, uint32_t> functions_;
  llvm::DenseMap<const llvm::GlobalVariable*, uint32_t> globals_;
  std::unordered_map<std::string, uint32_t> externals_;
  llvm::DenseMap<const llvm::DILocation*, PlaceId> locationPlaces_;
  std::map<std::tuple<const char*, unsigned, unsigned, const char*>, PlaceId> places_;
  llvm::DenseMap<const llvm::DIFile*, const char*> files_;
  llvm::DenseMap<const llvm::DIType*, TypeIndex> types_;
};

}  // namespace heddle::lowering
