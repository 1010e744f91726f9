#include "analysis/enforce/instrument.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <array>
#include <iterator>
#include <map>
#include <string_view>

namespace heddle {

namespace {

constexpr std::array<std::string_view, 2> kCreates = {"pthread_create", "thrd_create"};
constexpr std::array<std::string_view, 4> kWaits = {"pthread_cond_wait", "pthread_cond_timedwait", "cnd_wait",
                                                    "cnd_timedwait"};
constexpr std::array<std::string_view, 4> kHeap = {"malloc", "calloc", "realloc", "free"};
constexpr std::array<std::string_view, 2> kUnwritten = {"malloc",
                                                        "realloc"};  // blocks that nobody has written

class Instrumenter {
 public:
  Instrumenter(llvm::Module& module, const std::vector<Site>& sites, const Instrumentation& what)
      : module_(module), sites_(sites), what_(what), builder_(module.getContext()) {}

  void work() {
    std::vector<std::pair<llvm::Instruction*, uint32_t>> marks;
    for (llvm::Function& function : module_)
      for (llvm::Instruction& i : llvm::instructions(function)) {
        uint32_t number = 0;
        if (isMark(i, number)) marks.emplace_back(&i, number);
      }
    for (const auto& [mark, number] : marks) {
      if (what_.shaken) {
        builder_.SetInsertPoint(mark);
        builder_.SetCurrentDebugLocation(mark->getNextNode()->getDebugLoc());
        builder_.CreateCall(runtime("heddle_shake", builder_.getVoidTy(), {}));
      }
      if (what_.sites.count(number)) add(*mark, number);
      mark->eraseFromParent();
    }
    if (what_.isEnforcement && !what_.sites.empty()) {
      startMain();
      redirect("pthread_exit");
      redirect("thrd_exit");
    }
    if (!what_.isEnforcement || !what_.sites.empty())
      for (const std::string_view name : kCreates) redirect(name);
    if (what_.plannedWaits)
      for (const std::string_view name : kWaits) redirect(name);
    if (what_.heap == HeapKind::Guarded)
      for (const std::string_view name : kHeap) redirect(name);
    if (what_.heap == HeapKind::Zeroed)
      for (const std::string_view name : kUnwritten) redirect(name, "heddle_zeroed_");
  }

 private:
  llvm::FunctionCallee runtime(const char* name, llvm::Type* result, llvm::ArrayRef<llvm::Type*> parameters) {
    return module_.getOrInsertFunction(name, llvm::FunctionType::get(result, parameters, false));
  }

  void add(llvm::Instruction& mark, uint32_t number) {
    llvm::Instruction* site = mark.getNextNode();
    builder_.SetInsertPoint(&mark);
    builder_.SetCurrentDebugLocation(site->getDebugLoc());
    llvm::Type* none = builder_.getVoidTy();
    const auto rank = std::distance(what_.sites.begin(), what_.sites.find(number));
    llvm::Value* id = builder_.getInt32(what_.isEnforcement ? static_cast<uint32_t>(rank) : number);
    if (what_.inputs.count(number)) return giveInput(llvm::cast<llvm::CallInst>(*site), id);
    const auto [address, size] = accessOf(*site);
    if (address && !what_.isEnforcement) {
      llvm::Value* pointer = builder_.CreatePointerBitCastOrAddrSpaceCast(
          address, llvm::PointerType::get(module_.getContext(), 0));
      const uint64_t code = size * 2 + (sites_[number].kind != SiteKind::Load);
      builder_.CreateCall(
          runtime("heddle_access", none, {builder_.getInt32Ty(), builder_.getPtrTy(), builder_.getInt32Ty()}),
          {id, pointer, builder_.getInt32(static_cast<uint32_t>(code))});
    } else {
      builder_.CreateCall(runtime("heddle_before", none, {builder_.getInt32Ty()}), {id});
    }
    if (!sites_[number].returns || site->isTerminator()) return;
    if (what_.sees.count(number)) {
      builder_.SetInsertPoint(site->getNextNode());
      tellValue(*site, id);
    }
    if (what_.isEnforcement && !what_.tells.count(number)) return;
    if (!what_.isEnforcement || !isConditionWait(sites_[number]))
      builder_.SetInsertPoint(site->getNextNode());
    builder_.SetCurrentDebugLocation(site->getDebugLoc());
    builder_.CreateCall(runtime("heddle_after", none, {builder_.getInt32Ty()}), {id});
  }

