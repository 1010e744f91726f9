#include "server/svcomp/specification.h"

#include <algorithm>
#include <array>
#include <regex>
#include <utility>
#include <vector>

namespace heddle::svcomp {
namespace {

struct Row {
  Specification specification;
  const char* name;
  std::set<std::string> formulas;  // of the CHECKs, without blanks
};

const std::array<Row, 5>& rows() {
  static const std::array<Row, 5> all = {{
      {Specification::UnreachCall, "unreach-call", {"G!call(reach_error())"}},
      {Specification::NoDataRace, "no-data-race", {"G!data-race"}},
      {Specification::MemSafety, "valid-memsafety", {"Gvalid-free", "Gvalid-deref", "Gvalid-memtrack"}},
      {Specification::MemCleanup, "valid-memcleanup", {"Gvalid-memcleanup"}},
      {Specification::NoOverflow, "no-overflow", {"G!overflow"}},
  }};
  return all;
}

std::string withoutBlanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
  return text;
}

}  // namespace

const char* toString(Specification specification) {
  for (const Row& row : rows())
    if (row.specification == specification) return row.name;
  return "";
}

std::set<Property> propertiesOf(Specification specification) {
  switch (specification) {
    case Specification::UnreachCall:
      return {Property::Assert};
    case Specification::NoDataRace:
      return {Property::Race, Property::Volatile};
    case Specification::MemSafety:
    case Specification::MemCleanup:
      return {Property::Memory};
    case Specification::NoOverflow:
      return {Property::Overflow};
  }
  return {};
}

std::string checksIn(std::string_view text) {
  const std::string all(text);
  static const std::regex check(R"(CHECK\s*\([^\n]*\))");
  std::string checks;
  for (std::sregex_iterator at(all.begin(), all.end(), check), end; at != end; ++at)
    checks += (checks.empty() ? "" : " ") + at->str();
  return checks;
}

std::optional<Specification> parseSpecification(std::string_view text, std::string& problem) {
  const std::string all(text);
  static const std::regex check(
      R"(CHECK\s*\(\s*init\s*\(\s*main\s*\(\s*\)\s*\)\s*,\s*LTL\s*\(([^\n]*)\)\s*\))");
  std::set<std::string> formulas;
  for (std::sregex_iterator at(all.begin(), all.end(), check), end; at != end; ++at)
    formulas.insert(withoutBlanks((*at)[1].str()));
  for (const Row& row : rows())
    if (row.formulas == formulas) return row.specification;
  std::string names;
  for (const Row& row : rows()) names += (names.empty() ? "" : ", ") + std::string(row.name);
  problem = formulas.empty()
                ? "no line 'CHECK( init(main()), LTL(…) )' in it; give a property file of SV-COMP"
                : "asks for a property that is not decided here; known are " + names;
  return std::nullopt;
}

}  // namespace heddle::svcomp
