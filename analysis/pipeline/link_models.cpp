#include "analysis/pipeline/link_models.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/compile/link_units.h"
#include "analysis/library/library_models.h"

namespace heddle {
namespace {

bool isMissing(const llvm::Module& module, std::string_view name) {
  const llvm::GlobalValue* value = module.getNamedValue(llvm::StringRef(name.data(), name.size()));
  return value != nullptr && value->isDeclaration() && !value->use_empty();
}

/// Models are small and stay as they are, so the thread keeps each.
std::shared_ptr<const UnitCode> codeOfModel(const LibraryModel& model, const CompileModes& modes) {
  using Key = std::tuple<std::string_view, bool, bool>;
  thread_local std::map<Key, std::shared_ptr<const UnitCode>> known;
  const auto [entry, isNew] = known.try_emplace({model.name, modes.keepLocals, modes.checkOverflow});
  if (!isNew) return entry->second;
  const std::string path = "/heddle/models/" + std::string(model.name);
  Compiler compiler;
  CompileResult compiled =
      compiler.compile(path, std::string(model.text), commandFromFlags(path, {}), {}, modes);
  if (!compiled.module) return nullptr;
  llvm::StripDebugInfo(*compiled.module);
  // Calls in a model are no calls of the program.
  compiled.declared.clear();
  return entry->second = std::make_shared<const UnitCode>(codeOf(std::move(compiled)));
}

std::vector<std::string> cFilesIn(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code problem;
  for (auto at = std::filesystem::directory_iterator(folder, problem);
       !problem && at != std::filesystem::directory_iterator(); at.increment(problem))
    if (at->path().extension() == ".c" && at->is_regular_file(problem)) paths.push_back(at->path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string textOf(const Snapshot& snapshot, const std::string& path) {
  const auto overlay = snapshot.overlays.find(path);
  if (overlay != snapshot.overlays.end()) return overlay->second;
  const auto read = llvm::MemoryBuffer::getFile(path, true);
  return read ? (*read)->getBuffer().str() : "";
}

std::optional<CompileMessage> firstError(const CompileResult& compiled) {
  for (const CompileMessage& message : compiled.messages)
    if (message.isError) return message;
  return std::nullopt;
}

}  // namespace

std::optional<CompileMessage> linkModels(const Snapshot& snapshot, const CompileModes& modes,
                                         CompileResult& first) {
  // What a model stands for is not the program's, and its traps would be left in.
  CompileModes ofModels = modes;
  ofModels.checkArrays = false;
  if (!snapshot.environment.modelFolder.empty()) {
    std::vector<std::shared_ptr<const UnitCode>> units;
    for (const std::string& path : cFilesIn(snapshot.environment.modelFolder)) {
      Compiler compiler;
      CompileResult compiled = compiler.compile(path, textOf(snapshot, path), commandFromFlags(path, {}),
                                                snapshot.overlays, ofModels);
      if (!compiled.module) return firstError(compiled);
      first.declared.insert(first.declared.end(), compiled.declared.begin(), compiled.declared.end());
      units.push_back(std::make_shared<const UnitCode>(codeOf(std::move(compiled))));
    }
    if (auto problem = linkUnits(first, units, {.onlyNeeded = true})) return problem;
  }
  for (const LibraryModel& model : libraryModels()) {
    if (model.isOnRequest && snapshot.environment.signals != Signals::Threads) continue;
    const auto isUsed = [&](std::string_view name) { return isMissing(*first.module, name); };
    if (std::none_of(model.names.begin(), model.names.end(), isUsed)) continue;
    const std::shared_ptr<const UnitCode> code = codeOfModel(model, ofModels);
    // For another target, or without the headers of the system, they are unknown functions as before.
    if (!code || code->dataLayout != first.module->getDataLayoutStr()) continue;
    if (auto problem = linkNeeded(first, *code)) return problem;
  }
  return std::nullopt;
}

}  // namespace heddle
