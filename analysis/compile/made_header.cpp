#include "analysis/compile/made_header.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <map>

#include "analysis/compile/command_database.h"
#include "analysis/compile/text_words.h"
#include "analysis/support/word.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostHeaderText = size_t{1} << 20;  // of one header
constexpr size_t kMostHeaders = 600;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Headers of the C library whose words are read, beside all in sys/ and bits/.
constexpr std::array<const char*, 70> kCommon = {
    "stdio.h",   "stdlib.h",    "string.h",     "strings.h",  "unistd.h",    "pthread.h",   "time.h",
    "sched.h",   "signal.h",    "fcntl.h",      "math.h",     "ctype.h",     "locale.h",    "wchar.h",
    "dlfcn.h",   "netdb.h",     "poll.h",       "getopt.h",   "semaphore.h", "pwd.h",       "grp.h",
    "ifaddrs.h", "stdint.h",    "inttypes.h",   "langinfo.h", "malloc.h",    "aio.h",       "argp.h",
    "argz.h",    "arpa/inet.h", "byteswap.h",   "complex.h",  "dirent.h",    "envz.h",      "err.h",
    "errno.h",   "error.h",     "execinfo.h",   "fenv.h",     "fnmatch.h",   "fts.h",       "ftw.h",
    "glob.h",    "gshadow.h",   "iconv.h",      "libgen.h",   "libintl.h",   "mntent.h",    "monetary.h",
    "mqueue.h",  "net/if.h",    "netinet/in.h", "nl_types.h", "obstack.h",   "pty.h",       "regex.h",
    "resolv.h",  "search.h",    "setjmp.h",     "shadow.h",   "spawn.h",     "stdio_ext.h", "syslog.h",
    "termios.h", "threads.h",   "ucontext.h",   "utime.h",    "utmp.h",      "utmpx.h",     "wordexp.h"};

std::string withoutBlockComments(const std::string& text) {
  std::string code;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = std::min(text.find("/*", at), text.size());
    code.append(text, at, begin - at);
    at = begin == text.size() ? begin : std::min(text.find("*/", begin + 2), text.size() - 2) + 2;
  }
  return code;
}

/// "SYS_TIME" as "sys/time", "sys_time" or "sys-time": each way to join the words.
bool hasHeaderOf(const std::string& words, const SystemNames& system) {
  constexpr size_t kMostGaps = 4;
  std::vector<size_t> gaps;
  for (size_t at = words.find('_'); at != std::string::npos; at = words.find('_', at + 1)) gaps.push_back(at);
  if (gaps.size() > kMostGaps) return false;
  const std::string joints = "/_-.";
  size_t ways = 1;
  for (size_t i = 0; i < gaps.size(); ++i) ways *= joints.size();
  for (size_t way = 0; way < ways; ++way) {
    std::string name = lower(words);
    size_t rest = way;
    for (const size_t gap : gaps) {
      name[gap] = joints[rest % joints.size()];
      rest /= joints.size();
    }
    if (system.hasHeader(name + ".h")) return true;
  }
  return false;
}

/// Of a 64-bit Linux.
std::optional<std::string> sizeOf(const std::string& type) {
  static const std::map<std::string, const char*> kSizes = {
      {"CHAR", "1"},      {"SHORT", "2"},     {"INT", "4"},    {"UNSIGNED_INT", "4"},
      {"UNSIGNED", "4"},  {"FLOAT", "4"},     {"DOUBLE", "8"}, {"LONG_DOUBLE", "16"},
      {"WCHAR_T", "4"},   {"SOCKLEN_T", "4"}, {"BOOL", "1"},   {"UNSIGNED_SHORT", "2"},
      {"INT128_T", "16"}, {"__INT128", "16"}};
  if (const auto known = kSizes.find(type); known != kSizes.end()) return known->second;
  for (const auto& [bits, bytes] :
       {std::pair{"8_T", "1"}, std::pair{"16_T", "2"}, std::pair{"32_T", "4"}, std::pair{"64_T", "8"}})
    if (type.ends_with(bits)) return bytes;
  if (type.ends_with("SOCKET_T") || type.ends_with("PID_T") || type.ends_with("UID_T") ||
      type.ends_with("SIG_ATOMIC_T") || type.ends_with("SOCKLEN_T"))
    return "4";
  return "8";  // long, pointers, and the types of sizes, offsets and times
}

/// The argument of a macro call of m4 that begins at `at`, without its brackets; `at` is behind it then.
std::string macroArgument(const std::string& text, size_t& at) {
  std::string argument;
  int depth = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (depth == 0 && (c == ',' || c == ')')) break;
    if (c == '[' || c == '(') ++depth;
    if (c == ']' || c == ')') --depth;
    if (c != '[' && c != ']') argument += c;
  }
  const size_t first = argument.find_first_not_of(" \t\n");
  const size_t last = argument.find_last_not_of(" \t\n");
  return first == std::string::npos ? "" : argument.substr(first, last - first + 1);
}

