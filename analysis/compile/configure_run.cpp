#include "analysis/compile/configure_run.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "analysis/compile/build_switches.h"
#include "analysis/compile/cmake_variables.h"
#include "analysis/compile/command_database.h"
#include "analysis/support/word.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostConfigureSteps = 60'000;
constexpr size_t kMostConfigureFile = size_t{1} << 20;
constexpr size_t kMostConfigureBytes = size_t{16} << 20;  // of all files
constexpr size_t kMostCopied = size_t{256} << 20;         // characters that are looked at, over all
constexpr int kMostConfigureDepth = 40;
constexpr size_t kMostModules = 300;

constexpr std::string_view kScriptByHand = "auto/configure";

/// Macros whose own definitions, where the project has them, say nothing of the program.
bool isOfTools(const std::string& name) {
  for (const char* own :
       {"LT_", "AC_PROG_", "AM_PROG_", "AM_INIT_", "AM_SILENT", "_LT_", "AX_CXX_", "AX_APPEND_",
        "AX_CHECK_COMPILE_FLAG", "AX_CHECK_LINK_FLAG", "PKG_", "AM_GNU_GETTEXT", "AM_PATH_"})
    if (name.starts_with(own)) return true;
  return false;
}

}  // namespace

ConfigureRun::ConfigureRun(std::string root, BuildChecks& checks) : root_(std::move(root)), checks_(checks) {}

bool ConfigureRun::isMacro(const std::string& name) const {
  if (isByHand_) return false;
  if (macros_.contains(name)) return true;
  const size_t line = name.find('_');
  if (line == std::string::npos || line == 0) return name.starts_with("_AC_") || name.starts_with("_AM_");
  if (name.starts_with("m4_") || name == "patsubst") return true;
  return line <= 4 && std::all_of(name.begin(), name.end(), [](char c) {
           return c == '_' || std::isupper(static_cast<unsigned char>(c)) ||
                  std::isdigit(static_cast<unsigned char>(c));
         });
}

void ConfigureRun::set(const std::string& name, const std::string& value) {
  variables_.set(name, unknown_ > 0 ? std::string(1, kUnknownValue) : value);
}

std::string ConfigureRun::withNames(const std::string& text, int depth) const {
  constexpr size_t kMostPlain = size_t{64} << 10;
  std::string value;
  for (size_t at = 0; at < text.size() && value.size() < kMostPlain;) {
    if (!isWordCharacter(text[at])) {
      value += text[at++];
      continue;
    }
    const std::string word = wordAt(text, at);
    at += word.size();
    const auto known = macros_.find(word);
    if (word == "patsubst" && at < text.size() && text[at] == '(') {
      const std::vector<std::string> arguments = macroArguments(text, at);
      std::string subject = arguments[0];
      if (arguments.size() > 2 && arguments[1].size() == 1 && arguments[2].size() <= 1) {
        std::string replaced;
        for (const char c : subject) {
          if (c == arguments[1][0])
            replaced += arguments[2];
          else
            replaced += c;
        }
        subject = replaced;
      }
      value += subject;
    } else if (known == macros_.end() || depth > 5) {
      value += word;
    } else {
      std::vector<std::string> arguments;
      if (at < text.size() && text[at] == '(') arguments = macroArguments(text, at);
      value += withNames(withArguments(known->second, arguments), depth + 1);
    }
  }
  return value;
}

std::string ConfigureRun::plain(const std::string& text) const {
  if (isByHand_) return text;
  const std::string named = withNames(text, 0);
  std::string value;
  for (size_t at = 0; at < named.size(); ++at) {
    const char c = named[at];
    if (named.compare(at, 3, "dnl") == 0 && (at == 0 || !isWordCharacter(named[at - 1])) &&
        (at + 3 >= named.size() || !isWordCharacter(named[at + 3]))) {
      at = std::min(named.find('\n', at), named.size());
      continue;
    }
    if (c != '[' && c != ']')
      value += c;
    else if (at + 1 < named.size() && named[at + 1] == c)
      value += named[at++];
  }
  return value;
}

BuildAnswer ConfigureRun::decide(const std::string& condition) {
  return variables_.decide(plain(condition));
}

void ConfigureRun::runUnknown(const std::string& text) {
  ++unknown_;
  runText(text);
  --unknown_;
}

