#include "analysis/compile/build_checks.h"

#include <chrono>
#include <utility>

#include "analysis/compile/made_header.h"

namespace heddle {
namespace {

constexpr size_t kMostChecks = 400;  // of one project
constexpr size_t kMostCheckText = 20'000;
constexpr size_t kMostSlow = 3;  // checks that take this long, of which there are none in earnest
constexpr std::chrono::seconds kSlow{2};

std::string sizeText(const std::string& type, const std::string& includes) {
  return includes +
         "#include <stddef.h>\n#include <stdint.h>\n#include <sys/types.h>\nchar heddle_size[sizeof(" + type +
         ")];\n";
}

}  // namespace

std::string includeLine(const std::string& header) {
  return header.empty() ? "" : "#include <" + header + ">\n";
}

BuildChecks::BuildChecks(const SystemNames& system, Compiles compiles)
    : system_(system), compiles_(std::move(compiles)) {}

BuildAnswer BuildChecks::hasFunction(const std::string& name) const {
  return buildAnswer(system_.hasFunction(name));
}

BuildAnswer BuildChecks::compiles(const std::string& text) {
  if (!compiles_ || text.size() > kMostCheckText) return BuildAnswer::Unknown;
  const auto known = known_.find(text);
  if (known != known_.end()) return buildAnswer(known->second.has_value());
  // Assembly is not looked at when it is compiled here.
  if (known_.size() >= kMostChecks || slow_ >= kMostSlow || text.find("asm") != std::string::npos)
    return BuildAnswer::Unknown;
  const auto began = std::chrono::steady_clock::now();
  const std::optional<uint64_t> found = compiles_(text);
  if (std::chrono::steady_clock::now() - began > kSlow) ++slow_;
  known_[text] = found;
  return buildAnswer(found.has_value());
}

BuildAnswer BuildChecks::hasType(const std::string& type, const std::string& includes) {
  return compiles(sizeText(type, includes));
}

std::string BuildChecks::sizeOf(const std::string& type, const std::string& includes) {
  if (hasType(type, includes) != BuildAnswer::Yes) return "";
  return std::to_string(known_.at(sizeText(type, includes)).value_or(0));
}

}  // namespace heddle
