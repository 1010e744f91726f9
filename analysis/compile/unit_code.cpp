#include "analysis/compile/unit_code.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

namespace heddle {
namespace {

constexpr size_t kMostBytes = size_t{512} << 20;

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

}  // namespace

std::vector<UnitSymbol> symbolsOf(const llvm::Module& module) {
  std::vector<UnitSymbol> symbols;
  for (const llvm::GlobalValue& value : module.global_values())
    if (!value.isDeclaration() && !value.hasLocalLinkage() && !value.hasAvailableExternallyLinkage())
      symbols.push_back(
          {value.getName().str(), placeOf(value), value.hasExternalLinkage(), value.hasCommonLinkage()});
  return symbols;
}

UnitCode codeOf(CompileResult compiled) {
  UnitCode code;
  code.source = compiled.module->getSourceFileName();
  code.dataLayout = compiled.module->getDataLayoutStr();
  code.symbols = symbolsOf(*compiled.module);
  code.declared = std::move(compiled.declared);
  code.gaps = std::move(compiled.gaps);
  llvm::raw_string_ostream stream(code.bitcode);
  llvm::WriteBitcodeToFile(*compiled.module, stream);
  stream.flush();
  return code;
}

std::shared_ptr<const UnitCode> CompiledUnits::find(const std::string& key) const {
  const auto known = units_.find(key);
  return known == units_.end() ? nullptr : known->second;
}

void CompiledUnits::add(const std::string& key, std::shared_ptr<const UnitCode> code) {
  const size_t bytes = key.size() + code->bitcode.size();
  if (bytes_ + bytes > kMostBytes) return;
  if (units_.try_emplace(key, std::move(code)).second) bytes_ += bytes;
}

}  // namespace heddle
