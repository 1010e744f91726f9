// The layering rules of docs/architecture.md, as read from its tables, and how a file is judged by them.
//
// The page is the only place where the rules stand, so that the page and the check cannot disagree.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/tidy/sources.h"

namespace heddle::tidy {

struct FolderRule {
  std::set<std::string> folders;    // of ours; a folder stands for those below it too
  std::set<std::string> libraries;  // as libraryOf() names them
};

/// A word that code may use only in some folders; comments do not count.
struct ConfinedWord {
  std::string pattern;  // ECMAScript regular expression, case does not matter
  std::set<std::string> folders;
};

struct Rules {
  std::map<std::string, FolderRule> folders;
  std::vector<ConfinedWord> words;
};

/// From the two tables of docs/architecture.md.
Rules parseRules(const std::string& markdown);

/// Which library a header such as "llvm/IR/Module.h" or "vector" belongs to; "std" for the C++ library, ""
/// when unknown.
std::string libraryOf(const std::string& header);

/// The name of the rule for a file: the deepest folder above it that has one; empty when there is none.
std::string ruleFor(const Rules& rules, const std::string& path);

/// What the file does that the rules forbid, one sentence each.
std::vector<std::string> violations(const Rules& rules, const SourceFile& file);

}  // namespace heddle::tidy