void ConfigureRun::choose(BuildAnswer answer, const std::string& yes, const std::string& no) {
  if (answer == BuildAnswer::Unknown) {
    runUnknown(yes);
    runUnknown(no);
  } else {
    runText(answer == BuildAnswer::Yes ? yes : no);
  }
}

void ConfigureRun::runFile(const std::string& named) {
  const std::string path = fs::path(named).lexically_normal().string();
  if (bytes_ >= kMostConfigureBytes || !path.starts_with(root_ + "/")) return;
  const auto text = readRegularFile(path, kMostConfigureFile);
  if (!text) return;
  bytes_ += text->size();
  variables_.noteAssigned(*text);
  runText(*text);
}

void ConfigureRun::runText(const std::string& text) {
  copied_ += text.size();
  if (depth_ >= kMostConfigureDepth || copied_ > kMostCopied) return;
  ++depth_;
  const IsMacro isKnown = [this](const std::string& name) { return isMacro(name); };
  for (size_t at = 0; at < text.size() && steps_ < kMostConfigureSteps; ++steps_) {
    const char c = text[at];
    if (std::isspace(static_cast<unsigned char>(c)) || c == ';' || c == '[' || c == ']' || c == '}' ||
        c == ')') {
      ++at;
      continue;
    }
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    const std::string word = isWordCharacter(c) ? wordAt(text, at) : "";
    const size_t next = at + word.size();
    const char behind = next < text.size() ? text[next] : '\0';
    if (word == "dnl") {
      at = std::min(text.find('\n', at), text.size());
    } else if (!word.empty() && isMacro(word) && behind != '=') {
      at = next;
      const Texts arguments = behind == '(' ? macroArguments(text, at) : Texts();
      runMacro(word, arguments);
    } else if (word == "if" && behind != '=') {
      runShellIf(text, at);
    } else if (word == "case" && behind != '=') {
      runCase(text, at);
    } else if ((word == "for" || word == "while" || word == "until") && behind != '=') {
      runLoop(text, at);
    } else {
      const size_t end = std::max(endOfCommand(text, at, isKnown), at + 1);
      const std::string line = text.substr(at, end - at);
      at = end;
      if (!isByHand_ || !runSourcing(line)) runLine(line);
      if (isByHand_) runHereDocument(line, text, at);
    }
  }
  --depth_;
}

void ConfigureRun::runShellIf(const std::string& text, size_t& at) {
  const IsMacro isKnown = [this](const std::string& name) { return isMacro(name); };
  bool isDone = false, isUnknown = false;
  at += 2;  // behind "if"
  while (at < text.size()) {
    const size_t then = findCommand(text, at, {"then"}, isKnown);
    const BuildAnswer answer = isDone ? BuildAnswer::No : decide(text.substr(at, then - at));
    at = std::min(then + 4, text.size());
    const auto runBranch = [&](size_t end, BuildAnswer taken) {
      isUnknown |= taken == BuildAnswer::Unknown;
      if (taken != BuildAnswer::No) {
        unknown_ += isUnknown ? 1 : 0;
        runText(text.substr(at, end - at));
        unknown_ -= isUnknown ? 1 : 0;
      }
      isDone |= taken == BuildAnswer::Yes;
    };
    size_t end = findCommand(text, at, {"elif", "else", "fi"}, isKnown);
    runBranch(end, answer);
    const std::string word = wordAt(text, std::min(end, text.size()));
    at = std::min(end + word.size(), text.size());
    if (word == "elif") continue;
    if (word == "else") {
      end = findCommand(text, at, {"fi"}, isKnown);
      runBranch(end, isDone ? BuildAnswer::No : BuildAnswer::Yes);
      at = std::min(end + 2, text.size());
    }
    return;
  }
}

