#include "analysis/compile/cc1_arguments.h"

#include <filesystem>
#include <initializer_list>
#include <string_view>

#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"

#include "analysis/compile/command_database.h"
#include "analysis/compile/option_filter.h"
#include "analysis/support/installation.h"

namespace heddle {
namespace {

bool isDirectory(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

bool isFile(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

bool endsWith(const std::string& text, std::string_view end) {
  return text.ends_with(end);
}

// Warnings that Clang makes errors by default, though older C compilers accept the code and public
// verification tasks contain it (undeclared `assume`, `__VERIFIER_nondet_int`, missing return types).
constexpr const char* kLenient[] = {"-Wno-error",
                                    "-Wno-error=implicit-function-declaration",
                                    "-Wno-error=implicit-int",
                                    "-Wno-error=int-conversion",
                                    "-Wno-error=incompatible-pointer-types",
                                    "-Wno-error=incompatible-function-pointer-types",
                                    "-Wno-error=return-type",
                                    "-Wno-error=return-mismatch",
                                    "-Wno-unknown-warning-option"};

class Translator {
 public:
  Translator(const std::string& path, const CompileCommand& command, const std::string& resourceDirectory)
      : path_(path),
        command_(command),
        resources_(resourceDirectory),
        triple_(llvm::sys::getDefaultTargetTriple()) {}

  std::vector<std::string> run() {
    // Filtered a second time: the struct is plain data that anyone may fill.
    FilteredOptions filtered = filterOptions(command_.arguments);
    options_ = std::move(filtered.kept);
    for (at_ = 0; at_ < options_.size(); ++at_) translate(options_[at_]);

    std::vector<std::string> result = {"-triple", triple_.normalize()};
    auto add = [&](std::initializer_list<std::string> more) { result.insert(result.end(), more); };
    add({"-main-file-name", std::filesystem::path(path_).filename().string()});
    // Comp dir "/" keeps every file name in the debug information absolute.
    add({"-O0", "-disable-O0-optnone", "-debug-info-kind=standalone", "-dwarf-version=5"});
    add({"-debugger-tuning=gdb", "-fdebug-compilation-dir=/"});
    // What the driver always passes on Linux: without it libc headers and math calls differ.
    add({"-fmath-errno", "-ffp-contract=off", "-fgnuc-version=4.2.1", "-ferror-limit", "100"});
    // The lock of a member may be declared behind it.
    add({"-fexperimental-late-parse-attributes"});
    // Nobody reads what was meant by a name of a header that is missing, and a look for it takes long.
    if (command_.isPartial) add({"-fno-spell-checking"});
    // Texts may say more for a verification than for a build.
    add({"-D", "__HEDDLE__=1"});
    // Old C, and gcc before its version 10; what is linked to one says so (link_units.h).
    if (command_.source.starts_with("inferred")) add({"-fcommon"});
    addCpu(result);
    result.insert(result.end(), frontEnd_.begin(), frontEnd_.end());
    result.insert(result.end(), std::begin(kLenient), std::end(kLenient));
    addSearchPaths(result);
    if (standard_.empty()) standard_ = "-std=gnu17";
    add({standard_, "-x", language(), path_});
    return result;
  }

 private:
  void translate(const std::string& option) {
    auto value = [&] { return at_ + 1 < options_.size() ? options_[++at_] : std::string(); };
    if (option == "-I" || option == "-isystem" || option == "-iquote" || option == "-idirafter") {
      pass({option, absolute(value())});
    } else if (option == "-include" || option == "-imacros") {
      // Clang looks in the working directory first, then along the include path, where a bare name must stay
      // one.
      std::string name = value();
      std::string here = absolute(name);
      pass({option, isFile(here) ? here : name});
    } else if (option == "-D" || option == "-U") {
      pass({option, value()});
    } else if (option == "-isysroot") {
      sysroot_ = absolute(value());
    } else if (option == "-target") {
      setTriple(value());
    } else if (option == "-x") {
      language_ = value();
    } else if (option == "-m32") {
      triple_ = triple_.get32BitArchVariant();
    } else if (option == "-m64") {
      triple_ = triple_.get64BitArchVariant();
    } else if (option == "-nostdinc") {
      standardIncludes_ = false;
    } else if (option == "-ansi") {
      standard_ = "-std=c89";
    } else if (option.starts_with("-std=")) {
      standard_ = option;
    } else if (option.starts_with("-march=")) {
      cpu_ = option.substr(7);
    } else if (option.starts_with("-m")) {
      features_.push_back(option.starts_with("-mno-") ? "-" + option.substr(5) : "+" + option.substr(2));
    } else {
      translateFlag(option);
    }
  }

  void translateFlag(const std::string& option) {
    if (option == "-funsigned-char" || option == "-fno-signed-char") return pass({"-fno-signed-char"});
    if (option == "-trigraphs") return pass({"-ftrigraphs"});
    if (option == "-ffreestanding") return pass({"-ffreestanding", "-fno-builtin"});
    // The front end has these only in one direction; the other is its default (or means nothing at -O0).
    for (std::string_view same : {"-w", "-pedantic", "-pthread", "-undef", "-fshort-enums", "-fgnu89-inline",
                                  "-fno-builtin", "-fcommon", "-fwrapv", "-fms-extensions",
                                  "-fdollars-in-identifiers", "-fno-dollars-in-identifiers"})
      if (option == same) return pass({option});
    if (option == "-fshort-wchar") return pass({"-fwchar-type=short", "-fno-signed-wchar"});
    if (option.starts_with("-fno-builtin-") || option.starts_with("-fpack-struct=") ||
        option.starts_with("-W"))
      pass({option});
  }

  void setTriple(const std::string& text) {
    llvm::Triple triple(llvm::Triple::normalize(text));
    // Others have no C library headers here and no place in the memory model of the interpreter.
    if (triple.isX86() || triple.isAArch64() || triple.isARM() || triple.isRISCV()) triple_ = triple;
  }

  void addCpu(std::vector<std::string>& result) const {
    if (!triple_.isX86()) return;
    bool known = llvm::X86::parseArchX86(cpu_, triple_.isArch64Bit()) != llvm::X86::CK_None;
    result.insert(result.end(), {"-target-cpu", known ? cpu_ : triple_.isArch64Bit() ? "x86-64" : "i686"});
    for (const std::string& feature : features_) result.insert(result.end(), {"-target-feature", feature});
  }

  void addSearchPaths(std::vector<std::string>& result) const {
    if (!resources_.empty()) result.insert(result.end(), {"-resource-dir", resources_});
    result.insert(result.end(), {"-isysroot", sysroot_.empty() ? "/" : sysroot_});
    if (!standardIncludes_) return;
    auto add = [&](const char* kind, const std::string& directory) {
      result.insert(result.end(), {kind, directory});
    };
    if (!resources_.empty()) add("-internal-isystem", resources_ + "/include");
    add("-internal-isystem", sysroot_ + "/usr/local/include");
    std::string multiarch = multiarchDirectory();
    if (!multiarch.empty()) add("-internal-externc-isystem", multiarch);
    add("-internal-externc-isystem", sysroot_ + "/include");
    add("-internal-externc-isystem", sysroot_ + "/usr/include");
  }

  /// Debian keeps headers of an architecture in /usr/include/<triple without vendor>.
  std::string multiarchDirectory() const {
    const std::string base = sysroot_ + "/usr/include/";
    if (triple_.getArch() != llvm::Triple::x86) return base + triple_.getArchName().str() + "-linux-gnu";
    // Without the 32-bit packages the 64-bit headers serve: they ask for the word size where it matters.
    const std::string own = base + "i386-linux-gnu";
    return isDirectory(own) ? own : base + "x86_64-linux-gnu";
  }

  std::string language() const {
    if (!language_.empty()) return language_;
    return endsWith(path_, ".i") ? "cpp-output" : "c";
  }

  std::string absolute(const std::string& path) const { return absolutePath(path, command_.directory); }
  void pass(std::initializer_list<std::string> more) { frontEnd_.insert(frontEnd_.end(), more); }

  const std::string& path_;
  const CompileCommand& command_;
  const std::string& resources_;
  llvm::Triple triple_;
  std::vector<std::string> options_;
  size_t at_ = 0;
  std::vector<std::string> frontEnd_;
  std::vector<std::string> features_;
  std::string cpu_ = "x86-64";
  std::string standard_;
  std::string language_;
  std::string sysroot_;
  bool standardIncludes_ = true;
};

}  // namespace

std::string findResourceDirectory() {
  const std::string own = (programPath().parent_path() / "../lib/heddle/clang").lexically_normal().string();
  for (const std::string& candidate :
       {own, std::string(HEDDLE_CLANG_RESOURCE_DIR), std::string("/usr/lib/llvm-22/lib/clang/22"),
        std::string("/usr/lib/clang/22")})
    if (isDirectory(candidate + "/include")) return candidate;
  return {};
}

std::vector<std::string> cc1Arguments(const std::string& path, const CompileCommand& command,
                                      const std::string& resourceDirectory) {
  return Translator(path, command, resourceDirectory).run();
}

std::vector<std::string> partialArguments(std::vector<std::string> arguments) {
  for (const char* option : {"-Werror=implicit-function-declaration", "-Werror=implicit-int"})
    arguments.emplace_back(option);
  return arguments;
}

}  // namespace heddle
