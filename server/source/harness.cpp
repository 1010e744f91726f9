#include "server/source/harness.h"

#include <algorithm>
#include <set>

namespace heddle {
namespace {

std::string_view spelling(std::string_view text, const CToken& token) {
  return text.substr(token.range.begin, token.range.end - token.range.begin);
}

/// `words` split at `separator` outside of brackets and literals.
std::vector<std::string> split(std::string_view words, std::string_view separator) {
  std::vector<std::string> parts;
  int depth = 0;
  size_t begin = 0;
  for (const CToken& token : lexC(words).tokens) {
    const std::string_view word = spelling(words, token);
    if (word == "(" || word == "[" || word == "{") depth++;
    if (word == ")" || word == "]" || word == "}") depth--;
    if (depth != 0 || token.range.begin < begin || !words.substr(token.range.begin).starts_with(separator))
      continue;
    parts.emplace_back(trimmed(words.substr(begin, token.range.begin - begin)));
    begin = token.range.begin + separator.size();
  }
  parts.emplace_back(trimmed(words.substr(begin)));
  return parts;
}

bool isWord(std::string_view text) {
  const CText lexed = lexC(text);
  return lexed.tokens.size() == 1 && lexed.tokens[0].kind == CTokenKind::Word;
}

std::optional<HarnessCall> callOf(const std::string& text) {
  const size_t open = text.find('(');
  if (open == std::string::npos || !text.ends_with(")")) return std::nullopt;
  HarnessCall call;
  call.function = trimmed(std::string_view(text).substr(0, open));
  const std::string inside(trimmed(std::string_view(text).substr(open + 1, text.size() - open - 2)));
  if (!inside.empty()) call.arguments = split(inside, ",");
  if (!isWord(call.function)) return std::nullopt;
  return call;
}

/// "const char *name" → "const char *"; a parameter without a name is its type.
std::string typeOf(const std::string& parameter) {
  const CText lexed = lexC(parameter);
  const auto& tokens = lexed.tokens;
  if (tokens.size() > 1 && tokens.back().kind == CTokenKind::Word)
    return std::string(trimmed(std::string_view(parameter).substr(0, tokens.back().range.begin)));
  return parameter;
}

bool isVoidPointer(const std::string& parameter) {
  return parameter.starts_with("void *") && parameter.find('*', 6) == std::string::npos &&
         parameter.find('(') == std::string::npos;
}

/// Words outside of functions: names of globals, types, macros and enumerators are among them, locals are
/// not.
std::set<std::string, std::less<>> wordsOfTheFile(std::string_view text, const Outline& outline) {
  std::set<std::string, std::less<>> words;
  for (const CToken& token : lexC(text).tokens) {
    const OutlineFunction* function = outline.at(token.range.begin);
    if (token.kind == CTokenKind::Word && (function == nullptr || token.range == function->nameRange))
      words.emplace(spelling(text, token));
  }
  return words;
}

/// "push || pop" or "create, push, destroy": a generated harness, if the file defines them all.
bool isTitle(std::string_view words, const Outline& outline) {
  const CText lexed = lexC(words);
  for (const CToken& token : lexed.tokens) {
    const std::string_view word = spelling(words, token);
    if (token.kind == CTokenKind::Word ? outline.find(word) == nullptr
                                       : word != "||" && word != "|" && word != ",")
      return false;
  }
  return !lexed.tokens.empty();
}

Harness parse(std::string_view words, const Outline& outline) {
  Harness harness;
  if (isTitle(words, outline)) {
    harness.title = trimmed(words);
    return harness;
  }
  for (const std::string& part : split(words, "||")) {
    const std::optional<HarnessCall> call = callOf(part);
    if (!call) {
      harness.problem = "'" + part + "' is no call: write for instance harness f(x) || g()";
      return harness;
    }
    const OutlineFunction* function = outline.find(call->function);
    if (function == nullptr) {
      harness.problem = "this file defines no function '" + call->function + "'";
      return harness;
    }
    if (function->parameters.size() != call->arguments.size()) {
      harness.problem = "'" + call->function + "' takes " + std::to_string(function->parameters.size()) +
                        " arguments, not " + std::to_string(call->arguments.size());
      return harness;
    }
    harness.calls.push_back(*call);
  }
  return harness;
}

}  // namespace

std::vector<Harness> harnessesOf(std::string_view text, const CText& lexed, const Outline& outline) {
  constexpr std::string_view kWord = "harness";
  std::vector<Harness> found;
  for (const ByteRange comment : lexed.comments) {
    std::string_view words = heddleComment(text.substr(comment.begin, comment.end - comment.begin));
    if (!words.starts_with(kWord)) continue;
    words.remove_prefix(kWord.size());
    Harness harness = parse(words, outline);
    harness.range = comment;
    found.push_back(std::move(harness));
  }
  return found;
}

bool canRunTwice(const OutlineFunction& function) {
  return std::all_of(
      function.parameters.begin(), function.parameters.end(), [](const std::string& parameter) {
        const bool pointer = parameter.find_first_of("*[(") != std::string::npos || parameter == "...";
        return !pointer || isVoidPointer(parameter);
      });
}

std::string harnessComment(const OutlineFunction& function) {
  std::string calls;
  int input = 1;
  for (int side = 0; side < 2; side++) {
    std::string arguments;
    for (const std::string& parameter : function.parameters)
      arguments += (arguments.empty() ? "" : ", ") +
                   (isVoidPointer(parameter) ? "NULL" : "input" + std::to_string(input++));
    calls += (side == 0 ? "" : " || ") + function.name + "(" + arguments + ")";
  }
  return "// heddle: harness " + calls;
}

std::string withHarness(std::string_view text, const Outline& outline, const Harness& harness) {
  const std::set<std::string, std::less<>> words = wordsOfTheFile(text, outline);
  std::string out(text);
  out += "\n" + std::string(kThreadNames) + "#include <stddef.h>\n";
  std::string inputs, threads, creates, joins;
  std::set<std::string> known;
  for (size_t i = 0; i < harness.calls.size(); i++) {
    const HarnessCall& call = harness.calls[i];
    const OutlineFunction& function = *outline.find(call.function);
    std::string arguments;
    for (size_t a = 0; a < call.arguments.size(); a++) {
      const std::string& argument = call.arguments[a];
      arguments += (a == 0 ? "" : ", ") + argument;
      if (!isWord(argument) || words.contains(argument) || !known.insert(argument).second) continue;
      const std::string type = typeOf(function.parameters[a]);
      out += "static " + type + " " + argument + ";\n";
      out += "long long __VERIFIER_nondet_longlong(void);\n";
      inputs += "  " + argument + " = (" + type + ")__VERIFIER_nondet_longlong();\n";
    }
    const std::string number = std::to_string(i);
    threads += "static void *heddle_thread_" + number + "(void *unused) { (void)unused; " + call.function +
               "(" + arguments + "); return NULL; }\n";
    creates += "  pthread_create(&threads[" + number + "], NULL, heddle_thread_" + number + ", NULL);\n";
    joins += "  pthread_join(threads[" + number + "], NULL);\n";
  }
  out += threads + "int " + kHarnessEntry + "(void) {\n  pthread_t threads[" +
         std::to_string(harness.calls.size()) + "];\n" + inputs + creates + joins + "  return 0;\n}\n";
  return out;
}

std::optional<HarnessText> harnessText(std::string_view text, const std::string& entry) {
  const CText lexed = lexC(text);
  const Outline outline = outlineOf(text, lexed);
  if (outline.find(entry) != nullptr) return std::nullopt;
  for (const Harness& harness : harnessesOf(text, lexed, outline)) {
    if (!harness.problem.empty()) continue;
    if (!harness.title.empty()) break;
    return HarnessText{withHarness(text, outline, harness), harness.range};
  }
  return std::nullopt;
}

std::string askedHarness(std::string_view text, const std::string& entry) {
  const CText lexed = lexC(text);
  const Outline outline = outlineOf(text, lexed);
  if (outline.find(entry) != nullptr) return "";
  for (const Harness& harness : harnessesOf(text, lexed, outline))
    if (harness.problem.empty()) return harness.title;
  return "";
}

}  // namespace heddle
