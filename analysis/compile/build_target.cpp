#include "analysis/compile/build_target.h"

namespace heddle {

bool isMatched(const std::string& pattern, const std::string& path) {
  // By the last star that may still take more; a deep one stays where a plain one cannot go on.
  struct Star {
    size_t behind = std::string::npos, taken = 0;
  };
  Star plain, deep;
  size_t p = 0, t = 0;
  while (t < path.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      const size_t first = p;
      while (p < pattern.size() && pattern[p] == '*') ++p;
      (p - first > 1 ? deep : plain) = {p, t};
      if (p - first > 1) plain = {};
    } else if (p < pattern.size() && pattern[p] == path[t]) {
      ++p, ++t;
    } else if (plain.behind != std::string::npos && path[plain.taken] != '/') {
      p = plain.behind;
      t = ++plain.taken;
    } else if (deep.behind != std::string::npos) {
      plain = {};
      p = deep.behind;
      t = ++deep.taken;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace heddle
