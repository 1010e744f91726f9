// The commands of CMake that set variables and change texts.
#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>

#include "analysis/compile/cmake_run.h"
#include "analysis/compile/made_header.h"
#include "analysis/support/word.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

std::string joined(const std::vector<CMakeArgument>& arguments, size_t begin, size_t end,
                   const char* between) {
  std::string text;
  for (size_t i = begin; i < end; ++i) text += (i == begin ? "" : between) + arguments[i].text;
  return text;
}

bool isName(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), isWordCharacter);
}

std::string replacedAll(std::string text, const std::string& from, const std::string& to) {
  constexpr size_t kMost = 100'000;
  if (from.empty()) return text;
  for (size_t at = text.find(from); at != std::string::npos && text.size() < kMost;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// For a regular expression that is one class of single characters, such as "[./-]"; nothing: it is another.
std::optional<std::string> classReplaced(std::string text, const std::string& pattern,
                                         const std::string& to) {
  if (pattern.size() < 3 || pattern[0] != '[' || pattern.find(']') != pattern.size() - 1) return std::nullopt;
  const std::string inside = pattern.substr(1, pattern.size() - 2);
  const bool isOther = inside[0] == '^';
  std::array<bool, 256> isIn{};
  for (size_t i = isOther ? 1 : 0; i < inside.size(); ++i) {
    const bool isRange = i + 2 < inside.size() && inside[i + 1] == '-';
    const unsigned first = static_cast<unsigned char>(inside[i]);
    const unsigned last = isRange ? static_cast<unsigned char>(inside[i + 2]) : first;
    for (unsigned c = first; c <= last; ++c) isIn[c] = true;
    if (isRange) i += 2;
  }
  if (to.find('\\') != std::string::npos) return std::nullopt;
  std::string replaced;
  for (const char c : text) {
    if (isIn[static_cast<unsigned char>(c)] != isOther)
      replaced += to;
    else
      replaced += c;
  }
  return replaced;
}

std::string stripped(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

}  // namespace

bool CMakeRun::setVariables(const std::string& name, const Arguments& arguments) {
  const size_t count = arguments.size();
  if (name == "set") {
    if (count == 0 || !isKnownValue(arguments[0].text)) return true;
    size_t end = count;
    bool isCached = false;
    for (size_t i = 1; i < count && !isCached; ++i)
      if (arguments[i].text == "CACHE" && arguments[i].kind == CMakeArgument::Kind::Bare)
        isCached = true, end = i;
    if (isCached) options_.insert(arguments[0].text);
    const bool isOutside = end > 1 && arguments[end - 1].text == "PARENT_SCOPE";
    if (isOutside) --end;
    const std::string value = unknown_ > 0 ? std::string(1, kUnknownValue) : joined(arguments, 1, end, ";");
    if (isCached && arguments.back().text == "FORCE")
      variables_.set(arguments[0].text, value);
    else if (isCached)
      variables_.setCached(arguments[0].text, value);
    else if (isOutside)
      variables_.setOutside(arguments[0].text, value);
    else if (end <= 1 && unknown_ == 0)
      variables_.unset(arguments[0].text);
    else
      variables_.set(arguments[0].text, value);
  } else if (name == "unset") {
    if (count > 0 && unknown_ == 0) variables_.unset(arguments[0].text);
    if (count > 0 && unknown_ > 0) forget(arguments[0].text);
  } else if (name == "option") {
    const std::string value = count > 2 ? arguments[2].text : "OFF";
    if (count > 0) options_.insert(arguments[0].text);
    if (count > 0)
      variables_.setCached(arguments[0].text, unknown_ > 0 ? std::string(1, kUnknownValue) : value);
  } else if (name == "cmake_dependent_option") {
    if (count < 5) return true;
    BuildAnswer all = BuildAnswer::Yes;
    for (const std::string& condition : listOf(arguments[3].text)) {
      // "A AND NOT B": the words of one condition.
      std::vector<CMakeArgument> words;
      for (std::string& word : listOf(replacedAll(condition, " ", ";"))) words.push_back({std::move(word)});
      const BuildAnswer one = variables_.decide(words);
      if (all != BuildAnswer::No && one != BuildAnswer::Yes) all = one;
    }
    const std::string value = all == BuildAnswer::Yes ? arguments[2].text : arguments[4].text;
    const bool isKnown =
        (all != BuildAnswer::Unknown || arguments[2].text == arguments[4].text) && unknown_ == 0;
    variables_.setCached(arguments[0].text, isKnown ? value : std::string(1, kUnknownValue));
  } else if (name == "project") {
    if (count == 0 || unknown_ > 0) return true;
    const std::string& project = arguments[0].text;
    variables_.set("PROJECT_NAME", project);
    if (!variables_.find("CMAKE_PROJECT_NAME")) variables_.setCached("CMAKE_PROJECT_NAME", project);
    variables_.set("PROJECT_SOURCE_DIR", folder_);
    variables_.set(project + "_SOURCE_DIR", folder_);
    variables_.set(project + "_BINARY_DIR", root_ + "/build");
    for (size_t i = 1; i + 1 < count; ++i) {
      if (arguments[i].text != "VERSION") continue;
      const std::string version = arguments[i + 1].text;
      const std::vector<std::string> parts = listOf(replacedAll(version, ".", ";"));
      constexpr std::array<const char*, 4> kParts = {"_MAJOR", "_MINOR", "_PATCH", "_TWEAK"};
      for (const std::string& prefix : {std::string("PROJECT"), project, std::string("CMAKE_PROJECT")}) {
        variables_.set(prefix + "_VERSION", version);
        for (size_t part = 0; part < kParts.size(); ++part)
          variables_.set(prefix + "_VERSION" + kParts[part], part < parts.size() ? parts[part] : "");
      }
    }
  } else if (name == "find_package") {
    const bool isRequired =
        std::any_of(arguments.begin(), arguments.end(),
                    [](const CMakeArgument& argument) { return argument.text == "REQUIRED"; });
    if (count > 0) setPackage(arguments[0].text, isRequired);
  } else if (name == "pkg_check_modules" || name == "pkg_search_module") {
    if (count > 0) forget(arguments[0].text + "_FOUND");
  } else if (name == "cmake_parse_arguments") {
    parseArguments(arguments);
  } else if (name == "find_library" || name == "find_path" || name == "find_program" || name == "find_file" ||
             name == "try_compile" || name == "try_run" || name == "get_property" ||
             name == "get_target_property" || name == "get_directory_property" ||
             name == "get_source_file_property" || name == "separate_arguments" || name == "math") {
    for (size_t i = 0; i < std::min<size_t>(count, 2); ++i)
      if (isName(arguments[i].text)) forget(arguments[i].text);
  } else if (name == "execute_process") {
    for (size_t i = 0; i + 1 < count; ++i)
      if (arguments[i].text.ends_with("_VARIABLE")) forget(arguments[i + 1].text);
  } else {
    return false;
  }
  return true;
}

/// A header that the package brings to a system; null: it is not known.
static const char* headerOfPackage(const std::string& name) {
  static const std::map<std::string, const char*> kHeaders = {{"openssl", "openssl/ssl.h"},
                                                              {"mbedtls", "mbedtls/ssl.h"},
                                                              {"zlib", "zlib.h"},
                                                              {"bzip2", "bzlib.h"},
                                                              {"liblzma", "lzma.h"},
                                                              {"zstd", "zstd.h"},
                                                              {"brotli", "brotli/decode.h"},
                                                              {"curl", "curl/curl.h"},
                                                              {"libssh2", "libssh2.h"},
                                                              {"libssh", "libssh/libssh.h"},
                                                              {"libpsl", "libpsl.h"},
                                                              {"libidn2", "idn2.h"},
                                                              {"cares", "ares.h"},
                                                              {"nghttp2", "nghttp2/nghttp2.h"},
                                                              {"sqlite3", "sqlite3.h"},
                                                              {"libxml2", "libxml2/libxml/parser.h"},
                                                              {"cjson", "cjson/cJSON.h"},
                                                              {"gssapi", "gssapi/gssapi.h"},
                                                              {"libuv", "uv.h"},
                                                              {"libevent", "event2/event.h"},
                                                              {"wolfssl", "wolfssl/ssl.h"},
                                                              {"gnutls", "gnutls/gnutls.h"},
                                                              {"libwebsockets", "libwebsockets.h"},
                                                              {"cunit", "CUnit/CUnit.h"},
                                                              {"pcre", "pcre.h"},
                                                              {"pcre2", "pcre2.h"},
                                                              {"curses", "curses.h"}};
  const auto known = kHeaders.find(name);
  return known == kHeaders.end() ? nullptr : known->second;
}

void CMakeRun::setPackage(const std::string& name, bool isRequired) {
  if (lowerCase(name) != "threads") {
    const char* const header = headerOfPackage(lowerCase(name));
    const bool isThere = header && checks_.system().hasHeader(header);
    for (const std::string& variable : std::set{name + "_FOUND", upperCase(name) + "_FOUND"}) {
      if (header)
        set(variable, isThere ? "TRUE" : "FALSE");
      else
        forget(variable);
    }
    if (header && !isThere && isRequired) fail();
    return;
  }
  for (const char* variable : {"Threads_FOUND", "THREADS_FOUND", "CMAKE_USE_PTHREADS_INIT",
                               "CMAKE_HAVE_PTHREAD_H", "CMAKE_HAVE_LIBC_PTHREAD"})
    set(variable, "1");
  set("CMAKE_THREAD_LIBS_INIT", "-lpthread");
}

void CMakeRun::parseArguments(const Arguments& arguments) {
  if (arguments.size() < 4 || arguments[0].text == "PARSE_ARGV") return;
  const std::string prefix = arguments[0].text + "_";
  const std::vector<std::string> options = listOf(arguments[1].text), ones = listOf(arguments[2].text),
                                 many = listOf(arguments[3].text);
  const auto isIn = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::map<std::string, std::string> values;
  for (const std::string& option : options) values[option] = "FALSE";
  for (const std::vector<std::string>& names : {ones, many})
    for (const std::string& name : names) variables_.unset(prefix + name);
  std::string current = "UNPARSED_ARGUMENTS";
  for (size_t i = 4; i < arguments.size(); ++i) {
    const std::string& word = arguments[i].text;
    if (isIn(options, word)) {
      values[word] = "TRUE";
    } else if (isIn(ones, word) || isIn(many, word)) {
      current = word;
      values[current];
    } else {
      std::string& value = values[current];
      value += (value.empty() ? "" : ";") + word;
      if (isIn(ones, current)) current = "UNPARSED_ARGUMENTS";
    }
  }
  for (const auto& [name, value] : values) set(prefix + name, value);
}

void CMakeRun::glob(const Arguments& arguments, bool isDeep) {
  std::string patterns;
  for (size_t i = 2; i < arguments.size(); ++i) {
    const std::string& word = arguments[i].text;
    if (word == "CONFIGURE_DEPENDS" || word == "LIST_DIRECTORIES" || word == "true" || word == "false" ||
        word == "FOLLOW_SYMLINKS")
      continue;
    if (word == "RELATIVE") {
      ++i;  // a pattern stays absolute
      continue;
    }
    std::string pattern = absolute(word);
    if (const size_t name = pattern.rfind('/'); isDeep && name != std::string::npos)
      pattern.insert(name + 1, "**");
    patterns += (patterns.empty() ? "" : ";") + pattern;
  }
  set(arguments[1].text, patterns);
}

bool CMakeRun::changeText(const std::string& name, const Arguments& arguments) {
  const size_t count = arguments.size();
  const auto forgetNames = [&](size_t begin) {
    for (size_t i = begin; i < count; ++i)
      if (isName(arguments[i].text)) forget(arguments[i].text);
  };
  if (name == "file" && count > 1 && arguments[0].text.starts_with("GLOB")) {
    glob(arguments, arguments[0].text == "GLOB_RECURSE");
  } else if (name == "file") {
    if (count > 0 && (arguments[0].text == "READ" || arguments[0].text == "STRINGS")) {
      if (count > 2) forget(arguments[2].text);
    } else if (count > 1 && (arguments[0].text == "RELATIVE_PATH" || arguments[0].text == "TO_CMAKE_PATH")) {
      forgetNames(1);
    }
  } else if (name == "aux_source_directory") {
    if (count > 1) set(arguments[1].text, absolute(arguments[0].text) + "/*.c");
  } else if (name == "list" && count > 1) {
    const std::string& what = arguments[0].text;
    const std::string& list = arguments[1].text;
    const std::string old = valueOf(list), added = joined(arguments, 2, count, ";");
    const std::string between = old.empty() || added.empty() ? "" : ";";
    if (what == "APPEND") {
      set(list, old + between + added);
    } else if (what == "PREPEND") {
      set(list, added + between + old);
    } else if (what == "LENGTH" && count > 2) {
      if (isKnownValue(old))
        set(arguments[2].text, std::to_string(listOf(old).size()));
      else
        forget(arguments[2].text);
    } else if (what == "REMOVE_ITEM") {
      std::string kept;
      for (const std::string& item : listOf(old)) {
        const bool isRemoved = std::any_of(arguments.begin() + 2, arguments.end(),
                                           [&](const CMakeArgument& one) { return one.text == item; });
        if (!isRemoved) kept += (kept.empty() ? "" : ";") + item;
      }
      set(list, kept);
    } else if (what != "SORT" && what != "REMOVE_DUPLICATES" && what != "REVERSE") {
      forgetNames(what == "FIND" || what == "GET" || what == "JOIN" || what == "SUBLIST" ? 2 : 1);
    }
  } else if (name == "string" && count > 1) {
    const std::string& what = arguments[0].text;
    if ((what == "TOUPPER" || what == "TOLOWER" || what == "STRIP") && count > 2) {
      const std::string& text = arguments[1].text;
      set(arguments[2].text, what == "TOUPPER"   ? upperCase(text)
                             : what == "TOLOWER" ? lowerCase(text)
                                                 : stripped(text));
    } else if (what == "REPLACE" && count > 4) {
      set(arguments[3].text,
          replacedAll(joined(arguments, 4, count, ""), arguments[1].text, arguments[2].text));
    } else if (what == "REGEX" && arguments[1].text == "REPLACE" && count > 5) {
      const std::string text = joined(arguments, 5, count, "");
      const auto replaced = classReplaced(text, arguments[2].text, arguments[3].text);
      set(arguments[4].text, replaced && isKnownValue(text) ? *replaced : std::string(1, kUnknownValue));
    } else if (what == "APPEND") {
      set(arguments[1].text, valueOf(arguments[1].text) + joined(arguments, 2, count, ""));
    } else if (what == "CONCAT") {
      set(arguments[1].text, joined(arguments, 2, count, ""));
    } else {
      forgetNames(1);
    }
  } else if (name == "get_filename_component" && count > 2) {
    const fs::path path(arguments[1].text);
    const std::string& part = arguments[2].text;
    if (!isKnownValue(arguments[1].text))
      forget(arguments[0].text);
    else if (part == "ABSOLUTE" || part == "REALPATH")
      set(arguments[0].text, absolute(arguments[1].text));
    else if (part == "DIRECTORY" || part == "PATH")
      set(arguments[0].text, path.parent_path().string());
    else if (part == "NAME")
      set(arguments[0].text, path.filename().string());
    else if (part == "NAME_WE" || part == "NAME_WLE")
      set(arguments[0].text, path.stem().string());
    else
      forget(arguments[0].text);
  } else {
    return false;
  }
  return true;
}

}  // namespace heddle
