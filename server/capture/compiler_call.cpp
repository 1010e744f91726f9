#include "server/capture/compiler_call.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <optional>
#include <string_view>

#include "analysis/compile/command_database.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostOfResponse = size_t{16} << 20;  // bytes of one response file
constexpr int kMostNested = 8;                        // response files that name one another

constexpr std::array<std::string_view, 10> kCompilerNames = {"cc",  "gcc", "clang", "c89", "c99",
                                                             "c11", "tcc", "icc",   "icx", "pcc"};

constexpr std::array<std::string_view, 4> kLaunchers = {"ccache", "sccache", "distcc", "icecc"};

// Options whose value may be a word of its own, which is then no input.
constexpr std::array<std::string_view, 33> kTakeAWord = {
    "-o",          "-x",         "-I",         "-D",       "-U",           "-L",
    "-l",          "-T",         "-u",         "-z",       "-A",           "-e",
    "-B",          "-MF",        "-MT",        "-MQ",      "-include",     "-imacros",
    "-isystem",    "-iquote",    "-idirafter", "-iprefix", "-iwithprefix", "-iwithprefixbefore",
    "-isysroot",   "-imultilib", "-arch",      "-target",  "-Xlinker",     "-Xpreprocessor",
    "-Xassembler", "-Xclang",    "-mllvm"};
constexpr std::array<std::string_view, 7> kTakeAWordLong = {
    "--param", "--sysroot", "-aux-info", "-dumpbase", "-dumpdir", "-dumpbase-ext", "-wrapper"};

// Nothing is compiled with one of these.
constexpr std::array<std::string_view, 6> kCompileNothing = {"-E", "-M", "-MM", "-###", "--version", "-cc1"};

// Lists of headers beside the output, without their values.
constexpr std::array<std::string_view, 4> kListHeaders = {"-MD", "-MMD", "-MP", "-MG"};
constexpr std::array<std::string_view, 3> kNameTheList = {"-MF", "-MT", "-MQ"};

template <size_t N>
bool isOneOf(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string_view lastPart(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// `x86_64-linux-gnu-gcc-12` is `gcc`: a machine may stand before the name, and a version behind it.
bool isNameOfCompiler(std::string_view path) {
  std::string_view name = lastPart(path);
  const size_t dash = name.rfind('-');
  if (dash != std::string_view::npos && dash + 1 < name.size() &&
      std::all_of(name.begin() + static_cast<std::ptrdiff_t>(dash) + 1, name.end(),
                  [](unsigned char c) { return std::isdigit(c) != 0 || c == '.'; }))
    name = name.substr(0, dash);
  const size_t machine = name.rfind('-');
  if (machine != std::string_view::npos) name = name.substr(machine + 1);
  return isOneOf(kCompilerNames, name);
}

/// The place of the compiler in the command, behind what starts it.
std::optional<size_t> compilerIn(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return std::nullopt;
  if (isNameOfCompiler(arguments.front())) return 0;
  if (!isOneOf(kLaunchers, lastPart(arguments.front()))) return std::nullopt;
  for (size_t i = 1; i < arguments.size(); ++i) {
    if (isNameOfCompiler(arguments[i])) return i;
    const bool isSetting = arguments[i].find('=') != std::string::npos;
    if (!isSetting && !isOneOf(kLaunchers, lastPart(arguments[i]))) return std::nullopt;
  }
  return std::nullopt;
}

void expandInto(const std::string& word, const std::string& directory, int nested,
                std::vector<std::string>& out) {
  if (word.size() > 1 && word[0] == '@' && nested < kMostNested) {
    if (const auto text = readRegularFile(absolutePath(word.substr(1), directory), kMostOfResponse)) {
      for (const std::string& inner : responseWords(*text)) expandInto(inner, directory, nested + 1, out);
      return;
    }
  }
  out.push_back(word);
}

/// What the tools that prepare a build compile to see what the system has.
bool isTrial(const fs::path& source, const fs::path& directory) {
  const auto isOfTool = [](const fs::path& part) { return part == "CMakeFiles" || part == "meson-private"; };
  return source.filename().string().starts_with("conftest") ||
         std::any_of(source.begin(), source.end(), isOfTool) ||
         std::any_of(directory.begin(), directory.end(), isOfTool);
}

/// A command, word by word.
struct Reading {
  std::vector<std::string> options;  // the compiler first
  std::vector<std::string> sources;
  std::string output;
  bool compiles = true;
};

/// `value`: the next word, if there is one. Whether that word belongs to the option.
bool readOption(const std::string& word, const std::string* value, std::string& language, Reading& reading) {
  if (isOneOf(kCompileNothing, word)) reading.compiles = false;
  if (isOneOf(kListHeaders, word)) return false;
  const bool takes = value != nullptr && (isOneOf(kTakeAWord, word) || isOneOf(kTakeAWordLong, word));
  if (word.starts_with("-x")) language = word.size() > 2 ? word.substr(2) : takes ? *value : "";
  if (word.starts_with("-o") && !word.starts_with("-obj")) {
    reading.output = word.size() > 2 ? word.substr(2) : takes ? *value : "";
    return takes;
  }
  if (isOneOf(kNameTheList, std::string_view(word).substr(0, 3))) return takes;
  reading.options.push_back(word);
  if (takes) reading.options.push_back(*value);
  return takes;
}

Reading readCall(const std::vector<std::string>& words) {
  Reading reading;
  std::string language;  // of the inputs that follow, as -x says; empty or "none": by their names
  reading.options.push_back(words.front());
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.size() > 1 && word[0] == '-') {
      if (readOption(word, i + 1 < words.size() ? &words[i + 1] : nullptr, language, reading)) ++i;
      continue;
    }
    const bool byName = language.empty() || language == "none";
    const bool isSource = byName ? word.ends_with(".c") : language == "c" && word != "-";
    if (isSource) reading.sources.push_back(word);
  }
  return reading;
}

}  // namespace

bool isCompilerCall(const std::vector<std::string>& arguments) {
  return compilerIn(arguments).has_value();
}

std::vector<CapturedEntry> entriesOf(const std::vector<std::string>& arguments,
                                     const std::string& directory) {
  const std::optional<size_t> compiler = compilerIn(arguments);
  if (!compiler) return {};
  std::vector<std::string> words;
  for (size_t i = *compiler; i < arguments.size(); ++i) expandInto(arguments[i], directory, 0, words);
  const Reading reading = readCall(words);
  std::vector<CapturedEntry> entries;
  if (!reading.compiles) return entries;
  for (const std::string& source : reading.sources) {
    if (isTrial(absolutePath(source, directory), directory)) continue;
    CapturedEntry entry{directory, source, reading.output, reading.options};
    entry.arguments.push_back(source);
    if (std::find(entries.begin(), entries.end(), entry) == entries.end())
      entries.push_back(std::move(entry));
  }
  return entries;
}

std::vector<std::string> responseWords(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool isOpen = false;  // a word has begun
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
      isOpen = true;
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      isOpen = true;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      if (isOpen) words.push_back(std::move(word));
      word.clear();
      isOpen = false;
    } else {
      word += c;
      isOpen = true;
    }
  }
  if (isOpen) words.push_back(std::move(word));
  return words;
}

}  // namespace heddle
