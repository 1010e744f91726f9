#include "server/source/counterpart.h"

#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace heddle {
namespace {

/// Only words of which nobody calls the first one alone: who takes from an empty queue, or stops what does
/// not run, does what the function has to expect.
constexpr std::array<std::pair<std::string_view, std::string_view>, 17> kUndo = {{{"decrement", "increment"},
                                                                                  {"dec", "inc"},
                                                                                  {"decr", "incr"},
                                                                                  {"unregister", "register"},
                                                                                  {"deregister", "register"},
                                                                                  {"leave", "enter"},
                                                                                  {"leave", "join"},
                                                                                  {"exit", "enter"},
                                                                                  {"end", "begin"},
                                                                                  {"unlock", "lock"},
                                                                                  {"release", "acquire"},
                                                                                  {"detach", "attach"},
                                                                                  {"resume", "suspend"},
                                                                                  {"resume", "pause"},
                                                                                  {"unpin", "pin"},
                                                                                  {"unhold", "hold"},
                                                                                  {"offline", "online"}}};

std::string capitalized(std::string_view word) {
  std::string text(word);
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

/// Where the word stands as a whole word; npos: nowhere.
size_t wordIn(const std::string& name, const std::string& word) {
  for (size_t at = name.find(word); at != std::string::npos; at = name.find(word, at + 1)) {
    const size_t end = at + word.size();
    const bool isCapital = std::isupper(static_cast<unsigned char>(word.front())) != 0;
    const bool begins = at == 0 || name[at - 1] == '_' || isCapital;
    const bool ends = end == name.size() || std::islower(static_cast<unsigned char>(name[end])) == 0;
    if (begins && ends) return at;
  }
  return std::string::npos;
}

}  // namespace

std::string withWord(const std::string& name, std::string_view word, std::string_view by) {
  for (const bool isCapital : {false, true}) {
    const std::string from = isCapital ? capitalized(word) : std::string(word);
    const size_t at = wordIn(name, from);
    if (at == std::string::npos) continue;
    std::string other = name;
    return other.replace(at, from.size(), isCapital ? capitalized(by) : std::string(by));
  }
  return "";
}

std::string counterpartOf(const std::string& name, const std::function<bool(const std::string&)>& exists) {
  for (const auto& [undo, done] : kUndo)
    if (const std::string other = withWord(name, undo, done); !other.empty() && exists(other)) return other;
  return "";
}

}  // namespace heddle
