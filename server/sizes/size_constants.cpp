#include "server/sizes/size_constants.h"

#include <algorithm>
#include <set>

#include "server/sizes/integer_constants.h"
#include "server/sizes/loop_words.h"
#include "server/sizes/own_texts.h"

namespace heddle {
namespace {

constexpr int64_t kSmallSize = 2;

/// A macro that the compile command defines as an integer: its place in the arguments.
struct CommandMacro {
  size_t argument = 0;
  std::string name;
  int64_t value = 0;
};

std::vector<CommandMacro> macrosOf(const CompileCommand& command) {
  std::vector<CommandMacro> macros;
  for (size_t i = 0; i + 1 < command.arguments.size(); ++i) {
    const std::string& text = command.arguments[i + 1];
    const size_t equals = text.find('=');
    if (command.arguments[i] != "-D" || equals == std::string::npos) continue;
    if (const auto value = integerLiteral(std::string_view(text).substr(equals + 1)))
      macros.push_back({i + 1, text.substr(0, equals), *value});
  }
  return macros;
}

/// Of one file: `values` in its command. Adds what it has changed to `done`.
void setMacros(CompileCommand& command, const std::map<std::string, int64_t>& values,
               std::set<std::string>& done) {
  for (const CommandMacro& macro : macrosOf(command)) {
    const auto value = values.find(macro.name);
    if (value == values.end()) continue;
    command.arguments[macro.argument] = macro.name + "=" + std::to_string(value->second);
    done.insert(macro.name);
  }
}

/// The text with other values. Shorter ones are filled up with blanks.
std::string withValues(const OwnText& own, const std::map<std::string, int64_t>& values,
                       std::set<std::string>& done) {
  std::string text = own.text;
  std::vector<IntegerConstant> constants = integerConstants(own);
  std::reverse(constants.begin(), constants.end());  // what stands before keeps its offset
  for (const IntegerConstant& constant : constants) {
    const auto value = values.find(constant.name);
    if (value == values.end()) continue;
    const size_t length = constant.literal.end - constant.literal.begin;
    std::string number = std::to_string(value->second);
    number.append(length - std::min(length, number.size()), ' ');
    text.replace(constant.literal.begin, length, number);
    done.insert(constant.name);
  }
  return text;
}

SourcePlace placeInText(const OwnText& own, size_t offset) {
  const TextPosition at = PositionMap(own.text).positionOf(offset, PositionEncoding::Utf8);
  return {own.path, at.line + 1, at.character + 1, ""};
}

}  // namespace

std::vector<SizeConstant> sizeConstants(const Snapshot& snapshot, const std::vector<SourcePlace>& reached) {
  const std::vector<OwnText> texts = ownTexts(snapshot);
  std::map<std::string, SizeConstant> found;
  for (const OwnText& own : texts)
    for (const IntegerConstant& constant : integerConstants(own))
      if (constant.value > kSmallSize && !found.contains(constant.name))
        found[constant.name] = {constant.name, constant.value, placeInText(own, constant.nameRange.begin)};
  const auto addMacros = [&](const CompileCommand& command) {
    for (const CommandMacro& macro : macrosOf(command))
      if (macro.value > kSmallSize) found.try_emplace(macro.name, SizeConstant{macro.name, macro.value, {}});
  };
  addMacros(snapshot.command);
  for (const Unit& unit : snapshot.units) addMacros(unit.command);
  if (found.empty()) return {};

  std::set<std::string> functions;
  for (const SourcePlace& place : reached) functions.insert(place.function);
  const std::set<std::string> words = loopWords(texts, functions);
  std::vector<SizeConstant> sizes;
  for (auto& [name, constant] : found)
    if (words.contains(name)) sizes.push_back(std::move(constant));
  return sizes;
}

std::optional<Snapshot> withSizes(Snapshot snapshot, const std::map<std::string, int64_t>& values) {
  std::set<std::string> done;
  for (const OwnText& own : ownTexts(snapshot)) {
    std::string text = withValues(own, values, done);
    if (text == own.text) continue;
    const bool isOverlay = snapshot.overlays.contains(own.path);
    bool isFile = own.path == snapshot.path;
    if (isFile) snapshot.text = text;
    for (Unit& unit : snapshot.units) {
      if (unit.path != own.path) continue;
      unit.text = text;
      isFile = true;
    }
    if (isOverlay || !isFile) snapshot.overlays[own.path] = std::move(text);
  }
  setMacros(snapshot.command, values, done);
  for (Unit& unit : snapshot.units) setMacros(unit.command, values, done);
  if (done.size() != values.size()) return std::nullopt;
  return snapshot;
}

void assumeSizes(Report& report, const std::map<std::string, int64_t>& values) {
  if (values.empty()) return;
  for (const auto& [name, value] : values)
    report.assumptions.push_back({name + " is " + std::to_string(value) + ", as --size has it", {}});
  const auto lower = [](Verdict& verdict) {
    if (verdict == Verdict::Verified) verdict = Verdict::VerifiedWithinBounds;
  };
  lower(report.verdict);
  for (auto& [property, verdict] : report.properties) lower(verdict);
}

std::string sizesText(const std::vector<ChosenSize>& sizes) {
  std::string text = "with ";
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (i != 0) text += i + 1 == sizes.size() ? " and " : ", ";
    text += sizes[i].name + " = " + std::to_string(sizes[i].value);
  }
  return text;
}

}  // namespace heddle
