#include "server/render/replay_command.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace heddle {

std::string shellQuote(const std::string& word) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_-./,:=+@%").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string out = "'";
  for (char c : word) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

std::vector<std::string> programOptions(const ReplayContext& context) {
  std::vector<std::string> options;
  if (context.entry != "main") options = {"--entry", context.entry};
  options.insert(options.end(), context.options.begin(), context.options.end());
  return options;
}

std::vector<std::string> replayWords(const ReplayContext& context, const std::string& schedule) {
  std::vector<std::string> words = {"replay"};
  for (std::string& option : programOptions(context)) words.push_back(std::move(option));
  const auto addFile = [&](const std::string& file) {
    words.push_back(file.starts_with("-") ? "./" + file : file);
  };
  addFile(context.file);
  for (const std::string& file : context.otherFiles) addFile(file);
  words.push_back(schedule);
  if (!context.flags.empty()) words.emplace_back("--");
  words.insert(words.end(), context.flags.begin(), context.flags.end());
  return words;
}

std::string replayCommand(const ReplayContext& context, const std::string& schedule) {
  std::string command = "heddle";
  for (const std::string& word : replayWords(context, schedule))
    command += " " + (word == schedule ? "'" + word + "'" : shellQuote(word));
  return command;
}

}  // namespace heddle
