#include "analysis/enforce/sites.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "analysis/program/modelled_names.h"

namespace heddle {

namespace {

constexpr const char* kMark = "heddle.passed";

bool endsThread(llvm::StringRef name) {
  return name == "pthread_exit" || name == "thrd_exit" || name == "exit" || name == "_exit" ||
         name == "_Exit" || name == "quick_exit" || name == "abort";
}

/// What a thread does at its end can be told by others where its variables lie in memory.
bool hasLocals(const llvm::Function& function) {
  for (const llvm::Instruction& i : function.getEntryBlock())
    if (llvm::isa<llvm::AllocaInst>(i)) return true;
  return function.getName() == "main" || function.hasAddressTaken();
}

std::optional<Site> siteOf(const llvm::Instruction& i) {
  Site site;
  if (llvm::isa<llvm::LoadInst>(i)) {
    site.kind = SiteKind::Load;
  } else if (llvm::isa<llvm::StoreInst>(i)) {
    site.kind = SiteKind::Store;
  } else if (llvm::isa<llvm::AtomicRMWInst>(i) || llvm::isa<llvm::AtomicCmpXchgInst>(i)) {
    site.kind = SiteKind::Atomic;
  } else if (llvm::isa<llvm::ReturnInst>(i)) {
    if (!hasLocals(*i.getFunction())) return std::nullopt;
    site.kind = SiteKind::Return;
    site.returns = false;
  } else if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&i)) {
    const llvm::Function* callee = call->getCalledFunction();
    if (!callee || !callee->isDeclaration()) return std::nullopt;
    if (callee->isIntrinsic() && !llvm::isa<llvm::AnyMemIntrinsic>(call)) return std::nullopt;
    site.kind = SiteKind::Call;
    site.callee = callee->getName();
    site.returns = !call->doesNotReturn() && !endsThread(callee->getName());
    site.isScalarInput = call->getType()->isIntegerTy() || call->getType()->isFloatingPointTy();
  } else {
    return std::nullopt;
  }
  if (const llvm::DILocation* where = i.getDebugLoc().get()) {
    const llvm::DIFile* file = where->getFile();
    site.place.file = file->getFilename().starts_with("/")
                          ? file->getFilename().str()
                          : (file->getDirectory() + "/" + file->getFilename()).str();
    site.place.line = where->getLine();
    site.place.column = where->getColumn();
  }
  return site;
}

}  // namespace

std::string Site::text() const {
  switch (kind) {
    case SiteKind::Load:
      return "read";
    case SiteKind::Store:
      return "write";
    case SiteKind::Atomic:
      return "atomic update";
    case SiteKind::Return:
      return "return";
    case SiteKind::Call:
      break;
  }
  return "call of " + callee;
}

bool isConditionWait(const Site& site) {
  return site.callee == "pthread_cond_wait" || site.callee == "pthread_cond_timedwait" ||
         site.callee == "pthread_cond_clockwait" || site.callee == "cnd_wait" ||
         site.callee == "cnd_timedwait";
}

std::string whyNotNative(const llvm::Module& module, Signals signals) {
  const auto isCalled = [&](const char* name) {
    const llvm::Function* function = module.getFunction(name);
    return function != nullptr && function->isDeclaration() && !function->use_empty();
  };
  constexpr const char* kInstall[] = {"signal", "sigaction", "bsd_signal", "sigset", "__sysv_signal"};
  if (signals != Signals::Threads || std::none_of(std::begin(kInstall), std::end(kInstall), isCalled))
    return "";
  return "a native program gets its signals from the system, so no schedule says when a handler runs";
}

std::vector<Site> markSites(llvm::Module& module, bool dropModelled) {
  for (llvm::Function& function : module)
    if (dropModelled && !function.isDeclaration() && isAlwaysModelled(function.getName())) {
      function.deleteBody();
      function.setComdat(nullptr);
    }
  std::vector<Site> sites;
  std::vector<llvm::Instruction*> marked;
  for (llvm::Function& function : module) {
    if (isAlwaysModelled(function.getName())) continue;
    for (llvm::Instruction& i : llvm::instructions(function))
      if (std::optional<Site> site = siteOf(i)) {
        sites.push_back(std::move(*site));
        marked.push_back(&i);
      }
  }
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* number = llvm::Type::getInt32Ty(context);
  const llvm::FunctionCallee mark = module.getOrInsertFunction(kMark, llvm::Type::getVoidTy(context), number);
  for (size_t k = 0; k < marked.size(); ++k) {
    llvm::IRBuilder<> builder(marked[k]);
    builder.CreateCall(mark, {llvm::ConstantInt::get(number, k)});
  }
  return sites;
}

bool isMark(const llvm::Instruction& instruction, uint32_t& number) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (!call || !call->getCalledFunction() || call->getCalledFunction()->getName() != kMark) return false;
  number = static_cast<uint32_t>(llvm::cast<llvm::ConstantInt>(call->getArgOperand(0))->getZExtValue());
  return true;
}

}  // namespace heddle
