// docs/models.md names the same functions as the registered models and those in C.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>

#include "analysis/interp/core/models.h"
#include "analysis/library/library_models.h"
#include "tests/paths/paths.h"

namespace heddle::test {
namespace {

/// The names that begin the rows of the page's tables and the entries of its lists.
std::vector<std::string> documented() {
  std::ifstream file(sourceDirectory() + "/docs/models.md");
  std::vector<std::string> names;
  const std::regex name("`([^`]+)`");
  for (std::string line; std::getline(file, line);) {
    const bool isRow = line.starts_with("| `");
    if (!isRow && !line.starts_with("- `")) continue;
    const std::string column = line.substr(1, isRow ? line.find('|', 1) - 1 : line.find(": "));
    for (std::sregex_iterator at(column.begin(), column.end(), name), end; at != end; ++at)
      names.push_back((*at)[1]);
  }
  return names;
}

/// Those of the interpreter, and those in C; `onRequest`: also what takes their place where it is asked for.
std::vector<std::string> modelled(bool onRequest = true) {
  std::vector<std::string> names = modelNames();
  for (const LibraryModel& model : libraryModels()) {
    if (model.isOnRequest && !onRequest) continue;
    for (const std::string_view name : model.names) names.emplace_back(name);
  }
  return names;
}

bool covers(const std::string& pattern, const std::string& name) {
  if (!pattern.ends_with('*')) return pattern == name;
  return name.starts_with(pattern.substr(0, pattern.size() - 1));
}

TEST(ModelsDoc, EveryModelIsDocumented) {
  const auto patterns = documented();
  ASSERT_GT(patterns.size(), 200u);
  for (const std::string& name : modelled()) {
    if (name.find('.') != std::string::npos) continue;  // made by the lowering, not callable from C
    EXPECT_TRUE(std::any_of(patterns.begin(), patterns.end(),
                            [&](const std::string& pattern) { return covers(pattern, name); }))
        << name << " is missing in docs/models.md";
  }
}

TEST(ModelsDoc, EveryDocumentedNameIsModelled) {
  const auto names = modelled();
  for (const std::string& pattern : documented()) {
    // Families of synchronization are named as a whole.
    if (pattern.find("sem_") == 0 || pattern.find("thrd_") == 0 || pattern.find("mtx_") == 0 ||
        pattern.find("cnd_") == 0 || pattern.find("tss_") == 0 || pattern == "call_once")
      continue;
    EXPECT_TRUE(std::any_of(names.begin(), names.end(),
                            [&](const std::string& name) { return covers(pattern, name); }))
        << pattern << " in docs/models.md is no model";
  }
}

TEST(ModelsDoc, NoFunctionHasTwoModels) {
  auto names = modelled(false);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  EXPECT_TRUE(twice == names.end()) << *twice;
}

}  // namespace
}  // namespace heddle::test
