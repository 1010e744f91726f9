// LoopWords: which names of a program decide how often its loops go round, as its texts show it.
//
// Threading: pure functions.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "server/sizes/own_texts.h"

namespace heddle {

/// Names in conditions of loops of these functions, and names that such a one gets its value from. `reached`:
/// names of functions; empty: all.
std::set<std::string> loopWords(const std::vector<OwnText>& texts, const std::set<std::string>& reached);

}  // namespace heddle
