#include "analysis/interp/core/models.h"

#include <unordered_map>

#include "analysis/interp/core/call.h"

namespace heddle {

namespace {

using Family = std::span<const ModelledCall> (*)();

constexpr Family kFamilies[] = {
    threadModels,  semaphoreModels,      conditionModels, barrierModels,   rwlockModels,
    sectionModels, onceModels,           keyModels,       mutexModels,     verifierModels,
    processModels, heapModels,           leakModels,      channelModels,   socketModels,
    hostModels,    mappingModels,        blockModels,     stringModels,    outputModels,
    jumpModels,    sortModels,           numberModels,    characterModels, textModels,
    inputModels,   scanModels,           timeModels,      mathModels,      systemModels,
    cancelModels,  namedSemaphoreModels, robustModels,    variableModels,
};

}  // namespace

const ModelledCall* findModel(std::string_view name) {
  static const std::unordered_map<std::string_view, const ModelledCall*> table = [] {
    std::unordered_map<std::string_view, const ModelledCall*> all;
    for (const Family family : kFamilies)
      for (const ModelledCall& model : family()) all.emplace(model.name, &model);
    return all;
  }();
  const auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

bool isModelled(std::string_view name) {
  return findModel(name) != nullptr;
}

bool canBePassedOver(std::string_view name) {
  for (const std::string_view family :
       {"pthread_", "sem_", "thrd_", "mtx_", "cnd_", "tss_", "call_once", "__VERIFIER_", "__CPROVER_",
        "__ESBMC_", "__atomic_", "__sync_", "klee_", "epoll_", "llvm.", "heddle."})
    if (name.starts_with(family)) return false;
  return true;
}

std::vector<std::string> modelNames() {
  std::vector<std::string> names;
  for (const Family family : kFamilies)
    for (const ModelledCall& model : family()) names.emplace_back(model.name);
  return names;
}

}  // namespace heddle
