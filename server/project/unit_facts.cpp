#include "server/project/unit_facts.h"

#include <vector>

#include "server/source/c_tokens.h"
#include "server/source/outline.h"

namespace heddle {
namespace {

/// The variables of one declaration at the top level; none for a type, a prototype or what has no storage
/// here.
void addVariables(std::string_view text, const std::vector<CToken>& statement,
                  std::set<std::string>& defines) {
  const auto word = [&](const CToken& token) {
    return text.substr(token.range.begin, token.range.end - token.range.begin);
  };
  int depth = 0;
  size_t words = 0;
  bool named = false;
  std::string_view last;
  for (const CToken& token : statement) {
    const std::string_view spelling = word(token);
    if (spelling == "typedef" || spelling == "extern" || spelling == "static") return;
    if (spelling == "(" || spelling == "[" || spelling == "{") {
      if (depth++ == 0 && spelling == "(") return;  // a prototype; pointers to functions are passed over
    } else if (spelling == ")" || spelling == "]" || spelling == "}") {
      depth--;
      continue;
    }
    if (depth == 0 && token.kind == CTokenKind::Word) {
      last = spelling;
      words++;
    }
    const bool ends = spelling == "=" || spelling == "," || spelling == ";" || spelling == "[";
    if (!ends || depth > (spelling == "[" ? 1 : 0)) continue;
    // "struct node;" declares no variable, "int x" does.
    if (!named && words >= 2 && !last.empty()) defines.insert(std::string(last));
    named = spelling == "=" || spelling == "[";  // until the next comma the name is known
    if (spelling == ",") named = false;
  }
}

}  // namespace

UnitFacts factsOf(std::string_view text) {
  const CText lexed = lexC(text);
  const Outline outline = outlineOf(text, lexed);
  UnitFacts facts;
  std::set<std::string> own;
  for (const OutlineFunction& function : outline.functions) {
    own.insert(function.name);
    if (function.name == "main") {
      facts.hasMain = true;
      facts.isMainConditional = isConditional(text, lexed, function.nameRange.begin);
    }
    if (!function.isStatic && function.name != "main") facts.defines.insert(function.name);
  }
  std::vector<CToken> statement;
  bool directive = false;
  int depth = 0;
  for (const CToken& token : lexed.tokens) {
    if (token.kind == CTokenKind::DirectiveBegin) directive = true;
    if (token.kind == CTokenKind::DirectiveEnd) {
      directive = false;
      continue;
    }
    if (directive) continue;
    const std::string_view word = text.substr(token.range.begin, token.range.end - token.range.begin);
    if (token.kind == CTokenKind::Word) facts.words.insert(std::string(word));
    if (word == "{") depth++;
    if (word == "}") depth--;
    statement.push_back(token);
    if (depth != 0) continue;
    if (word == ";") addVariables(text, statement, facts.defines);
    // A function ends with its brace, a variable's initializer and a struct go on to their semicolon.
    const bool functionEnds = word == "}" && outline.at(token.range.begin) != nullptr;
    if (word == ";" || functionEnds) statement.clear();
  }
  for (const std::string& name : own) facts.words.erase(name);
  for (const std::string& name : facts.defines) facts.words.erase(name);
  return facts;
}

}  // namespace heddle
