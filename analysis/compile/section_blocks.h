// Section blocks: which code of a module certainly runs inside an atomic section, and which variables are
// written nowhere else. By data flow over each function; a call that may end a section ends it.
//
// Threading: reads a module that must not change meanwhile; an instance belongs to one thread.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Module.h"

namespace heddle {

class SectionBlocks {
 public:
  explicit SectionBlocks(const llvm::Module& module);

  /// No code of the module is in an atomic section.
  bool empty() const { return !any_; }
  /// The end of the block is reached inside an atomic section only.
  bool endsInside(const llvm::BasicBlock& block) const { return depthAtEnd_.lookup(&block) > 0; }
  /// Nobody writes the variable while other threads may run, except in atomic sections, and its address is
  /// not taken.
  bool isGuarded(const llvm::GlobalVariable& variable) const { return guarded_.contains(&variable); }

 private:
  void findEnders(const llvm::Module& module);
  void flow(const llvm::Function& function);
  unsigned after(const llvm::Instruction& instruction, unsigned depth) const;
  void findUnguarded(const llvm::Function& function);
  void noteUses(const llvm::Instruction& instruction, bool mayConflict);

  bool any_ = false;
  llvm::DenseSet<const llvm::Function*> enders_;  // may end a section that they did not begin
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> depthAtStart_, depthAtEnd_;
  llvm::DenseSet<const llvm::GlobalVariable*> guarded_;
};

}  // namespace heddle
