#include "analysis/compile/link_units.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include "analysis/support/harness_names.h"

namespace heddle {
namespace {

std::string shortPlace(const SourcePlace& place, const std::string& source) {
  const std::string& file = place.file.empty() ? source : place.file;
  const std::string name = file.substr(file.rfind('/') + 1);
  return place.line == 0 ? name : name + ":" + std::to_string(place.line);
}

constexpr const char* kMain = "main";

struct Merging {
  bool* hadConstructors =
      nullptr;             // not null: constructors and destructors are left out; whether there were any
  bool dropsMain = false;  // the unit's own, which is nobody's then
  llvm::Linker::Flags flags = llvm::Linker::Flags::None;
};

/// By the linker of LLVM, which has seen the types of the module of `first`: one for all units that come to
/// it, for that look takes long.
std::optional<CompileMessage> merge(llvm::Linker& linker, CompileResult& first, const UnitCode& unit,
                                    const Merging& merging) {
  CompileMessage problem;
  problem.place.file = unit.source;
  auto copy = llvm::parseBitcodeFile(llvm::MemoryBufferRef(unit.bitcode, unit.source), *first.context);
  if (!copy) {
    problem.text = "cannot be linked: " + llvm::toString(copy.takeError());
    return problem;
  }
  if (merging.hadConstructors)
    for (const char* list : {"llvm.global_ctors", "llvm.global_dtors"})
      if (llvm::GlobalVariable* functions = (*copy)->getNamedGlobal(list)) {
        functions->eraseFromParent();
        *merging.hadConstructors = true;
      }
  if (llvm::Function* const main = merging.dropsMain ? (*copy)->getFunction(kMain) : nullptr)
    if (!main->isDeclaration()) main->setLinkage(llvm::GlobalValue::InternalLinkage);
  std::string said;
  first.context->setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo* info, void* text) {
        if (info->getSeverity() != llvm::DS_Error) return;
        llvm::raw_string_ostream out(*static_cast<std::string*>(text));
        llvm::DiagnosticPrinterRawOStream printer(out);
        info->print(printer);
      },
      &said);
  const bool failed = linker.linkInModule(std::move(*copy), merging.flags);
  first.context->setDiagnosticHandlerCallBack(nullptr, nullptr);
  if (!failed) return std::nullopt;
  problem.text = "cannot be linked: " + said;
  return problem;
}

class UnitLinker {
 public:
  UnitLinker(CompileResult& first, const std::vector<std::shared_ptr<const UnitCode>>& others,
             const LinkOptions& options)
      : first_(first), linker_(*first.module), others_(others), options_(options) {}

  std::optional<CompileMessage> run() {
    std::vector<bool> linked(others_.size());
    leavesOut_ = options_.onlyNeeded && isDefined(kHarnessEntry);
    dropsMain_ = leavesOut_ || (options_.onlyNeeded && isDefined(kMain));
    note(symbolsOf(*first_.module), first_.module->getSourceFileName());
    for (bool again = true; again;) {
      again = false;
      for (size_t i = 0; i < others_.size(); ++i) {
        if (linked[i] || (options_.onlyNeeded && !isNeeded(*others_[i]))) continue;
        linked[i] = again = true;
        const UnitCode& unit = *others_[i];
        if (const auto clashing = options_.leftOut ? clash(unit) : std::nullopt) {
          options_.leftOut->push_back(shortPlace({}, unit.source) +
                                      " is no part of the program: " + clashing->text);
          continue;
        }
        if (options_.gaps) options_.gaps->insert(options_.gaps->end(), unit.gaps.begin(), unit.gaps.end());
        if (auto problem = link(unit)) return problem;
      }
    }
    if (hasLeftOut_ && options_.leftOut)
      options_.leftOut->emplace_back("constructors of other files have not run");
    if (!shared_.empty() && options_.namesCommon && options_.gaps)
      options_.gaps->push_back(
          "variables that several files define without a value are one each: '" + *shared_.begin() + "'" +
          (shared_.size() > 1 ? " and " + std::to_string(shared_.size() - 1) + " more" : ""));
    return std::nullopt;
  }

 private:
  /// Remembers where a unit defines what.
  void note(const std::vector<UnitSymbol>& symbols, const std::string& source) {
    for (const UnitSymbol& symbol : symbols) {
      if (isLeftOut(symbol)) continue;
      const bool isNew = symbol.isCommon
                             ? !definitions_.contains(symbol.name) && common_.insert(symbol.name).second
                             : !symbol.isStrong || !common_.contains(symbol.name);
      if (!isNew) shared_.insert(symbol.name);
      if (symbol.isStrong) definitions_.try_emplace(symbol.name, shortPlace(symbol.place, source));
    }
  }

