#include "analysis/compile/written_directives.h"

#include <algorithm>
#include <string_view>

#include "analysis/support/word.h"

namespace heddle {
namespace {

/// The next line ends the compilation: a macro that `line` asks for must not be defined.
bool isForbidden(std::string_view line, const std::string& text, size_t next) {
  if (!line.starts_with("ifdef")) return false;
  const size_t hash = text.find_first_not_of(" \t", next);
  if (hash == std::string::npos || text[hash] != '#') return false;
  const size_t word = text.find_first_not_of(" \t", hash + 1);
  return word != std::string::npos && text.compare(word, 5, "error") == 0;
}

/// "X" of "ifdef X", "if defined(X)", "if X"; empty: the condition asks for something else.
std::string switchOf(std::string_view line) {
  std::vector<std::string> words;
  for (size_t i = 0; i < line.size();) {
    size_t end = i;
    while (end < line.size() && isWordCharacter(line[end])) ++end;
    if (end > i) words.emplace_back(line.substr(i, end - i));
    if (end < line.size() && std::string_view(" \t()\r").find(line[end]) == std::string_view::npos) return "";
    i = end + 1;
  }
  if (words.size() == 3 && words[0] == "if" && words[1] == "defined") return words[2];
  const bool isOfName = words.size() == 2 && (words[0] == "ifdef" || words[0] == "if") &&
                        (words[1].front() < '0' || words[1].front() > '9');
  return isOfName ? words[1] : "";
}

/// Of the conditions around a line: what each asks for, "" on its other side.
class Switches {
 public:
  void read(std::string_view line) {
    if (line.starts_with("if"))
      open_.push_back(switchOf(line));
    else if (open_.empty())
      return;
    else if (line.starts_with("endif"))
      open_.pop_back();
    else if (line.starts_with("el"))
      open_.back().clear();
  }

  std::string nearest() const {
    const auto found =
        std::find_if(open_.rbegin(), open_.rend(), [](const std::string& one) { return !one.empty(); });
    return found == open_.rend() ? "" : *found;
  }

 private:
  std::vector<std::string> open_;
};

}  // namespace

void readDirectives(const std::string& text, std::vector<Include>& includes, std::set<std::string>& asked) {
  Switches switches;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    while (end < text.size() && end > begin && text[end - 1] == '\\')
      end = std::min(text.find('\n', end + 1), text.size());
    std::string_view line(text.data() + begin, end - begin);
    begin = end + 1;
    const auto skip = [&] {
      while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    };
    skip();
    if (!line.starts_with("#")) continue;
    line.remove_prefix(1);
    skip();
    switches.read(line);
    if (line.starts_with("include")) {
      line.remove_prefix(7);
      skip();
      if (line.empty() || (line.front() != '"' && line.front() != '<')) continue;
      const size_t close = line.find(line.front() == '"' ? '"' : '>', 1);
      if (close != std::string_view::npos)
        includes.push_back({std::string(line.substr(1, close - 1)), line.front() == '"', switches.nearest()});
    } else if ((line.starts_with("if") && !isForbidden(line, text, begin)) || line.starts_with("elif")) {
      for (size_t i = 0; i < line.size();) {
        size_t word = i;
        while (word < line.size() && isWordCharacter(line[word])) ++word;
        if (word > i) asked.insert(std::string(line.substr(i, word - i)));
        i = word + 1;
      }
    }
  }
}

}  // namespace heddle
