// The table of all modelled calls.
#include <unordered_map>

#include "analysis/interp/call.h"

namespace heddle {

const ModelledCall* findModel(std::string_view name) {
  static const std::unordered_map<std::string_view, const ModelledCall*> table = [] {
    std::unordered_map<std::string_view, const ModelledCall*> all;
    for (const auto family : {threadModels(), mutexModels(), semaphoreModels(), conditionModels(),
                              barrierModels(), rwlockModels(), sectionModels(), verifierModels(),
                              processModels(), heapModels(), blockModels(), stringModels(), outputModels()})
      for (const ModelledCall& model : family) all.emplace(model.name, &model);
    return all;
  }();
  const auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace heddle