  /// Another file's program begins there, and this one does not.
  bool isLeftOut(const UnitSymbol& symbol) const { return dropsMain_ && symbol.name == kMain; }

  bool isNeeded(const UnitCode& unit) const {
    for (const UnitSymbol& symbol : unit.symbols) {
      if (options_.isKnown && options_.isKnown(symbol.name)) continue;
      const llvm::GlobalValue* used = first_.module->getNamedValue(symbol.name);
      // What a harness defines for want of a definition is weak, too; and a variable without a value has that
      // of another unit.
      const bool givesWay = used && (used->hasWeakAnyLinkage() || used->hasCommonLinkage());
      const bool isWanting = used && (used->isDeclaration() || (givesWay && symbol.isStrong));
      if (isWanting && !used->use_empty()) return true;
    }
    return false;
  }

  std::optional<CompileMessage> clash(const UnitCode& unit) const {
    for (const UnitSymbol& symbol : unit.symbols) {
      const auto known = definitions_.find(symbol.name);
      if (!symbol.isStrong || known == definitions_.end() || isLeftOut(symbol)) continue;
      CompileMessage problem;
      problem.place = symbol.place;
      if (problem.place.file.empty()) problem.place.file = unit.source;
      problem.text = "'" + symbol.name + "' is defined here and at " + known->second;
      return problem;
    }
    return std::nullopt;
  }

  std::optional<CompileMessage> link(const UnitCode& unit) {
    CompileMessage problem;
    problem.place.file = unit.source;
    if (unit.dataLayout != first_.module->getDataLayoutStr()) {
      problem.text = "is compiled for another target than the rest of the program";
      return problem;
    }
    if (auto clashing = clash(unit)) return clashing;
    note(unit.symbols, unit.source);
    bool hasAny = false;
    std::optional<CompileMessage> failure =
        merge(linker_, first_, unit, {leavesOut_ ? &hasAny : nullptr, dropsMain_});
    hasLeftOut_ |= hasAny;
    return failure;
  }

  bool isDefined(const char* name) const {
    const llvm::Function* function = first_.module->getFunction(name);
    return function && !function->isDeclaration();
  }

  CompileResult& first_;
  llvm::Linker linker_;
  const std::vector<std::shared_ptr<const UnitCode>>& others_;
  const LinkOptions options_;
  std::map<std::string, std::string> definitions_;  // name → place
  /// What a harness calls may be called in any state, and other files' constructors may set up a whole
  /// library.
  bool leavesOut_ = false;
  bool hasLeftOut_ = false;
  bool dropsMain_ = false;                 // of other files
  std::set<std::string> common_, shared_;  // defined without a value, and by several units
};

}  // namespace

bool lacksDefinitions(const llvm::Module& module, bool (*isKnown)(std::string_view name)) {
  const auto values = module.global_values();
  return std::any_of(values.begin(), values.end(), [&](const llvm::GlobalValue& value) {
    const auto* const function = llvm::dyn_cast<llvm::Function>(&value);
    const bool isWanting = value.isDeclaration() || value.hasWeakAnyLinkage() || value.hasCommonLinkage();
    return isWanting && !value.use_empty() && !(function && function->isIntrinsic()) &&
           !isKnown(std::string_view(value.getName()));
  });
}

std::optional<CompileMessage> linkNeeded(CompileResult& first, const UnitCode& unit) {
  llvm::Linker linker(*first.module);
  return merge(linker, first, unit, {nullptr, false, llvm::Linker::Flags::LinkOnlyNeeded});
}

std::optional<CompileMessage> linkUnits(CompileResult& first,
                                        const std::vector<std::shared_ptr<const UnitCode>>& others,
                                        const LinkOptions& options) {
  return UnitLinker(first, others, options).run();
}

void wrapFunctions(llvm::Module& module, std::vector<std::string>& assumed) {
  constexpr llvm::StringRef kWrap = "__wrap_", kReal = "__real_";
  std::vector<llvm::Function*> wrappers;
  for (llvm::Function& function : module)
    if (function.getName().starts_with(kWrap) && !function.isDeclaration()) wrappers.push_back(&function);
  for (llvm::Function* wrapper : wrappers) {
    const std::string name = wrapper->getName().substr(kWrap.size()).str();
    llvm::Function* const wrapped = module.getFunction(name);
    llvm::Function* const real = module.getFunction((kReal + name).str());
    // Calls in the file of a definition are its own.
    if (wrapped && !wrapped->isDeclaration()) continue;
    if (wrapped) {
      wrapped->replaceAllUsesWith(wrapper);
      wrapped->eraseFromParent();
    }
    if (real && real->isDeclaration()) real->setName(name);
    assumed.push_back("the program is linked with --wrap=" + name);
  }
}

}  // namespace heddle
