#include "server/driver/cli_document.h"

#include <algorithm>
#include <vector>

#include "server/version.h"

namespace heddle {
namespace {

struct OptionText {
  std::vector<std::string> names;  // "-j", "--budget", as they are written
  std::string value;               // "TIME"; empty: it takes none
  std::string text;
};

std::vector<const CLI::App*> commandsOf(const CLI::App& app) {
  std::vector<const CLI::App*> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_group().empty()) commands.push_back(command);  // without: not for people
  return commands;
}

std::vector<OptionText> optionsOf(const CLI::App& app) {
  std::vector<OptionText> options;
  for (const CLI::Option* option : app.get_options()) {
    OptionText text;
    for (const std::string& name : option->get_snames()) text.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) text.names.push_back("--" + name);
    if (text.names.empty()) continue;  // what stands without a name: files
    if (option->get_items_expected_max() != 0) text.value = option->get_type_name();
    if (const size_t check = text.value.find(':'); check != std::string::npos) text.value.resize(check);
    text.text = option->get_description();
    options.push_back(std::move(text));
  }
  return options;
}

std::string capitals(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

/// For troff: a backslash, a dash and a dot in front have meanings of their own.
std::string troff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  if (!out.empty() && (out.front() == '.' || out.front() == '\'')) out.insert(0, "\\&");
  return out;
}

std::string manualOptions(const CLI::App& app) {
  std::string out;
  for (const OptionText& option : optionsOf(app)) {
    out += ".TP\n";
    for (size_t i = 0; i < option.names.size(); ++i)
      out += (i == 0 ? "\\fB" : ", \\fB") + troff(option.names[i]) + "\\fR";
    if (!option.value.empty()) out += " \\fI" + troff(option.value) + "\\fR";
    out += "\n" + troff(option.text) + "\n";
  }
  return out;
}

/// Between single quotes of any shell.
std::string shellWord(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string words(const std::vector<OptionText>& options) {
  std::string out;
  for (const OptionText& option : options)
    for (const std::string& name : option.names) out += (out.empty() ? "" : " ") + name;
  return out;
}

std::string bashScript(const CLI::App& app) {
  std::string names, cases;
  for (const CLI::App* command : commandsOf(app)) {
    names += (names.empty() ? "" : " ") + command->get_name();
    cases += "    " + command->get_name() + ") words=" + shellWord(words(optionsOf(*command))) + " ;;\n";
  }
  return "# bash completion of heddle: source it, or put it into /usr/share/bash-completion/completions\n"
         "_heddle() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} words\n"
         "  COMPREPLY=()\n"
         "  if ((COMP_CWORD == 1)); then\n"
         "    COMPREPLY=($(compgen -W " +
         shellWord(names + " " + words(optionsOf(app))) +
         " -- \"$current\"))\n"
         "    return\n"
         "  fi\n"
         "  case ${COMP_WORDS[1]} in\n" +
         cases +
         "  esac\n"
         "  if [[ $current == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "  fi\n"
         "}\n"
         "complete -o default -F _heddle heddle\n";
}

/// What zsh takes as one word of _arguments: "--budget=[text]:TIME:_files".
std::string zshOption(const std::string& name, const OptionText& option) {
  std::string text;
  for (const char c : option.text) text += c == '[' || c == ']' || c == ':' ? ' ' : c;
  return shellWord(name + "[" + text + "]" + (option.value.empty() ? "" : ":" + option.value + ":_files"));
}

std::string zshScript(const CLI::App& app) {
  std::string commands, cases;
  for (const CLI::App* command : commandsOf(app)) {
    std::string text = command->get_description();
    text.resize(std::min(text.size(), text.find(": heddle ")));
    commands += "    " + shellWord(command->get_name() + ":" + text) + "\n";
    cases += "    " + command->get_name() + ") _arguments";
    for (const OptionText& option : optionsOf(*command))
      for (const std::string& name : option.names) cases += " " + zshOption(name, option);
    cases += " '*:file:_files' ;;\n";
  }
  return "#compdef heddle\n"
         "# zsh completion of heddle: put it into a folder of $fpath as _heddle\n"
         "local -a commands=(\n" +
         commands +
         ")\n"
         "if ((CURRENT == 2)); then\n"
         "  _describe command commands\n"
         "else\n"
         "  local command=$words[2]\n"
         "  shift words\n"
         "  ((CURRENT--))\n"
         "  case $command in\n" +
         cases +
         "  esac\n"
         "fi\n";
}

std::string fishScript(const CLI::App& app) {
  std::string out = "# fish completion of heddle: put it into ~/.config/fish/completions/heddle.fish\n";
  for (const CLI::App* command : commandsOf(app)) {
    std::string text = command->get_description();
    text.resize(std::min(text.size(), text.find(": heddle ")));
    out += "complete -c heddle -n __fish_use_subcommand -a " + command->get_name() + " -d " +
           shellWord(text) + "\n";
    for (const OptionText& option : optionsOf(*command)) {
      out += "complete -c heddle -n '__fish_seen_subcommand_from " + command->get_name() + "'";
      for (const std::string& name : option.names)
        out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      out += (option.value.empty() ? "" : " -r") + std::string(" -d ") + shellWord(option.text) + "\n";
    }
  }
  return out;
}

}  // namespace

std::string manualPage(const CLI::App& app) {
  std::string out = ".TH HEDDLE 1 \"\" \"heddle " + std::string(heddleVersion()) +
                    "\"\n"
                    ".SH NAME\n"
                    "heddle \\- check C programs with threads for every schedule and every input\n"
                    ".SH SYNOPSIS\n"
                    ".B heddle\n"
                    "[\\fICOMMAND\\fR] [\\fIOPTIONS\\fR] [\\fIFILE\\fR...] [\\-\\- \\fIclang flags\\fR]\n"
                    ".SH DESCRIPTION\n" +
                    troff(app.get_description()) + "\n.SH OPTIONS\n" + manualOptions(app);
  for (const CLI::App* command : commandsOf(app))
    out += ".SH \"HEDDLE " + capitals(command->get_name()) + "\"\n" + troff(command->get_description()) +
           "\n" + manualOptions(*command);
  return out +
         ".SH EXIT STATUS\n"
         "0: no bug within what was explored; 1: a bug; 2: not explored in full; 3: an error in use, or a "
         "file "
         "that cannot be explored.\n"
         ".SH FILES\n"
         "\\fI.heddle.yaml\\fR: settings of a project; \\fI.heddle\\-baseline\\fR: findings that do not "
         "count.\n";
}

std::optional<std::string> completionScript(const CLI::App& app, const std::string& shell) {
  if (shell == "bash") return bashScript(app);
  if (shell == "zsh") return zshScript(app);
  if (shell == "fish") return fishScript(app);
  return std::nullopt;
}

}  // namespace heddle