void ConfigureRun::runCase(const std::string& text, size_t& at) {
  const IsMacro isKnown = [this](const std::string& name) { return isMacro(name); };
  const size_t in = std::min(text.find(" in", at), text.size());
  const std::string subject = variables_.expand(plain(withoutBlanks(text.substr(at + 4, in - at - 4))));
  const size_t end = findCommand(text, std::min(in + 3, text.size()), {"esac"}, isKnown);
  bool isDone = false, isUnknown = false;
  for (size_t begin = std::min(in + 3, end); begin < end;) {
    const size_t close = text.find(')', begin);
    if (close == std::string::npos || close >= end) break;
    const std::string patterns = plain(text.substr(begin, close - begin));
    // The branch ends at ";;", which lies in no other case.
    size_t stop = close + 1;
    for (int depth = 0; stop < end; ++stop) {
      if (text.compare(stop, 5, "case ") == 0 && !isWordCharacter(text[stop - 1])) ++depth;
      if (text.compare(stop, 4, "esac") == 0 && !isWordCharacter(text[stop - 1])) --depth;
      if (depth == 0 && text.compare(stop, 2, ";;") == 0) break;
    }
    BuildAnswer answer = BuildAnswer::No;
    for (size_t from = 0; !isDone && from <= patterns.size();) {
      const size_t to = std::min(patterns.find('|', from), patterns.size());
      const std::string pattern = variables_.expand(withoutBlanks(patterns.substr(from, to - from)));
      from = to + 1;
      const bool isClear = isKnownValue(subject) && pattern.find('[') == std::string::npos;
      if (pattern == "*" || (isClear && isShellMatch(pattern, subject)))
        answer = BuildAnswer::Yes;
      else if (!isClear && answer == BuildAnswer::No)
        answer = BuildAnswer::Unknown;
    }
    isUnknown |= answer == BuildAnswer::Unknown;
    if (answer != BuildAnswer::No) {
      unknown_ += isUnknown ? 1 : 0;
      runText(text.substr(close + 1, stop - close - 1));
      unknown_ -= isUnknown ? 1 : 0;
    }
    isDone |= answer == BuildAnswer::Yes;
    begin = stop + 2;
  }
  at = std::min(end + 4, text.size());
}

void ConfigureRun::runLoop(const std::string& text, size_t& at) {
  const IsMacro isKnown = [this](const std::string& name) { return isMacro(name); };
  const size_t begin = at + wordAt(text, at).size();
  const size_t loop = std::min(findCommand(text, begin, {"do"}, isKnown) + 2, text.size());
  const size_t done = findCommand(text, loop, {"done"}, isKnown);
  const std::string name = wordAt(text, std::min(text.find_first_not_of(' ', begin), text.size()));
  const std::string head = text.substr(begin, loop - std::min(loop, begin));
  if (isByHand_ && text.compare(at, 3, "for") == 0 && head.find(" in ") == std::string::npos) {
    at = std::min(done + 4, text.size());  // over the arguments of the script, which has none
    return;
  }
  ++unknown_;
  if (text.compare(at, 3, "for") == 0) set(name, "");
  runText(text.substr(loop, done - loop));
  --unknown_;
  at = std::min(done + 4, text.size());
}

bool ConfigureRun::runSourcing(const std::string& line) {
  // "NAME=value NAME=value . file"
  const std::string command = " " + withoutBlanks(line);
  const size_t at = command.find(" . ");
  if (at == std::string::npos) return false;
  std::vector<std::pair<std::string, std::string>> given;
  for (const std::string& word : shellWords(command.substr(0, at))) {
    const std::string name = wordAt(word, 0);
    if (name.size() >= word.size() || word[name.size()] != '=') return false;
    given.emplace_back(name, variables_.expand(word.substr(name.size() + 1)));
  }
  for (const auto& [name, value] : given) set(name, value);
  const std::string file = variables_.expand(withoutBlanks(command.substr(at + 3)));
  if (isKnownValue(file)) runFile(root_ + "/" + file);
  return true;
}

void ConfigureRun::runHereDocument(const std::string& line, const std::string& text, size_t& at) {
  const size_t mark = line.find("<<");
  if (mark == std::string::npos) return;
  const size_t begin = line.find_first_not_of(" -'\"", mark + 2);
  const std::string word = wordAt(line, std::min(begin, line.size()));
  const size_t first = text.find('\n', at), end = text.find("\n" + word + "\n", at);
  if (word.empty() || first == std::string::npos || end == std::string::npos) return;
  const std::string body = text.substr(first, end - first) + "\n";
  at = end + word.size() + 1;
  constexpr std::string_view kDefine = "\n#define ";
  for (size_t next = body.find(kDefine); next != std::string::npos; next = body.find(kDefine, next + 1)) {
    const size_t behind = next + kDefine.size();
    const std::string written = body.substr(behind, body.find('\n', behind) - behind);
    const size_t blank = std::min(written.find_first_of(" \t"), written.size());
    define({written.substr(0, blank), withoutBlanks(written.substr(blank))}, true);
  }
}

