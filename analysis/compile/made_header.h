// MadeHeader: a header that a project's build makes (config.h), as the build would make it here: from its
// template where there is one, else from the names that the program's texts ask for.
//
// A guess, by the names: HAVE_SYS_TIME_H is whether this system has the header, HAVE_STRNLEN whether its C
// library declares the function, SIZEOF_LONG is that of the 64-bit target, and threads are POSIX threads.
// A name of which nothing is known is not defined.
//
// Threading: objects are immutable after construction.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// What the C library of this system declares, by the words of its headers.
class SystemNames {
 public:
  /// `folders`: where system headers are, such as "/usr/include".
  explicit SystemNames(std::vector<std::string> folders);

  bool hasHeader(const std::string& name) const;
  bool hasFunction(const std::string& name) const { return functions_.contains(name); }
  bool hasStruct(const std::string& name) const { return structs_.contains(name); }
  bool hasWord(const std::string& name) const { return words_.contains(name); }

 private:
  std::vector<std::string> folders_;
  std::set<std::string> functions_, structs_, words_;
};

/// What a build would define `name` as here; nothing: it leaves it undefined.
std::optional<std::string> configuredValue(const std::string& name, const SystemNames& system);

/// By its name it is how many characters a type's numbers have as texts, or the greatest of them.
bool isLimitOfType(const std::string& name);

/// What is known of a template beyond the names in it.
struct HeaderValues {
  using Values = std::map<std::string, std::string>;
  const Values* variables = nullptr;  // of CMake, or of what replaces @NAME@; null: none are known
  const Values* defined = nullptr;    // what the configuration defines, by AC_DEFINE; null: nothing is known
};

/// A template of autoheader (`#undef`), CMake or Meson (`#cmakedefine`, `#mesondefine`), or of a script that
/// replaces @NAME@. `configure`: the text of the script that does so, whose first values are taken where
/// `values` has none; may be empty. What is not known is a word that nothing defines in a directive, and
/// nothing elsewhere.
std::string headerFromTemplate(const std::string& text, const std::string& configure,
                               const SystemNames& system, const HeaderValues& values = {});

/// The names that the template defines or leaves undefined.
std::set<std::string> decidedBy(const std::string& text);

/// The text without definitions of the names: switches of packages that are not there.
std::string withoutDefinitions(const std::string& text, const std::set<std::string>& names);

/// A header that a script of its name prints: it includes what the script names and `isKnown` knows, in that
/// order, and defines what the script defines, as 32 where the script computes it. What else the script
/// prints is not known, for nothing of it is run; kMadeInPart says so then.
std::string headerFromScript(const std::string& script,
                             const std::function<bool(const std::string&)>& isKnown);

/// At the beginning of a header of which more may be missing.
inline constexpr std::string_view kMadeInPart = "/* made in part */\n";

/// A header without a template: the names that are asked for, and the texts that `configure` (configure.ac)
/// defines.
std::string headerFromNames(const std::set<std::string>& asked, const std::string& configure,
                            const SystemNames& system, const HeaderValues& values = {});

/// A switch that turns threads on.
bool isThreadSwitch(std::string_view name);

}  // namespace heddle
