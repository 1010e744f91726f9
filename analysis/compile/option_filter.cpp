#include "analysis/compile/option_filter.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string_view>

namespace heddle {
namespace {

using std::string_view_literals::operator""sv;

// Allowed, with a value that may be joined or separate.
constexpr std::array kWithValue = {"-isystem"sv, "-iquote"sv, "-idirafter"sv, "-isysroot"sv, "-include"sv,
                                   "-imacros"sv, "-I"sv,      "-D"sv,         "-U"sv};

constexpr std::array kPlain = {"-w"sv,
                               "-ansi"sv,
                               "-pedantic"sv,
                               "-pthread"sv,
                               "-trigraphs"sv,
                               "-undef"sv,
                               "-nostdinc"sv,
                               "-m32"sv,
                               "-m64"sv,
                               "-fsigned-char"sv,
                               "-fno-signed-char"sv,
                               "-funsigned-char"sv,
                               "-fno-unsigned-char"sv,
                               "-fshort-enums"sv,
                               "-fno-short-enums"sv,
                               "-fshort-wchar"sv,
                               "-fno-short-wchar"sv,
                               "-fgnu89-inline"sv,
                               "-fno-gnu89-inline"sv,
                               "-ffreestanding"sv,
                               "-fhosted"sv,
                               "-fbuiltin"sv,
                               "-fno-builtin"sv,
                               "-fcommon"sv,
                               "-fno-common"sv,
                               "-fwrapv"sv,
                               "-fno-wrapv"sv,
                               "-fstrict-aliasing"sv,
                               "-fno-strict-aliasing"sv,
                               "-fms-extensions"sv,
                               "-fno-ms-extensions"sv,
                               "-fdollars-in-identifiers"sv,
                               "-fno-dollars-in-identifiers"sv};

// C standards that Clang 22 knows; another one would only make every compile fail.
constexpr std::array kStandards = {"c89"sv,   "c90"sv,   "c99"sv,   "c9x"sv,   "c11"sv,   "c1x"sv,
                                   "c17"sv,   "c18"sv,   "c23"sv,   "c2x"sv,   "c2y"sv,   "gnu89"sv,
                                   "gnu90"sv, "gnu99"sv, "gnu9x"sv, "gnu11"sv, "gnu1x"sv, "gnu17"sv,
                                   "gnu18"sv, "gnu23"sv, "gnu2x"sv, "gnu2y"sv};

// x86 features as Clang's -target-feature names them.
constexpr std::array kFeatures = {"mmx"sv, "sse"sv,  "sse2"sv,    "sse3"sv,   "ssse3"sv, "sse4"sv, "sse4.1"sv,
                                  "avx"sv, "avx2"sv, "avx512f"sv, "sse4.2"sv, "bmi"sv,   "bmi2"sv, "lzcnt"sv,
                                  "fma"sv, "aes"sv,  "pclmul"sv,  "popcnt"sv, "rdrnd"sv, "cx16"sv, "f16c"sv};

// Never allowed, but known to take the next argument with them, so that a value is not read as an option of
// its own.
constexpr std::array kDroppedWithValue = {"-o"sv,
                                          "-MF"sv,
                                          "-MT"sv,
                                          "-MQ"sv,
                                          "-MJ"sv,
                                          "-L"sv,
                                          "-l"sv,
                                          "-T"sv,
                                          "-u"sv,
                                          "-z"sv,
                                          "-B"sv,
                                          "-A"sv,
                                          "-e"sv,
                                          "-G"sv,
                                          "-Xclang"sv,
                                          "-Xlinker"sv,
                                          "-Xassembler"sv,
                                          "-Xpreprocessor"sv,
                                          "-Xanalyzer"sv,
                                          "-mllvm"sv,
                                          "-load"sv,
                                          "-plugin"sv,
                                          "-add-plugin"sv,
                                          "-specs"sv,
                                          "--specs"sv,
                                          "-wrapper"sv,
                                          "-arch"sv,
                                          "-framework"sv,
                                          "-iframework"sv,
                                          "-iprefix"sv,
                                          "-iwithprefix"sv,
                                          "-iwithprefixbefore"sv,
                                          "-imultilib"sv,
                                          "-include-pch"sv,
                                          "-ivfsoverlay"sv,
                                          "-resource-dir"sv,
                                          "-gcc-toolchain"sv,
                                          "-working-directory"sv,
                                          "-serialize-diagnostics"sv,
                                          "--serialize-diagnostics"sv,
                                          "-index-store-path"sv,
                                          "-dumpbase"sv,
                                          "-dumpdir"sv,
                                          "-aux-info"sv,
                                          "--param"sv,
                                          "--config"sv,
                                          "-dependency-file"sv};

template <size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool isWarningOption(std::string_view option) {
  // A comma hands the rest to another tool (-Wp,-MD,file).
  return option.starts_with("-W") && std::all_of(option.begin() + 2, option.end(), [](unsigned char c) {
           return std::isalnum(c) || c == '-' || c == '+' || c == '=' || c == '_';
         });
}

bool isWord(std::string_view text) {
  return !text.empty() && text.size() < 64 && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '-' || c == '_' || c == '.';
  });
}