/// Texts that configure.ac defines, and what it defines in any case.
std::map<std::string, std::string> definedBy(const std::string& configure) {
  std::map<std::string, std::string> defined;
  for (size_t at = configure.find("AC_DEFINE"); at != std::string::npos;
       at = configure.find("AC_DEFINE", at + 1)) {
    const bool isAlways = at == 0 || configure[at - 1] == '\n';
    size_t next = configure.find('(', at);
    if (next == std::string::npos) break;
    ++next;
    const std::string name = macroArgument(configure, next);
    if (next >= configure.size() || configure[next] != ',' || name.empty() ||
        !std::all_of(name.begin(), name.end(), isWordCharacter))
      continue;
    ++next;
    const std::string value = macroArgument(configure, next);
    const bool isText = value.size() >= 2 && value.front() == '"' && value.back() == '"';
    const bool isNumber = !value.empty() && value.find('$') == std::string::npos;
    if (isText || (isAlways && isNumber)) defined.try_emplace(name, value);
  }
  return defined;
}

/// The texts that autoheader puts at the top (AH_TOP) or the end (AH_BOTTOM) of the header.
std::string textsOf(const std::string& macro, const std::string& configure) {
  std::string texts;
  for (size_t at = configure.find(macro + "(["); at != std::string::npos;
       at = configure.find(macro + "([", at + 1)) {
    const size_t line = configure.rfind('\n', at) + 1;  // from 0, where there is none
    const std::string before = configure.substr(line, at - line);
    if (before.find("dnl") != std::string::npos || before.find('#') != std::string::npos) continue;
    const size_t begin = at + macro.size() + 2;
    size_t end = begin;
    for (int depth = 1; end < configure.size(); ++end) {
      if (configure[end] == '[') ++depth;
      if (configure[end] == ']' && --depth == 0) break;
    }
    if (end < configure.size()) texts += configure.substr(begin, end - begin) + "\n";
  }
  return texts;
}

std::string defineLine(const std::string& name, const std::string& value) {
  return "#ifndef " + name + "\n#define " + name + " " + value + "\n#endif\n";
}

}  // namespace

