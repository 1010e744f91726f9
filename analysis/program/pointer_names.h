// PointerNames: from an address in LLVM IR to the expression that the text has for it, by debug information.
// Internal to analysis/program.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstrTypes.h>

#include <optional>
#include <string>

#include "analysis/program/access_name.h"
#include "analysis/program/module_lowering.h"

namespace heddle::lowering {

class PointerNames {
 public:
  explicit PointerNames(ModuleLowering& module) : module_(module) {}

  /// Collects, by place, the names of each access and of each argument of a call in the function.
  void collect(const llvm::Function& function);
  /// What a call that returns a pointer is assigned to; nullopt: nothing that tells what lies there.
  std::optional<AccessName> resultOf(const llvm::CallBase& call) const;

 private:
  /// A value or an object, as the text has it.
  struct Named {
    std::string text;
    const llvm::DIType* type = nullptr;
  };
  /// An address: the base from which it is reached, and its distance from there.
  struct Spot {
    std::string base;
    const llvm::DIType* type = nullptr;  // of what lies at the base
    bool isDirect = false;               // the base is a variable itself and not where a pointer leads to
    bool isSubscript = false;
    int64_t offset = 0;
    llvm::SmallVector<std::pair<const llvm::Value*, int64_t>, 2> indices;  // with the bytes of one step
  };
  static constexpr unsigned kDepth = 6;  // pointers in a row

  std::optional<Named> valueOf(const llvm::Value& value, unsigned depth) const;
  std::optional<Spot> spotOf(const llvm::Value& address, unsigned depth) const;
  Named memberOf(const Spot& spot) const;
  std::optional<AccessName> nameOf(const llvm::Value& address) const;
  void note(const llvm::Instruction& instruction, const llvm::Value& address);

  ModuleLowering& module_;
};

}  // namespace heddle::lowering
