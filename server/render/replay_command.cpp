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

std::string replayCommand(const ReplayContext& context, const std::string& schedule) {
  std::string command = "heddle replay ";
  if (context.entry != "main") command += "--entry " + shellQuote(context.entry) + " ";
  for (const std::string& option : context.options) command += shellQuote(option) + " ";
  const auto addFile = [&](const std::string& file) {
    command += (file.starts_with("-") ? shellQuote("./" + file) : shellQuote(file)) + " ";
  };
  addFile(context.file);
  for (const std::string& file : context.otherFiles) addFile(file);
  command += "'" + schedule + "'";
  if (!context.flags.empty()) command += " --";
  for (const std::string& flag : context.flags) command += " " + shellQuote(flag);
  return command;
}

}  // namespace heddle
