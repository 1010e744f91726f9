// ProgramCode: what the reference interpreter works out about a module before it runs: slots of values, where
// globals and functions lie, which local variables other threads can reach.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "tests/reference/state.h"

namespace heddle::reference {

/// One function of the module. Slots: parameters, then every instruction.
struct FunctionCode {
  const llvm::Function* function = nullptr;
  std::map<const llvm::Value*, uint32_t> slots;
  uint32_t slotCount = 0;
  std::map<const llvm::BasicBlock*, std::vector<const llvm::Instruction*>> blocks;
  /// Slots that only their own block uses: they are emptied behind it, so that dead values tell no states
  /// apart.
  std::map<const llvm::BasicBlock*, std::vector<uint32_t>> temporary;
  std::set<const llvm::AllocaInst*> reachable;  // by other threads: the address goes somewhere
};

class ProgramCode {
 public:
  explicit ProgramCode(const llvm::Module& module);

  const FunctionCode* function(const std::string& name) const;
  /// Null where no function with a body has that address.
  const FunctionCode* functionAt(uint64_t address) const;
  uint64_t addressOf(const llvm::GlobalValue& value) const { return addresses_.at(&value); }
  const llvm::DataLayout& layout() const { return module_.getDataLayout(); }
  const std::vector<Object>& globals() const { return globals_; }
  /// Of a constant; throws std::runtime_error for kinds that the reference does not know.
  Value constant(const llvm::Constant& constant) const;
  uint32_t sizeOf(llvm::Type* type) const;

 private:
  void initialize(const llvm::Constant& from, Object& object, uint64_t offset) const;

  const llvm::Module& module_;
  std::map<const llvm::GlobalValue*, uint64_t> addresses_;
  std::map<uint64_t, std::unique_ptr<FunctionCode>> functions_;
  std::vector<Object> globals_;
};

/// The low `bytes` bytes of a value to and from memory.
void put(Object& object, uint64_t offset, uint32_t bytes, const Value& value);
Value get(const Object& object, uint64_t offset, uint32_t bytes);

}  // namespace heddle::reference
