#include "analysis/compile/link_units.h"

#include <map>
#include <string>

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace heddle {
namespace {

SourcePlace placeOf(const llvm::GlobalValue& value) {
  SourcePlace place;
  if (auto* function = llvm::dyn_cast<llvm::Function>(&value)) {
    if (const llvm::DISubprogram* scope = function->getSubprogram()) {
      place.file = scope->getFilename().str();
      place.line = scope->getLine();
    }
  } else if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&value)) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> debug;
    variable->getDebugInfo(debug);
    if (!debug.empty()) {
      place.file = debug.front()->getVariable()->getFilename().str();
      place.line = debug.front()->getVariable()->getLine();
    }
  }
  return place;
}

std::string shortPlace(const SourcePlace& place, const llvm::Module& module) {
  const std::string& file = place.file.empty() ? module.getSourceFileName() : place.file;
  const std::string name = file.substr(file.rfind('/') + 1);
  return place.line == 0 ? name : name + ":" + std::to_string(place.line);
}

bool isStrong(const llvm::GlobalValue& value) {
  return !value.isDeclaration() && value.hasExternalLinkage();
}

class UnitLinker {
 public:
  UnitLinker(CompileResult& first, std::vector<CompileResult>& others) : first_(first), others_(others) {}

  std::optional<CompileMessage> run(bool onlyNeeded) {
    note(*first_.module);
    std::vector<bool> linked(others_.size());
    for (bool again = true; again;) {
      again = false;
      for (size_t i = 0; i < others_.size(); ++i) {
        if (linked[i] || (onlyNeeded && !isNeeded(*others_[i].module))) continue;
        linked[i] = again = true;
        if (auto problem = link(*others_[i].module)) return problem;
      }
    }
    return std::nullopt;
  }

 private:
  /// Remembers where the module defines what.
  void note(const llvm::Module& module) {
    for (const llvm::GlobalValue& value : module.global_values())
      if (isStrong(value))
        definitions_.try_emplace(value.getName().str(), shortPlace(placeOf(value), module));
  }

  bool isNeeded(const llvm::Module& module) const {
    for (const llvm::GlobalValue& value : module.global_values()) {
      if (value.isDeclaration() || value.hasLocalLinkage() || value.hasAvailableExternallyLinkage()) continue;
      const llvm::GlobalValue* used = first_.module->getNamedValue(value.getName());
      if (used && used->isDeclaration() && !used->use_empty()) return true;
    }
    return false;
  }

  std::optional<CompileMessage> link(const llvm::Module& unit) {
    CompileMessage problem;
    if (unit.getDataLayout() != first_.module->getDataLayout()) {
      problem.place.file = unit.getSourceFileName();
      problem.text = "is compiled for another target than the rest of the program";
      return problem;
    }
    for (const llvm::GlobalValue& value : unit.global_values()) {
      const auto known = definitions_.find(value.getName().str());
      if (!isStrong(value) || known == definitions_.end()) continue;
      problem.place = placeOf(value);
      problem.text = "'" + value.getName().str() + "' is defined here and at " + known->second;
      return problem;
    }
    note(unit);
    // A module lives in its own context; its bitcode is how it gets to another one.
    llvm::SmallVector<char, 0> bitcode;
    llvm::raw_svector_ostream stream(bitcode);
    llvm::WriteBitcodeToFile(unit, stream);
    problem.place.file = unit.getSourceFileName();
    auto copy = llvm::parseBitcodeFile(
        llvm::MemoryBufferRef(llvm::StringRef(bitcode.data(), bitcode.size()), unit.getSourceFileName()),
        *first_.context);
    if (!copy) {
      problem.text = "cannot be linked: " + llvm::toString(copy.takeError());
      return problem;
    }
    std::string said;
    first_.context->setDiagnosticHandlerCallBack(
        [](const llvm::DiagnosticInfo* info, void* text) {
          if (info->getSeverity() != llvm::DS_Error) return;
          llvm::raw_string_ostream out(*static_cast<std::string*>(text));
          llvm::DiagnosticPrinterRawOStream printer(out);
          info->print(printer);
        },
        &said);
    const bool failed = llvm::Linker::linkModules(*first_.module, std::move(*copy));
    first_.context->setDiagnosticHandlerCallBack(nullptr, nullptr);
    if (!failed) return std::nullopt;
    problem.text = "cannot be linked: " + said;
    return problem;
  }

  CompileResult& first_;
  std::vector<CompileResult>& others_;
  std::map<std::string, std::string> definitions_;  // name → place
};

}  // namespace

std::optional<CompileMessage> linkUnits(CompileResult& first, std::vector<CompileResult> others,
                                        bool onlyNeeded) {
  return UnitLinker(first, others).run(onlyNeeded);
}

}  // namespace heddle
