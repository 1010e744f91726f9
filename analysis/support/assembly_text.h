// AssemblyText: texts of inline assembly that change nothing but order memory, or nothing at all.
//
// Threading: pure functions.
#pragma once

#include <algorithm>
#include <string_view>

namespace heddle {

inline std::string_view trimmedAssembly(std::string_view text) {
  constexpr std::string_view kBlank = " \t\n;";
  const size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// `mfence`, or the old way of a full barrier: adding nothing to the top of the stack.
inline bool isFullFence(std::string_view assembly) {
  std::string_view text = trimmedAssembly(assembly);
  if (text == "mfence") return true;
  if (!text.starts_with("lock")) return false;
  text = trimmedAssembly(text.substr(4));
  const size_t length = text.starts_with("add") ? 3 : text.starts_with("or") ? 2 : 0;
  if (length == 0) return false;
  text.remove_prefix(length);
  text.remove_prefix(std::min(text.find_first_not_of("lq \t"), text.size()));
  if (!text.starts_with("$$0")) return false;
  text.remove_prefix(3);
  text.remove_prefix(std::min(text.find_first_not_of(" ,"), text.size()));
  return text.starts_with("0(%");
}

/// Hints, and barriers that matter only to memory that is not accessed atomically.
inline bool isAssemblyHint(std::string_view assembly) {
  const std::string_view text = trimmedAssembly(assembly);
  return text.empty() || text == "pause" || text == "rep; nop" || text == "rep;nop" || text == "nop" ||
         text == "lfence" || text == "sfence" || text == "rep nop" || text == "yield" ||
         text.starts_with("prefetch");
}

}  // namespace heddle
