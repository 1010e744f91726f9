#include "analysis/compile/gcc_atomics.h"

#include <algorithm>

namespace heddle {

namespace {

// Name and what follows the pointer.
constexpr const char* kFunctions[][2] = {
    {"load", "r,o"},
    {"load_n", "o"},
    {"store", "v,o"},
    {"store_n", "v,o"},
    {"exchange", "v,r,o"},
    {"exchange_n", "v,o"},
    {"fetch_add", "v,o"},
    {"fetch_sub", "v,o"},
    {"fetch_and", "v,o"},
    {"fetch_or", "v,o"},
    {"fetch_xor", "v,o"},
    {"fetch_nand", "v,o"},
    {"add_fetch", "v,o"},
    {"sub_fetch", "v,o"},
    {"and_fetch", "v,o"},
    {"or_fetch", "v,o"},
    {"xor_fetch", "v,o"},
    {"nand_fetch", "v,o"},
    {"compare_exchange", "e,d,w,s,f"},
    {"compare_exchange_n", "e,d,w,s,f"},
};

}  // namespace

void acceptGccAtomics(std::string& text, std::vector<std::string>& arguments) {
  const auto has = [&](const char* word) { return text.find(word) != std::string::npos; };
  if (!has("__atomic_") || (!has("_Atomic") && !has("stdatomic.h"))) return;

  // A structure that no operator applies to, and whose initializer Clang refuses while it is _Atomic.
  const std::string flag = "typedef _Atomic struct", plain = "typedef         struct";
  if (const size_t at = text.find(flag); at != std::string::npos) {
    const size_t end = text.find('}', at);
    if (end != std::string::npos && text.compare(end, 13, "} atomic_flag") == 0)
      text.replace(at, flag.size(), plain);
  }

  // Macros are for text that is not preprocessed yet; reading it twice changes nothing.
  const auto language = std::find(arguments.begin(), arguments.end(), "cpp-output");
  if (language != arguments.end()) *language = "c";
  const auto position = std::find(arguments.begin(), arguments.end(), "-x");
  std::vector<std::string> macros;
  for (const auto& [name, rest] : kFunctions) {
    const std::string call = std::string("__atomic_") + name, parameters = rest;
    macros.push_back("-D" + call + "(p," + parameters + ")=" + call + "((__typeof_unqual__(*(p))*)(p)," +
                     parameters + ")");
  }
  arguments.insert(position, macros.begin(), macros.end());
}

}  // namespace heddle