  /// The first thread learns that it is one of those whose names the plan knows.
  void startMain() {
    llvm::Function* main = module_.getFunction("main");
    if (!main || main->isDeclaration()) return;
    builder_.SetInsertPoint(&*main->getEntryBlock().getFirstInsertionPt());
    builder_.SetCurrentDebugLocation(
        llvm::DILocation::get(module_.getContext(), 0, 0, main->getSubprogram()));
    builder_.CreateCall(runtime("heddle_main", builder_.getVoidTy(), {}));
  }

  std::pair<llvm::Value*, uint64_t> accessOf(llvm::Instruction& site) const {
    const llvm::DataLayout& layout = module_.getDataLayout();
    const auto sized = [&](llvm::Value* address, llvm::Type* type) {
      return std::pair<llvm::Value*, uint64_t>(address, layout.getTypeStoreSize(type).getFixedValue());
    };
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&site))
      return sized(load->getPointerOperand(), load->getType());
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&site))
      return sized(store->getPointerOperand(), store->getValueOperand()->getType());
    if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&site))
      return sized(update->getPointerOperand(), update->getType());
    if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&site))
      return sized(exchange->getPointerOperand(), exchange->getNewValOperand()->getType());
    return {nullptr, 0};
  }

  void tellValue(llvm::Instruction& call, llvm::Value* id) {
    if (!call.getType()->isIntegerTy() || call.getType()->getIntegerBitWidth() > 64) return;
    builder_.SetCurrentDebugLocation(call.getDebugLoc());
    llvm::Type* wide = builder_.getInt64Ty();
    builder_.CreateCall(runtime("heddle_saw", builder_.getVoidTy(), {builder_.getInt32Ty(), wide}),
                        {id, builder_.CreateSExt(&call, wide)});
  }

  void giveInput(llvm::CallInst& call, llvm::Value* id) {
    llvm::Value* given =
        builder_.CreateCall(runtime("heddle_input", builder_.getInt64Ty(), {builder_.getInt32Ty()}), {id});
    llvm::Type* type = call.getType();
    if (type->isIntegerTy())
      given = builder_.CreateIntCast(given, type, true);
    else if (type->isFloatingPointTy())
      given = builder_.CreateSIToFP(given, type);
    if (!type->isVoidTy()) call.replaceAllUsesWith(given);
    call.eraseFromParent();
  }

  /// All uses of the library's function become uses of the run-time's, which has the same parameters.
  void redirect(std::string_view name, std::string_view prefix = "heddle_") {
    llvm::Function* function = module_.getFunction(name);
    if (!function || !function->isDeclaration()) return;
    llvm::FunctionCallee other =
        module_.getOrInsertFunction(std::string(prefix) + std::string(name), function->getFunctionType());
    function->replaceAllUsesWith(other.getCallee());
  }

  llvm::Module& module_;
  const std::vector<Site>& sites_;
  const Instrumentation& what_;
  llvm::IRBuilder<> builder_;
};

}  // namespace

void instrument(llvm::Module& module, const std::vector<Site>& sites, const Instrumentation& what) {
  Instrumenter(module, sites, what).work();
}

std::string bitcodeOf(const llvm::Module& module) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  llvm::WriteBitcodeToFile(module, stream);
  stream.flush();
  return bytes;
}

}  // namespace heddle