bool isMachineOption(std::string_view option) {
  if (option.starts_with("-march=")) return isWord(option.substr(7)) && option.substr(7) != "native";
  if (!option.starts_with("-m")) return false;
  std::string_view feature = option.substr(2);
  if (feature.starts_with("no-")) feature.remove_prefix(3);
  return contains(kFeatures, feature);
}

bool isAllowedAlone(std::string_view option) {
  if (contains(kPlain, option) || isWarningOption(option) || isMachineOption(option)) return true;
  if (option.starts_with("-fno-builtin-")) return isWord(option.substr(13));
  if (option.starts_with("-fpack-struct="))
    return option.size() == 15 && std::isdigit(static_cast<unsigned char>(option[14])) != 0;
  if (option.starts_with("-std=")) {
    std::string_view standard = option.substr(5);
    return contains(kStandards, standard) || (standard.starts_with("iso9899:") && isWord(standard.substr(8)));
  }
  return false;
}

class Filter {
 public:
  explicit Filter(const std::vector<std::string>& options) : options_(options) {}

  FilteredOptions run() {
    for (; at_ < options_.size(); ++at_) take(options_[at_]);
    return std::move(result_);
  }

 private:
  void take(const std::string& option) {
    if (option.size() < 2 || option[0] != '-' || onlyInputs_) return drop(option);
    if (option == "--") return onlyInputs_ = true, drop(option);
    if (isAllowedAlone(option)) return result_.kept.push_back(option);
    if (takeTarget(option) || takeLanguage(option)) return;
    if (contains(kDroppedWithValue, option)) return dropWithValue(option);
    // "-include-pch x" and the like begin as an allowed option does; they are dropped above by their own
    // name.
    for (std::string_view name : kWithValue) {
      if (option == name) return takeSeparate(name);
      if (option.starts_with(name)) return takeJoined(name, option);
    }
    if (option == "-sysroot" || option == "--sysroot") return takeSeparate("-isysroot");
    if (option.starts_with("--sysroot=")) return keep("-isysroot", option.substr(10));
    drop(option);
  }

  void takeJoined(std::string_view name, const std::string& option) {
    std::string value = option.substr(name.size());
    if (value.starts_with('=') && name != "-D") value.erase(0, 1);
    keep(name, value);
  }

  bool takeTarget(const std::string& option) {
    if (option.starts_with("--target=")) return keep("-target", option.substr(9)), true;
    if (option != "-target" && option != "--target") return false;
    takeSeparate("-target");
    return true;
  }

  bool takeLanguage(const std::string& option) {
    if (!option.starts_with("-x") || option.starts_with("-xe")) return false;
    bool joined = option.size() > 2;
    if (!joined && at_ + 1 >= options_.size()) return drop(option), true;
    std::string language = joined ? option.substr(2) : options_[++at_];
    if (language == "c" || language == "cpp-output") {
      keep("-x", language);
    } else {
      drop("-x " + language);
    }
    return true;
  }

  void takeSeparate(std::string_view name) {
    if (at_ + 1 >= options_.size()) return drop(options_[at_]);
    keep(name, options_[++at_]);
  }

  void keep(std::string_view name, const std::string& value) {
    // An empty or response-file-like value means nothing to the front end; a NUL would cut a path short.
    if (value.empty() || value[0] == '@' || value.find('\0') != std::string::npos)
      return drop(std::string(name) + " " + value);
    result_.kept.emplace_back(name);
    result_.kept.push_back(value);
  }

  void drop(std::string option) { result_.dropped.push_back(std::move(option)); }

  void dropWithValue(const std::string& option) {
    if (at_ + 1 >= options_.size()) return drop(option);
    drop(option + " " + options_[++at_]);
  }

  const std::vector<std::string>& options_;
  size_t at_ = 0;
  bool onlyInputs_ = false;
  FilteredOptions result_;
};

}  // namespace

FilteredOptions filterOptions(const std::vector<std::string>& options) {
  return Filter(options).run();
}

}  // namespace heddle
