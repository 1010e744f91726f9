#include "analysis/compile/cmake_text.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "analysis/support/word.h"

namespace heddle {
namespace {

class CMakeReader {
 public:
  explicit CMakeReader(const std::string& text) : text_(text) {}

  std::vector<CMakeCommand> read() {
    std::vector<CMakeCommand> commands;
    while (skipBlanks(), at_ < text_.size()) {
      size_t end = at_;
      while (end < text_.size() && isWordCharacter(text_[end])) ++end;
      if (end == at_) {
        ++at_;
        continue;
      }
      CMakeCommand command;
      command.name = lowerCase(text_.substr(at_, end - at_));
      at_ = end;
      skipBlanks();
      if (at_ >= text_.size() || text_[at_] != '(') continue;
      ++at_;
      readArguments(command.arguments);
      commands.push_back(std::move(command));
    }
    return commands;
  }

 private:
  /// "[==[" at `at_`: the text behind it and its end are known; false: it is none.
  bool readBracket(std::string& inside) {
    size_t open = at_ + 1;
    while (open < text_.size() && text_[open] == '=') ++open;
    if (open >= text_.size() || text_[open] != '[') return false;
    const std::string close = "]" + std::string(open - at_ - 1, '=') + "]";
    const size_t end = text_.find(close, open + 1);
    inside = text_.substr(open + 1, end == std::string::npos ? end : end - open - 1);
    at_ = end == std::string::npos ? text_.size() : end + close.size();
    return true;
  }

  void skipBlanks() {
    while (at_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(text_[at_]))) {
        ++at_;
      } else if (text_[at_] == '#') {
        ++at_;
        std::string comment;
        if (at_ < text_.size() && text_[at_] == '[' && readBracket(comment)) continue;
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        return;
      }
    }
  }

  void readQuoted(std::string& inside) {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        if (text_[at_ + 1] == '\n') {
          ++at_;
          continue;
        }
        inside += text_[at_++];
      }
      inside += text_[at_];
    }
    if (at_ < text_.size()) ++at_;
  }

  void readArguments(std::vector<CMakeArgument>& arguments) {
    int depth = 0;
    while (skipBlanks(), at_ < text_.size()) {
      CMakeArgument argument;
      if (text_[at_] == '(' || text_[at_] == ')') {
        depth += text_[at_] == '(' ? 1 : -1;
        argument.text = text_[at_++];
        if (depth < 0) return;
      } else if (text_[at_] == '"') {
        argument.kind = CMakeArgument::Kind::Quoted;
        readQuoted(argument.text);
      } else if (text_[at_] == '[' && readBracket(argument.text)) {
        argument.kind = CMakeArgument::Kind::Bracket;
      } else {
        readBare(argument.text);
      }
      arguments.push_back(std::move(argument));
    }
  }

  void readBare(std::string& word) {
    const size_t begin = at_;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (std::isspace(static_cast<unsigned char>(c)) || c == '(' || c == ')') break;
      if (c == '"') {  // -DX="a b"
        std::string inside;
        word += '"';
        readQuoted(inside);
        word += inside + '"';
        --at_;
        continue;
      }
      if (c == '\\' && at_ + 1 < text_.size()) word += text_[at_++];
      word += text_[at_];
    }
    if (at_ == begin) ++at_;
  }

  const std::string& text_;
  size_t at_ = 0;
};

/// The command that ends a block which `name` begins; empty: it begins none.
std::string_view endOf(std::string_view name) {
  if (name == "if") return "endif";
  if (name == "foreach") return "endforeach";
  if (name == "while") return "endwhile";
  if (name == "function") return "endfunction";
  if (name == "macro") return "endmacro";
  return "";
}

}  // namespace

std::string upperCase(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string lowerCase(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool isFalseForCMake(const std::string& value) {
  const std::string upper = upperCase(value);
  return upper.empty() || upper == "0" || upper == "OFF" || upper == "NO" || upper == "FALSE" ||
         upper == "N" || upper == "IGNORE" || upper == "NOTFOUND" || upper.ends_with("-NOTFOUND");
}

std::vector<std::string> listOf(const std::string& value) {
  std::vector<std::string> parts(1);
  for (size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '\\' && i + 1 < value.size() && value[i + 1] == ';')
      parts.back() += value[++i];
    else if (value[i] == ';')
      parts.emplace_back();
    else
      parts.back() += value[i];
  }
  std::erase(parts, "");
  return parts;
}

std::vector<CMakeCommand> commandsOf(const std::string& text) {
  std::vector<CMakeCommand> commands = CMakeReader(text).read();
  std::vector<size_t> open;
  for (size_t i = 0; i < commands.size(); ++i) {
    commands[i].next = commands.size();
    const std::string& name = commands[i].name;
    const bool goesOn = name == "else" || name == "elseif";
    if (!open.empty() && (goesOn || name == endOf(commands[open.back()].name) ||
                          (name == "endif" && commands[open.back()].name.starts_with("else")))) {
      commands[open.back()].next = i;
      open.pop_back();
      if (goesOn) open.push_back(i);
    } else if (!endOf(name).empty()) {
      open.push_back(i);
    }
  }
  return commands;
}

}  // namespace heddle
