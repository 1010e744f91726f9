#include "analysis/survey/life_names.h"

#include <array>
#include <string_view>

#include "analysis/support/name_words.h"

namespace heddle {
namespace {

constexpr std::array<std::string_view, 9> kSetUp = {"init",  "create", "new",   "open",      "alloc",
                                                    "setup", "make",   "build", "initialize"};
constexpr std::array<std::string_view, 15> kTakeDown = {
    "destroy", "free", "close",   "delete",   "fini", "deinit", "cleanup",  "term",
    "kill",    "del",  "dispose", "shutdown", "exit", "uninit", "terminate"};

}  // namespace

bool isSetUp(const std::string& name) {
  return hasWord(name, kSetUp) && !isTakeDown(name);
}

bool isTakeDown(const std::string& name) {
  return hasWord(name, kTakeDown);
}

}  // namespace heddle
