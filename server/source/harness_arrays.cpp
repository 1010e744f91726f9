// Arguments as the file gives them: arrays as large as those of functions that only it calls, and null.
#include "analysis/support/harness_names.h"
#include "server/source/harness_object.h"

namespace heddle {

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

}  // namespace heddle