bool isThreadSwitch(std::string_view name) {
  if (name == "_GNU_SOURCE") return true;
  if (name.find("THREAD") == std::string_view::npos) return false;
  constexpr std::array<std::string_view, 8> kOther = {"NO",    "DISABLE", "WITHOUT", "WIN",
                                                      "DEBUG", "SINGLE",  "SANITIZ", "TEST"};
  return std::none_of(kOther.begin(), kOther.end(),
                      [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

SystemNames::SystemNames(std::vector<std::string> folders) : folders_(std::move(folders)) {
  std::set<std::string> files;
  for (const std::string& folder : folders_) {
    for (const char* header : kCommon) files.insert((fs::path(folder) / header).string());
    for (const char* below : {"sys", "bits"}) {
      std::error_code error;
      fs::directory_iterator at(fs::path(folder) / below, error), end;
      for (; !error && at != end && files.size() < kMostHeaders; at.increment(error))
        files.insert(at->path().string());
    }
  }
  for (const std::string& file : files) {
    const auto text = readRegularFile(file, kMostHeaderText);
    if (!text) continue;
    forEachWord(withoutBlockComments(*text),
                [&](const std::string& word, const std::string& last, char next) {
                  words_.insert(word);
                  if (next == '(') functions_.insert(word);
                  if (last == "struct") structs_.insert(word);
                });
  }
}

bool SystemNames::hasHeader(const std::string& name) const {
  return std::any_of(folders_.begin(), folders_.end(), [&](const std::string& folder) {
    std::error_code error;
    return fs::is_regular_file(fs::path(folder) / name, error);
  });
}

/// What scripts that test the types of socket calls define, as POSIX declares these calls.
static std::optional<std::string> socketType(const std::string& name) {
  static const std::map<std::string, std::string> types = {
      {"RECV_TYPE_ARG1", "int"},
      {"RECV_TYPE_ARG2", "void *"},
      {"RECV_TYPE_ARG3", "size_t"},
      {"RECV_TYPE_ARG4", "int"},
      {"RECV_TYPE_RETV", "ssize_t"},
      {"SEND_TYPE_ARG1", "int"},
      {"SEND_TYPE_ARG2", "void *"},
      {"SEND_QUAL_ARG2", "const"},
      {"SEND_TYPE_ARG3", "size_t"},
      {"SEND_TYPE_ARG4", "int"},
      {"SEND_TYPE_RETV", "ssize_t"},
      {"SELECT_TYPE_ARG1", "int"},
      {"SELECT_TYPE_RETV", "int"},
      {"SELECT_TYPE_ARG234", "fd_set *"},
      {"SELECT_QUAL_ARG5", ""},
      {"SELECT_TYPE_ARG5", "struct timeval *"},
      {"GETNAMEINFO_QUAL_ARG1", "const"},
      {"GETNAMEINFO_TYPE_ARG1", "struct sockaddr *"},
      {"GETNAMEINFO_TYPE_ARG2", "socklen_t"},
      {"GETNAMEINFO_TYPE_ARG46", "socklen_t"},
      {"GETNAMEINFO_TYPE_ARG7", "int"},
  };
  const auto known = types.find(name);
  return known == types.end() ? std::nullopt : std::optional(known->second);
}

/// How many arguments a reentrant function of glibc has, where scripts ask for it by
/// "HAVE_GETHOSTBYNAME_R_6".
static bool isArgumentCount(const std::string& what) {
  static const std::set<std::string> counts = {
      "GETHOSTBYNAME_R_6", "GETHOSTBYADDR_R_8", "GETPWUID_R_5", "GETPWNAM_R_5", "GETGRGID_R_5",
      "GETSERVBYNAME_R_6", "GETSERVBYPORT_R_6", "CTIME_R_2",    "ASCTIME_R_2",  "READDIR_R_3"};
  return counts.contains(what);
}

namespace {

/// What a public header says of a type of the system, by the words of its own name for it: CURL_TYPEOF_, and
/// how numbers of it are written. And which headers it needs.
std::optional<std::string> describedType(const std::string& name, const SystemNames& system) {
  const auto behind = [&](const char* word) {
    const size_t at = name.find(word);
    return at == std::string::npos || at == 0 ? std::string() : name.substr(at + std::string(word).size());
  };
  if (const std::string type = behind("_TYPEOF_"); !type.empty()) {
    if (system.hasWord(lower(type))) return lower(type);
    const size_t own = type.find('_');
    const std::string plain = own == std::string::npos ? "" : lower(type.substr(own + 1));
    return system.hasWord(plain) ? std::optional(plain) : std::nullopt;
  }
  const std::string pulled = behind("_PULL_");
  if (pulled.ends_with("_H") && hasHeaderOf(pulled.substr(0, pulled.size() - 2), system)) return "1";
  const bool isFormat = !behind("_FORMAT_").empty(), isSuffix = !behind("_SUFFIX_").empty();
  if (!isFormat && !isSuffix) return std::nullopt;
  // Of a 64-bit Linux, where all of them are as large as long.
  if (name.ends_with("_TU")) return isFormat ? "\"lu\"" : "UL";
  if (!name.ends_with("_T")) return std::nullopt;
  if (isSuffix) return "L";
  return name.find("_FORMAT_OFF_T") != std::string::npos ? "\"%ld\"" : "\"ld\"";
}

/// What a configuration finds by running a program: powers of two of this system's pages and addresses.
std::optional<std::string> measured(const std::string& name) {
  static const std::map<std::string, std::string> kPowers = {{"LG_PAGE", "12"},
                                                             {"PAGE_SHIFT", "12"},
                                                             {"STATIC_PAGE_SHIFT", "12"},
                                                             {"LG_HUGEPAGE", "21"},
                                                             {"LG_VADDR", "48"}};
  const auto known = kPowers.find(name);
  return known == kPowers.end() ? std::nullopt : std::optional(known->second);
}

// What configure finds by compiling it: built-in functions and atomics, which GCC and Clang have. TLS alone,
// as the letters in other names are those of encrypted connections; SYNC only with an operation (os_sync_wait
// is another's).
bool isCompilerFeature(const std::string& name) {
  for (const char* other : {"WIN", "MSVC", "SUN", "SOLARIS", "MACOS"})
    if (name.find(other) != std::string::npos) return false;
  if (name == "HAVE_TLS") return true;
  for (const char* own : {"BUILTIN", "GCC_ATOMIC", "C11_ATOMIC", "STDATOMIC", "_SYNC_FETCH_", "_SYNC_ADD_",
                          "_SYNC_SUB_", "_SYNC_BOOL_", "_SYNC_VAL_", "_SYNC_COMPARE_", "_SYNC_LOCK_",
                          "_SYNC_SYNCHRONIZE", "_SYNC_ATOMIC", "_SYNC_OP"})
    if (name.find(own) != std::string::npos) return true;
  return false;
}

}  // namespace

bool isLimitOfType(const std::string& name) {
  return name.ends_with("_T_LEN") || (name.ends_with("_T_VALUE") && name.find("_MAX_") != std::string::npos);
}

std::optional<std::string> configuredValue(const std::string& name, const SystemNames& system) {
  const auto yes = [](bool is) { return is ? std::optional<std::string>("1") : std::nullopt; };
  if (name == "STDC_HEADERS" || name == "_GNU_SOURCE" || name == "_ALL_SOURCE") return "1";
  if (name.starts_with("SIZEOF_")) return sizeOf(name.substr(7));
  if (name == "VERSION" || name == "PACKAGE" || name.starts_with("PACKAGE_")) return "\"0\"";
  if (name.starts_with("HAVE_DECL_")) {
    const std::string what = name.substr(10);
    return system.hasFunction(lower(what)) || system.hasWord(what) ? "1" : "0";
  }
  // "NGX_OFF_T_SIZE"
  constexpr std::string_view kSize = "_SIZE";
  if (name.ends_with("_T_SIZE") || name.ends_with("_PTR_SIZE"))
    return sizeOf(name.substr(0, name.size() - kSize.size()));
  // "NGX_OFF_T_LEN": of its numbers as texts; "NGX_MAX_OFF_T_VALUE". All are 64 bits long.
  if (isLimitOfType(name))
    return name.ends_with("_T_LEN") ? "(sizeof(\"-9223372036854775808\") - 1)" : "9223372036854775807LL";
  if (const auto type = socketType(name)) return type;
  if (const auto power = measured(name)) return power;
  if (const auto described = describedType(name, system)) return described;
  if (!name.starts_with("HAVE_")) {
    // A project's own prefix.
    for (const char* own : {"_HAVE_", "_SIZEOF_"})
      if (const size_t at = name.find(own); at != std::string::npos)
        return configuredValue(name.substr(at + 1), system);
    const bool isPosix = name.find("POSIX") != std::string::npos || name.find("PTHREAD") != std::string::npos;
    return yes((isPosix && isThreadSwitch(name)) || name.ends_with("_LINUX"));
  }
  if (isCompilerFeature(name)) return "1";
  const std::string what = name.substr(5);
  if (what.ends_with("_H")) return yes(hasHeaderOf(what.substr(0, what.size() - 2), system));
  if (isArgumentCount(what)) return "1";
  if (what == "BOOL_T" || what == "_BOOL") return "1";
  if (what == "PTHREAD" || what == "PTHREADS" || what == "LIBPTHREAD" || what == "THREADS_POSIX") return "1";
  if (system.hasFunction(lower(what)) || system.hasFunction(what)) return "1";
  if (what.starts_with("STRUCT_")) return yes(system.hasStruct(lower(what.substr(7))));
  if (what.ends_with("_T")) {
    if (system.hasWord(lower(what))) return "1";
    for (size_t at = what.find('_'); at + 2 < what.size(); at = what.find('_', at + 1))
      if (system.hasWord(lower(what.substr(at + 1)))) return "1";
    return std::nullopt;
  }
  if (what.starts_with("GLIBC_")) return yes(system.hasFunction(lower(what.substr(6))));
  // HAVE_EPOLL: a part of the system with a header of its own.
  if (system.hasHeader("sys/" + lower(what) + ".h")) return "1";
  // HAVE_FCNTL_O_NONBLOCK: a function and one of its constants.
  for (size_t at = what.find('_'); at != std::string::npos; at = what.find('_', at + 1))
    if (system.hasFunction(lower(what.substr(0, at))) && system.hasWord(what.substr(at + 1))) return "1";
  return std::nullopt;
}

std::string headerFromNames(const std::set<std::string>& asked, const std::string& configure,
                            const SystemNames& system, const HeaderValues& values) {
  const std::string top = textsOf("AH_TOP", configure), bottom = textsOf("AH_BOTTOM", configure);
  std::string made = top;
  std::set<std::string> names = asked;
  // What these texts ask for counts as well.
  forEachWord(top + bottom, [&](const std::string& word, const std::string&, char) { names.insert(word); });
  for (const char* name : {"PACKAGE", "PACKAGE_NAME", "PACKAGE_STRING", "PACKAGE_VERSION", "PACKAGE_TARNAME",
                           "PACKAGE_BUGREPORT", "PACKAGE_URL", "VERSION"})
    names.insert(name);
  std::map<std::string, std::string> defined;
  if (values.defined) defined = *values.defined;
  defined.merge(definedBy(configure));
  for (const auto& [name, value] : defined) made += defineLine(name, value);
  for (const std::string& name : names) {
    if (defined.contains(name)) continue;
    // Sizes count where they are asked for; configure looks for them by name.
    if (const auto value = configuredValue(name, system)) made += defineLine(name, *value);
  }
  return made + bottom;
}

}  // namespace heddle
