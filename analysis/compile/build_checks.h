// BuildChecks: what a build's configuration finds out about this system: its headers and functions, and which
// texts compile.
//
// A text of a check is only parsed, by Clang in this process; nothing of the project is run.
//
// Threading: one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace heddle {

class SystemNames;

enum class BuildAnswer : uint8_t { No, Yes, Unknown };

constexpr BuildAnswer buildAnswer(bool is) {
  return is ? BuildAnswer::Yes : BuildAnswer::No;
}

class BuildChecks {
 public:
  /// Nothing: the text does not compile. Else the number of elements of its array `heddle_size`, or 0.
  using Compiles = std::function<std::optional<uint64_t>(const std::string& text)>;
  /// `system` must outlive it. `compiles` may be empty: nothing is known of texts then.
  BuildChecks(const SystemNames& system, Compiles compiles);

  const SystemNames& system() const { return system_; }
  /// Of the C library, also of its parts that older systems had in libraries of their own.
  BuildAnswer hasFunction(const std::string& name) const;
  /// Unknown: too many texts were asked for, it is too long, or it has assembly.
  BuildAnswer compiles(const std::string& text);
  BuildAnswer hasType(const std::string& type, const std::string& includes);
  /// The size of a type that there is, as a number.
  std::string sizeOf(const std::string& type, const std::string& includes);

 private:
  const SystemNames& system_;
  Compiles compiles_;
  std::map<std::string, std::optional<uint64_t>> known_;  // by text
  size_t slow_ = 0;
};

/// "sys/time.h" as "#include <sys/time.h>\n".
std::string includeLine(const std::string& header);

}  // namespace heddle
