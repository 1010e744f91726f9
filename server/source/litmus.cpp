#include "server/source/litmus.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <memory>

#include "analysis/support/word.h"

namespace heddle {

namespace {

class LitmusReader {
 public:
  explicit LitmusReader(std::string_view text) : text_(text) {}

  void skip() {
    while (at_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(text_[at_])))
        ++at_;
      else if (text_.substr(at_, 2) == "(*")
        at_ = std::min(text_.find("*)", at_), text_.size() - 2) + 2;
      else
        return;
    }
  }
  bool take(std::string_view token) {
    skip();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  std::string word() {
    skip();
    const size_t begin = at_;
    while (at_ < text_.size() && isWordCharacter(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }
  /// What stands between the bracket that comes next and the one that closes it.
  std::optional<std::string> bracketed(char open, char close) {
    if (!take(std::string(1, open))) return std::nullopt;
    const size_t begin = at_;
    for (int depth = 1; at_ < text_.size(); ++at_) {
      if (text_[at_] == open) ++depth;
      if (text_[at_] == close && --depth == 0) return std::string(text_.substr(begin, at_++ - begin));
    }
    return std::nullopt;
  }
  std::string line() {
    const size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string found(text_.substr(at_, end - at_));
    at_ = end;
    return found;
  }
  std::string_view rest() {
    skip();
    return text_.substr(at_);
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
};

std::optional<int64_t> litmusNumber(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

using LitmusHolds = std::function<bool(const std::vector<int64_t>&)>;

/// or := and ( \/ and )*; and := not ( /\ not )*; not := ~ not | ( or ) | NAME = NUMBER
class LitmusCondition {
 public:
  LitmusCondition(std::string_view text, LitmusText& out) : reader_(text), out_(out) {}

  bool read() {
    const auto found = disjunction();
    if (!found || !reader_.rest().empty()) return false;
    out_.holds = *found;
    return true;
  }

 private:
  std::optional<LitmusHolds> disjunction() {
    auto left = conjunction();
    while (left && reader_.take("\\/")) {
      const auto right = conjunction();
      if (!right) return std::nullopt;
      left = [a = *left, b = *right](const std::vector<int64_t>& v) { return a(v) || b(v); };
    }
    return left;
  }
  std::optional<LitmusHolds> conjunction() {
    auto left = negation();
    while (left && reader_.take("/\\")) {
      const auto right = negation();
      if (!right) return std::nullopt;
      left = [a = *left, b = *right](const std::vector<int64_t>& v) { return a(v) && b(v); };
    }
    return left;
  }
  std::optional<LitmusHolds> negation() {
    if (reader_.take("~") || reader_.take("not ")) {
      const auto inner = negation();
      if (!inner) return std::nullopt;
      return [a = *inner](const std::vector<int64_t>& v) { return !a(v); };
    }
    if (reader_.take("(")) {
      auto inner = disjunction();
      return inner && reader_.take(")") ? inner : std::nullopt;
    }
    return equation();
  }
  std::optional<LitmusHolds> equation() {
    const bool isBracketed = reader_.take("[");
    std::string name = reader_.word();
    if (isBracketed && !reader_.take("]")) return std::nullopt;
    std::string global = name;
    if (reader_.take(":")) {
      const std::string local = reader_.word();
      global = "P" + name + "_" + local;
      name += ":" + local;
    }
    const bool isEqual = reader_.take("=");
    const std::string sign = reader_.take("-") ? "-" : "";
    const auto value = litmusNumber(sign + reader_.word());
    if (!isEqual || !value || global.empty()) return std::nullopt;
    auto at = std::find(out_.finals.begin(), out_.finals.end(), global);
    if (at == out_.finals.end()) {
      out_.titles.push_back(name);
      at = out_.finals.insert(out_.finals.end(), global);
    }
    const auto index = static_cast<size_t>(at - out_.finals.begin());
    return [index, wanted = *value](const std::vector<int64_t>& v) { return v[index] == wanted; };
  }

  LitmusReader reader_;
  LitmusText& out_;
};

struct LitmusProcess {
  std::string number, parameters, body;
};

/// "atomic_int* x, int *y" → type by name.
bool readLitmusParameters(const std::string& text, std::map<std::string, std::string>& types,
                          std::vector<std::string>& names) {
  std::string_view rest = text;
  while (!rest.empty()) {
    const size_t comma = std::min(rest.find(','), rest.size());
    std::string_view parameter = rest.substr(0, comma);
    rest = comma == rest.size() ? std::string_view() : rest.substr(comma + 1);
    const size_t star = parameter.rfind('*');
    if (star == std::string_view::npos) return parameter.find_first_not_of(" \t\n") == std::string_view::npos;
    std::string name;
    for (const char c : parameter.substr(star + 1))
      if (isWordCharacter(c)) name += c;
    if (name.empty()) return false;
    names.push_back(name);
    types.try_emplace(name, parameter.substr(0, star));
  }
  return true;
}

}  // namespace

std::optional<LitmusText> readLitmus(std::string_view text, std::string& problem) {
  LitmusText out;
  LitmusReader reader(text);
  const auto wrong = [&](const std::string& what) {
    problem = "litmus test: " + what;
    return std::nullopt;
  };
  if (reader.word() != "C") return wrong("it does not begin with 'C NAME'");
  out.name = reader.word();
  out.name += reader.line();
  while (!reader.rest().starts_with("{") && !reader.rest().empty()) reader.line();  // comments
  const auto initial = reader.bracketed('{', '}');
  if (!initial) return wrong("no initial values in braces");
  std::map<std::string, std::string> values, types;
  for (LitmusReader items(*initial); !items.rest().empty();) {
    const bool isBracketed = items.take("[");
    std::string name = items.word();
    if (!items.rest().starts_with("=") && !items.rest().starts_with("]") && !items.rest().starts_with(";"))
      name = items.word();  // a type came first
    if (isBracketed && !items.take("]")) return wrong("an initial value that is not understood");
    if (items.take("=")) values[name] = items.word();
    if (name.empty() || !items.take(";")) {
      if (!items.rest().empty()) return wrong("an initial value that is not understood");
    }
  }
  std::vector<LitmusProcess> processes;
  while (reader.take("P")) {
    LitmusProcess process;
    process.number = reader.word();
    const auto parameters = reader.bracketed('(', ')');
    const auto body = reader.bracketed('{', '}');
    if (process.number.empty() || !parameters || !body) return wrong("a process that is not understood");
    process.parameters = *parameters;
    process.body = *body;
    processes.push_back(std::move(process));
  }
  if (processes.empty()) return wrong("no processes");
  if (reader.take("locations")) reader.bracketed('[', ']');
  for (const char* quantifier : {"exists", "~exists", "forall"})
    if (out.quantifier.empty() && reader.take(quantifier)) out.quantifier = quantifier;
  if (out.quantifier.empty()) return wrong("no condition of exists, ~exists or forall");
  out.condition = std::string(reader.rest());
  while (!out.condition.empty() && std::isspace(static_cast<unsigned char>(out.condition.back())))
    out.condition.pop_back();
  if (!LitmusCondition(out.condition, out).read()) return wrong("a condition that is not understood");

  std::string threads, creates, joins, registers;
  for (const LitmusProcess& process : processes) {
    std::vector<std::string> names;
    if (!readLitmusParameters(process.parameters, types, names))
      return wrong("parameters that are not pointers");
    std::string arguments;
    for (const std::string& name : names) arguments += (arguments.empty() ? "&" : ", &") + name;
    const std::string own = "P" + process.number + "_";
    std::string kept;
    for (const std::string& global : out.finals) {
      if (!global.starts_with(own)) continue;
      registers += "long " + global + ";\n";
      kept += " " + global + " = " + global.substr(own.size()) + ";";
    }
    const std::string parameters = names.empty() ? "void" : process.parameters;
    threads += "static void P" + process.number + "(" + parameters + ") {" + process.body + kept +
               "}\nstatic void *thread" + process.number + "(void *p) { P" + process.number + "(" +
               arguments + "); return p; }\n";
    creates += "  pthread_t t" + process.number + "; pthread_create(&t" + process.number + ", 0, thread" +
               process.number + ", 0);\n";
    joins += "  pthread_join(t" + process.number + ", 0);\n";
  }
  out.program = "#include <pthread.h>\n#include <stdatomic.h>\n";
  for (const auto& [name, type] : types) {
    const auto value = values.find(name);
    out.program += type + " " + name + (value == values.end() ? "" : " = " + value->second) + ";\n";
  }
  out.program += registers + threads + "int main(void) {\n" + creates + joins + "  return 0;\n}\n";
  return out;
}

}  // namespace heddle
