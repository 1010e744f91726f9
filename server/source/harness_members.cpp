// Members of made-up objects whose declared type says nothing.
#include <algorithm>

#include "analysis/support/harness_names.h"
#include "server/source/harness_object.h"

namespace heddle {

namespace {

constexpr unsigned kOpaqueBytes = 4096;  // of a type whose members the file does not know

}  // namespace

const SurveyType* HarnessWriter::takenAs(const std::string& data) const {
  const auto known = survey_.takenAs.find(data);
  if (known == survey_.takenAs.end()) return nullptr;
  const auto isKnown = [&](const SurveyType& type) {
    return type.record != kNoRecord && survey_.records[type.record].isComplete;
  };
  for (const std::string& function : users_)
    if (const auto taken = known->second.find(function); taken != known->second.end())
      return isKnown(taken->second) ? &taken->second : nullptr;
  // Nobody who is called looks at it, or one who is further away.
  const SurveyType& first = known->second.begin()->second;
  const bool isOne = std::all_of(known->second.begin(), known->second.end(),
                                 [&](const auto& taken) { return taken.second.record == first.record; });
  return isOne && isKnown(first) ? &first : nullptr;
}

std::string HarnessWriter::listMaker(const std::string& element, const std::string& data, uint32_t record,
                                     bool isTable) {
  const bool mayBeNull = survey_.tested.contains(data + "[]");
  const std::string list = std::string(kObjectMakerPrefix) + (isTable ? "table" : "list") +
                           std::to_string(record) + (mayBeNull ? "n" : "");
  if (!helpers_.insert(list).second) return list;
  const std::string set =
      mayBeNull
          ? lazily("list[i]", "if (__VERIFIER_nondet_bool()) *(void **)place = " + element + ";", "depth")
          : "  list[i] = " + element + ";\n";
  // Tables of contexts: the index may be one that is still to be given, which is -1 as a rule.
  const std::string size = std::to_string(kElements + (isTable ? 1 : 0));
  globals += "static void *" + list + "(int depth) {\n  void **list = __builtin_calloc(" + size +
             ", sizeof *list);\n  for (int i = 0; i < " + size + "; ++i)\n  " + set + "  return list" +
             (isTable ? " + 1" : "") + ";\n}\n";
  return list;
}

void HarnessWriter::assumeTaken(const std::string& data, const SurveyType& type) {
  std::string text = "'" + data + "' leads to a '" + survey_.records[type.record].spelled + "'";
  // Each object of the type has it.
  if (std::find(assumed.begin(), assumed.end(), text) == assumed.end()) assumed.push_back(std::move(text));
}

std::string HarnessWriter::emptyRing(const SurveyType& type, const std::string& place, uint32_t record,
                                     const std::string& whole) {
  const auto lead = [&](const std::string& pointer, const std::string& to) {
    hasRing_ = true;
    return "  *(void **)&" + place + pointer + " = (void *)" + to + ";\n";
  };
  if (type.isPair) return lead("[0]", "&" + place) + lead("[1]", "&" + place);
  if (type.kind != SurveyType::Kind::Record || type.record == kNoRecord) return "";
  const SurveyRecord& inner = survey_.records[type.record];
  // Two links may also be those of a tree.
  const auto isNamed = [&](const char* what) {
    return std::any_of(inner.fields.begin(), inner.fields.end(),
                       [&](const SurveyField& field) { return field.name.find(what) != std::string::npos; });
  };
  const auto linksTo = [&](uint32_t target) {
    return inner.isComplete && inner.fields.size() == 2 && inner.bitBytes.empty() && isNamed("next") &&
           isNamed("prev") &&
           std::all_of(inner.fields.begin(), inner.fields.end(), [&](const SurveyField& field) {
             return isLink(field.type) && field.type.record == target;
           });
  };
  if (!linksTo(type.record) && !linksTo(record)) return "";
  const std::string to = linksTo(record) ? whole : "&" + place;
  return lead("." + inner.fields[0].name, to) + lead("." + inner.fields[1].name, to);
}

std::string HarnessWriter::anyPointer(const SurveyType& type, const std::string& depth) {
  const bool isKnown = type.record != kNoRecord && survey_.records[type.record].isComplete;
  if (!type.callback.empty()) return "";
  if (isLink(type) && HarnessHooks::isTable(survey_, type.record)) return "(void *)" + table(type.record);
  if (isLink(type)) {
    anyObject(type.record);
    return "(void *)" + std::string(kObjectMakerPrefix) + std::to_string(type.record) + "(" + depth + ")";
  }
  if (isAlone_ && !type.isTwice && type.target == SurveyType::Kind::Record && type.record != kNoRecord &&
      survey_.records[type.record].isOpaque)
    return opaqueMemory();
  const std::string prefix(kObjectMakerPrefix);
  if (type.isTwice && isKnown) {
    anyObject(type.record);
    const std::string list = prefix + "list" + std::to_string(type.record);
    if (helpers_.insert(list).second)
      globals += "static void *" + list + "(int depth) {\n  void **list = __builtin_calloc(" +
                 std::to_string(kElements) + ", sizeof *list);\n  for (int i = 0; i < " +
                 std::to_string(kElements) + "; ++i) list[i] = " + prefix + std::to_string(type.record) +
                 "(depth);\n  return list;\n}\n";
    return list + "(" + depth + (isAlone_ ? ")" : " > 1)");
  }
  const bool isOfNumbers =
      !type.isTwice && (type.target == SurveyType::Kind::Number || type.target == SurveyType::Kind::Void);
  if (!isOfNumbers) return "";
  const std::string bytes = prefix + "bytes";
  if (helpers_.insert(bytes).second) {
    declareInput("char");
    globals += "static void *" + bytes + "(void) {\n  char *bytes = __builtin_calloc(64, 1);\n" +
               "  for (int i = 0; i < " + std::to_string(kElements) +
               "; ++i) bytes[i] = __VERIFIER_nondet_char();\n  return bytes;\n}\n";
  }
  return bytes + "()";
}

std::string HarnessWriter::opaqueMemory() {
  const std::string name = std::string(kObjectMakerPrefix) + "opaque";
  if (helpers_.insert(name).second)
    globals += "static void *" + name + "(void) { return __builtin_calloc(" + std::to_string(kOpaqueBytes) +
               ", 1); }\n";
  return name + "()";
}

std::string HarnessWriter::anyMember(const SurveyField& field, const std::string& depth) {
  const SurveyType& type = field.type;
  if (!type.callback.empty()) return "";
  if (type.record == kNoRecord && type.target == SurveyType::Kind::Void && !type.isTwice) {
    const SurveyType* taken = takenAs(field.data);
    if (taken) assumeTaken(field.data, *taken);
    return anyPointer(taken ? *taken : type, depth);
  }
  const SurveyType* taken = type.record == kNoRecord ? takenAs(field.data + "[]") : nullptr;
  if (taken) {
    assumeTaken(field.data + "[]", *taken);
    return listMaker(anyPointer(*taken, "depth"), field.data, taken->record, true) + "(" + depth + ")";
  }
  if (!type.isTwice || type.record == kNoRecord || !survey_.records[type.record].isComplete ||
      !survey_.tested.contains(field.data + "[]"))
    return anyPointer(type, depth);
  anyObject(type.record);
  const std::string element =
      "(void *)" + std::string(kObjectMakerPrefix) + std::to_string(type.record) + "(depth)";
  return listMaker(element, field.data, type.record, false) + "(" + depth + ")";
}

}  // namespace heddle
