// The extension's own messages (protocol.ts) beside the structs that the server sends.
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <sstream>

#include "tests/tidy/sources.h"

namespace heddle::tidy {
namespace {

/// By member: its type, as the one of the two languages has it.
using Members = std::map<std::string, std::string>;

Members membersIn(const std::string& text, const std::string& head, const std::regex& member, size_t name,
                  size_t type) {
  Members members;
  const size_t begin = text.find(head);
  if (begin == std::string::npos) return members;
  for (const std::string& line : splitLines(text.substr(begin, text.find("\n}", begin) - begin))) {
    std::smatch match;
    if (std::regex_search(line, match, member)) members[match[name]] = match[type];
  }
  return members;
}

std::string typeInScript(const std::string& type) {
  const std::regex list("std::vector<(.*)>"), optional("std::optional<(.*)>"),
      number("u?int(32|64)_t|double|size_t");
  std::smatch match;
  if (std::regex_match(type, match, optional)) return typeInScript(match[1]) + "?";
  if (std::regex_match(type, match, list)) return "list";
  if (type == "std::string" || type == "DocumentUri") return "string";
  if (type == "bool") return "boolean";
  return std::regex_match(type, number) ? "number" : "object";
}

std::string typeOf(const std::string& script) {
  const bool isOptional = script.starts_with('?');
  const std::string type = script.substr(script.find_first_not_of("?: "));
  const bool isList = type.ends_with("[]");
  const bool isPlain = type == "string" || type == "number" || type == "boolean";
  return (isList                                       ? "list"
          : isPlain                                    ? type
          : type == "State" || type == "CoverageState" ? "string"
                                                       : "object") +
         std::string(isOptional ? "?" : "");
}

TEST(Protocol, TheExtensionKnowsTheMessagesThatTheServerSends) {
  const std::map<std::string, std::string> structs = {
      {"Status", "StatusParams"},       {"CoverageBranch", "CoverageBranch"},
      {"Coverage", "Coverage"},         {"Thread", "InterleavingThread"},
      {"Step", "InterleavingStep"},     {"Edge", "InterleavingEdge"},
      {"Bar", "InterleavingBar"},       {"Execution", "InterleavingExecution"},
      {"Interleaving", "Interleaving"},
  };
  const std::string script = readSource("vscode-extension/src/protocol.ts");
  const std::string header = withoutComments(readSource("protocol/heddle_extensions.h"));
  const std::regex inScript(R"(^  (\w+)(\??: .*);)"), inHeader(R"(^  ([\w:<>]+) (\w+)( = [^;]*)?;)");
  for (const auto& [name, structure] : structs) {
    const Members there = membersIn(script, "export interface " + name + " {", inScript, 1, 2);
    const Members here = membersIn(header, "struct " + structure + " {", inHeader, 2, 1);
    EXPECT_FALSE(there.empty()) << name;
    for (const auto& [member, type] : here) {
      const auto found = there.find(member);
      if (found == there.end()) {
        ADD_FAILURE() << "protocol.ts: " << name << " has no " << member;
        continue;
      }
      EXPECT_EQ(typeOf(found->second), typeInScript(type)) << name << '.' << member;
    }
    for (const auto& [member, type] : there)
      EXPECT_TRUE(here.contains(member)) << "protocol.ts: " << name << '.' << member << " is sent by nobody";
  }
}

}  // namespace
}  // namespace heddle::tidy
