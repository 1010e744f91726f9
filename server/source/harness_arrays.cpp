// Arguments as the file gives them: arrays as large as those of functions that only it calls, and null.
#include <algorithm>

#include "analysis/support/harness_names.h"
#include "analysis/support/name_words.h"
#include "server/source/harness_object.h"

namespace heddle {
namespace {

constexpr unsigned kMostElements = 24;                          // of any content, where a size says how many
constexpr int64_t kMostComparedSize = 256, kMoreElements = 16;  // where it compares the size

}  // namespace

bool HarnessWriter::isOfAllocator(const SurveyFunction& function, const std::string& made) {
  const auto has = [&](const char* part) { return function.name.find(part) != std::string::npos; };
  // Where a pointer to a pointer is given, most put there what they have allocated.
  return (made.starts_with("&heddle_item") && (has("alloc") || has("free"))) ||
         (made.starts_with("&heddle_out") && (has("realloc") || has("ralloc") || has("free")));
}

std::pair<std::string, SurveyType> HarnessWriter::besideArrays(
    const SurveyFunction& function, std::pair<std::string, SurveyType> size) const {
  const auto known = survey_.arraysPassed.find(function.name);
  if (!isAnyState_ || known == survey_.arraysPassed.end()) return size;
  for (const auto& [parameter, elements] : known->second)
    size.second.compared.values.insert(static_cast<int64_t>(elements));
  return size;
}

std::optional<std::string> HarnessWriter::arrayAsPassed(const SurveyFunction& function, size_t parameter) {
  const SurveyType& type = function.parameters[parameter].second;
  const bool isOfNumbers = type.kind == SurveyType::Kind::Pointer && !type.isTwice &&
                           (type.target == SurveyType::Kind::Number || type.isTargetText);
  const auto known = survey_.arraysPassed.find(function.name);
  if (!isAnyState_ || known == survey_.arraysPassed.end() || !isOfNumbers || type.isTargetConst ||
      survey_.addressed.contains(function.name))
    return std::nullopt;
  const auto size = known->second.find(static_cast<unsigned>(parameter));
  if (size == known->second.end()) return std::nullopt;
  const std::string name(kSizedPrefix.substr(kHarnessPrefix.size()));
  const std::string array =
      variable(withName(type.targetSpelled, "@[" + std::to_string(size->second) + "]"), name);
  assumed.push_back("'" + function.parameters[parameter].first + "' is an array of " +
                    std::to_string(size->second) + " elements, as the file passes");
  return array;
}

std::string HarnessWriter::fillGlobalsOfSetUp() {
  std::string text;
  for (const std::string& name : called)
    if (const SurveyFunction* maker = survey_.find(name)) text += fillGlobals(withCallees(survey_, *maker));
  return text;
}

std::string HarnessWriter::orNull(const SurveyFunction& function, size_t parameter, std::string made) {
  const auto& [name, type] = function.parameters[parameter];
  const auto known = survey_.nullArguments.find(function.name);
  if (!givesNull || type.kind != SurveyType::Kind::Pointer || known == survey_.nullArguments.end() ||
      !known->second.contains(static_cast<unsigned>(parameter)) || made == "0")
    return made;
  declareInput("bool");
  const std::string isNull = variable("_Bool @", "null");
  values += "  " + isNull + " = __VERIFIER_nondet_bool();\n";
  assumed.push_back("'" + (name.empty() ? "an argument" : name) + "' may be null");
  return "(" + isNull + " ? 0 : (" + made + "))";
}

HarnessWriter::Buffer HarnessWriter::anyBuffer(const SurveyType& type, int64_t most, bool mayBeEmpty) {
  const bool isBytes = type.isTargetText || type.target == SurveyType::Kind::Void;
  for (const uint64_t room : type.compared.rooms)
    if (room <= kMostComparedSize) most = std::max(most, static_cast<int64_t>(room) + 1);
  const std::string count = std::to_string(most);
  const std::string element = isBytes ? "unsigned char @" : type.targetSpelled;
  const std::string input = isBytes ? "uchar" : "uint";
  const std::string array = variable(withName(element, "@[" + count + "]"), "bytes");
  const std::string length = variable("unsigned @", "size");
  values += fill(array, static_cast<unsigned>(most), input);
  declareInput("bool");
  const std::string least = mayBeEmpty ? "__VERIFIER_nondet_bool() ? 1 : 0" : "1";
  values += "  " + length + " = __VERIFIER_nondet_bool() ? " + count + " : " + least + ";\n";
  // Each is as large as its size says: what lies in front of it, and behind, is out of bounds.
  const std::string one = variable(withName(element, "@[1]"), "bytes");
  values += fill(one, 1, input);
  const std::string none = mayBeEmpty ? variable(withName(element, "@[0]"), "bytes") : one;
  const std::string begin =
      "(" + length + " == " + count + " ? " + array + " : " + length + " ? " + one + " : " + none + ")";
  return {isBytes ? "(void *)" + begin : begin, length, (mayBeEmpty ? "0, 1 or " : "1 or ") + count};
}

std::string HarnessWriter::anyElements(const SurveyType& type, const std::string& name,
                                       const std::pair<std::string, SurveyType>& size) {
  // What the function asks for at least, and some more.
  int64_t most = kMostElements;
  for (const int64_t value : size.second.compared.values)
    if (value > most - kMoreElements && value <= kMostComparedSize) most = value + kMoreElements;
  // Whoever wants something written gives room.
  const Buffer buffer = anyBuffer(type, most, type.isTargetConst || writesTexts_);
  assumed.push_back("'" + name + "' points to '" + (size.first.empty() ? "an argument" : size.first) +
                    "' elements of any content, which are " + buffer.counts);
  return buffer.begin + ", " + buffer.length;
}

bool HarnessWriter::isBegin(const SurveyFunction& function, size_t parameter) {
  if (parameter + 1 >= function.parameters.size()) return false;
  const auto& [name, type] = function.parameters[parameter];
  const auto& [endName, end] = function.parameters[parameter + 1];
  const auto isOfTexts = [](const SurveyType& one) {
    return one.kind == SurveyType::Kind::Pointer && one.isTargetText && one.callback.empty();
  };
  const bool isEnd = hasWord(endName, {"end", "e", "pe", "last", "limit", "lim", "stop", "eos", "eod"}) ||
                     endName == name + "e" || endName.ends_with("end") || endName.ends_with("End");
  return isEnd && name != endName && !name.empty() && isOfTexts(end) &&
         (isOfTexts(type) || isPlaceInText(type));
}

std::string HarnessWriter::beginAndEnd(const SurveyFunction& function, size_t parameter) {
  const auto& [name, type] = function.parameters[parameter];
  const auto& [endName, end] = function.parameters[parameter + 1];
  const Buffer buffer = anyBuffer(end, kMostElements, true);
  assumed.push_back("'" + name + "' and '" + endName + "' lead to the two ends of " + buffer.counts +
                    " elements of any content");
  const std::string behind = "(" + withName(end.spelled, "") + ")" + buffer.begin + " + " + buffer.length;
  if (!type.isTwice && type.isTargetText) return buffer.begin + ", " + behind;
  const std::string place = variable(type.targetSpelled, "begin");
  values += "  *(void **)&" + place + " = " + buffer.begin + ";\n";
  return "&" + place + ", " + behind;
}

}  // namespace heddle