void ConfigureRun::runLine(const std::string& line) {
  // "CONDITION && COMMAND"
  for (const char* joint : {"&&", "||"}) {
    const size_t at = line.rfind(joint);
    if (at == std::string::npos || !withoutBlanks(line).starts_with("test")) continue;
    const BuildAnswer answer = decide(line.substr(0, at));
    const bool isAnd = joint[0] == '&';
    const std::string rest = line.substr(at + 2);
    choose(answer, isAnd ? rest : "", isAnd ? "" : rest);
    return;
  }
  // A macro at the end of a command runs as well, such as in "A=b AC_DEFINE(…)".
  const std::string text = withoutBlanks(plain(line));
  const std::string name = wordAt(text, 0);
  if (name == "unset") {
    set(wordAt(text, std::min(text.find_first_not_of(' ', name.size()), text.size())), "");
  } else if (!name.empty() && name.size() < text.size()) {
    const size_t value = name.size() + (text[name.size()] == '+' ? 2 : 1);
    if (text[name.size()] != '=' && text.compare(name.size(), 2, "+=") != 0) return;
    const std::string old = text[name.size()] == '+' ? variables_.valueOf(name) : "";
    set(name, old + variables_.expand(text.substr(std::min(value, text.size()))));
  }
}

void ConfigureRun::define(const Texts& arguments, bool isExpanded) {
  if (arguments.empty() || unknown_ > 0) return;
  const std::string name = variables_.expand(withoutBlanks(plain(arguments[0])));
  if (name.empty() || !std::all_of(name.begin(), name.end(), isWordCharacter)) return;
  std::string value = arguments.size() > 1 ? withoutBlanks(plain(arguments[1])) : "1";
  if (isExpanded) value = variables_.expand(value, true);
  if (isKnownValue(value)) found_.defined[name] = value;
}

void ConfigureRun::runMacro(const std::string& name, const Texts& arguments) {
  if (runLanguage(name, arguments)) return;
  const auto own = macros_.find(name);
  if (own != macros_.end() && !isOfTools(name)) {
    const std::string body = own->second;
    return runText(withArguments(body, arguments));
  }
  if (runCheck(name, arguments) || runListCheck(name, arguments)) return;
  // What it does with the commands that it is given is not known.
  for (const std::string& argument : arguments)
    if (argument.find('=') != std::string::npos || argument.find("AC_") != std::string::npos)
      runUnknown(argument);
}

ConfigureProject ConfigureRun::run() {
  std::vector<std::string> modules;
  std::error_code error;
  for (const char* folder : {"m4", "config", "build-aux"})
    for (fs::directory_iterator at(fs::path(root_) / folder, error), end;
         !error && at != end && modules.size() < kMostModules; at.increment(error))
      if (at->path().extension() == ".m4") modules.push_back(at->path().string());
  std::sort(modules.begin(), modules.end());
  modules.push_back(root_ + "/acinclude.m4");
  for (const std::string& module : modules) runFile(module);
  std::string script = root_ + "/configure.ac";
  if (!fs::is_regular_file(script, error)) script = root_ + "/configure.in";
  isByHand_ = !fs::is_regular_file(script, error);
  runFile(isByHand_ ? root_ + "/" + std::string(kScriptByHand) : script);
  for (const auto& [name, value] : variables_.all())
    if (isKnownValue(value)) found_.variables[name] = value;
  for (const char* flags : {"CPPFLAGS", "CFLAGS", "AM_CPPFLAGS", "AM_CFLAGS"}) {
    const std::string words = variables_.valueOf(flags);
    addForced(words, found_.forced);
    for (size_t at = words.find("-D"); at != std::string::npos; at = words.find("-D", at + 2)) {
      const std::string word =
          words.substr(at, std::min(words.find_first_of(" \t\n", at), words.size()) - at);
      if (at == 0 || words[at - 1] == ' ') addDefinition(word, found_.macros);
    }
  }
  return std::move(found_);
}

ConfigureProject configureByAutoconf(const std::string& root, BuildChecks& checks) {
  return ConfigureRun(root, checks).run();
}

}  // namespace heddle
