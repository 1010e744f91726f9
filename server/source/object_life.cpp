// ObjectLife: which functions of a file set an object up and take it down (harness_object.h).
#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "analysis/support/name_words.h"
#include "server/source/harness_object.h"
#include "server/source/harness_subject.h"

namespace heddle {
namespace {

constexpr std::array<std::string_view, 7> kGiveBack = {"unref",   "deref", "decref", "unlink",
                                                       "release", "drop",  "detach"};

const SurveyType* firstPointer(const SurveyFunction& function, uint32_t record) {
  for (const auto& [name, type] : function.parameters)
    if (isPointerTo(type, record)) return &type;
  return nullptr;
}

/// The object that it works on: what it does to another one, such as an element of the first, is use.
std::optional<unsigned> objectParameter(const SurveyFunction& function) {
  for (unsigned i = 0; i < function.parameters.size(); ++i) {
    const SurveyType& type = function.parameters[i].second;
    if (type.kind == SurveyType::Kind::Pointer && type.record != kNoRecord && !type.isTwice) return i;
  }
  return std::nullopt;
}

/// Public ones first, then those with fewer parameters, then shorter names.
bool isBetter(const SurveyFunction& a, const SurveyFunction* b) {
  if (!b) return true;
  if (a.isStatic != b->isStatic) return !a.isStatic;
  if (a.parameters.size() != b->parameters.size()) return a.parameters.size() < b->parameters.size();
  return a.name.size() < b->name.size();
}

/// Who calls the other does more.
bool isBetterEnd(const SurveyFunction& a, const SurveyFunction* b) {
  if (b && a.callees.contains(b->name)) return true;
  if (b && b->callees.contains(a.name)) return false;
  if (b && isTakeDown(a.name) != isTakeDown(b->name)) return isTakeDown(a.name);
  return isBetter(a, b);
}

/// How many words of the record's name the function's name has.
size_t commonWords(const SurveyFunction& function, const SurveyRecord& record) {
  const std::vector<std::string> words = nameWords(record.spelled);
  return static_cast<size_t>(std::count_if(words.begin(), words.end(), [&](const std::string& word) {
    return word != "struct" && word != "t" && hasWord(function.name, {word});
  }));
}

/// The one of several objects that a function sets up: its name names it, else it is given first.
uint32_t setUpBy(const Survey& survey, const SurveyFunction& function) {
  uint32_t best = kNoRecord;
  size_t most = 0;
  for (const auto& [name, type] : function.parameters) {
    if (type.kind != SurveyType::Kind::Pointer || type.record == kNoRecord || type.isTwice) continue;
    const size_t common = commonWords(function, survey.records[type.record]);
    if (best == kNoRecord && &type != &function.parameters.front().second) continue;
    if (best != kNoRecord && (common <= most || type.isTargetConst)) continue;
    best = type.record;
    most = common;
  }
  return best;
}

/// A table of functions is as a rule given to what sets up something else: it sets the table up where it
/// writes some member.
bool setsUp(const Survey& survey, const SurveyFunction& function, uint32_t record) {
  if (!HarnessHooks::isTable(survey, record)) return true;
  const SurveyFunction whole = withCallees(survey, function);
  const std::vector<SurveyField>& fields = survey.records[record].fields;
  return std::any_of(whole.accesses.begin(), whole.accesses.end(), [&](const SurveyAccess& access) {
    return access.isWrite && std::any_of(fields.begin(), fields.end(),
                                         [&](const SurveyField& field) { return field.data == access.data; });
  });
}

/// What the function does to objects of the record, by its name and its types.
void addTo(ObjectLife& life, const Survey& survey, const SurveyFunction& function, uint32_t record) {
  if (function.isVariadic) return;
  const bool takes = firstPointer(function, record) != nullptr;
  const bool gives = std::any_of(function.parameters.begin(), function.parameters.end(), [&](const auto& p) {
    return p.second.isTwice && p.second.record == record;
  });
  // Most functions have nothing to do with the record, and their names need no look.
  if (!takes && !gives && !isPointerTo(function.result, record)) return;
  if (takesDown(function)) {
    const bool isOnly = function.parameters.empty() ||
                        isPointerTo(function.parameters.front().second, record) ||
                        (function.parameters.front().second.isTwice && gives);
    if ((takes || gives) && isOnly && isBetterEnd(function, life.destroy)) life.destroy = &function;
  } else if (isSetUp(function.name)) {
    if ((isPointerTo(function.result, record) && !takes) || (gives && !takes)) {
      if (isBetter(function, life.create)) life.create = &function;
    } else if (takes && !firstPointer(function, record)->isTargetConst &&
               setUpBy(survey, function) == record && setsUp(survey, function, record)) {
      if (isBetter(function, life.init)) life.init = &function;
    }
  }
}

/// "curl_init_connect" of another file sets something up in an object of "curl_easy", and not that one:
/// behind the project's prefix its name has words that are none of the record's.
bool setsUpPart(const Survey& survey, const SurveyFunction& function, uint32_t record) {
  if (!isSetUp(function.name) || !firstPointer(function, record)) return false;
  const std::vector<std::string> words = nameWords(function.name),
                                 own = nameWords(survey.records[record].spelled);
  return std::any_of(words.begin() + (words.empty() ? 0 : 1), words.end(), [&](const std::string& word) {
    return !isSetUp(word) && std::none_of(own.begin(), own.end(), [&](const std::string& one) {
      return one.find(word) != std::string::npos || word.find(one) != std::string::npos;
    });
  });
}

constexpr std::array<std::string_view, 3> kLifeStarts = {"start", "launch", "spawn"};
constexpr std::array<std::string_view, 3> kLifeStops = {"stop", "finish", "join"};

/// What begins an object where nothing else does, and what ends it: "server_start" gives one, and
/// "server_stop" takes it.
void addStarted(ObjectLife& life, const Survey& survey, uint32_t record) {
  for (const SurveyFunction& function : survey.functions) {
    if (function.isStatic || function.isVariadic) continue;
    const bool takes = firstPointer(function, record) != nullptr;
    if (!takes && isPointerTo(function.result, record) && hasWord(function.name, kLifeStarts) && !life.create)
      life.create = &function;
  }
  if (!life.create) return;
  // What only the file itself calls is part of these.
  life.init = nullptr;
  if (life.destroy && !life.destroy->isStatic) return;
  for (const SurveyFunction& function : survey.functions)
    if (!function.isStatic && !function.parameters.empty() && hasWord(function.name, kLifeStops) &&
        isPointerTo(function.parameters.front().second, record) && (!life.destroy || life.destroy->isStatic))
      life.destroy = &function;
}

constexpr std::array<std::string_view, 2> kEnrols = {"register", "enroll"};
constexpr std::array<std::string_view, 3> kStrikes = {"unregister", "deregister", "unenroll"};

/// "epoch_register(epoch, record)" sets the record up where nothing else does, and makes it one of the
/// epoch's: it writes several of its members.
void addEnrolled(ObjectLife& life, const Survey& survey, uint32_t record) {
  if (!survey.records[record].isComplete || HarnessHooks::isTable(survey, record)) return;
  const auto isOf = [&](const SurveyFunction& function, std::span<const std::string_view> words) {
    return firstPointer(function, record) != nullptr && !function.isStatic && !function.isVariadic &&
           hasWord(function.name, words);
  };
  const std::vector<SurveyField>& fields = survey.records[record].fields;
  const auto writes = [&](const SurveyFunction& function) {
    const SurveyFunction whole = withCallees(survey, function);
    return std::count_if(fields.begin(), fields.end(), [&](const SurveyField& field) {
      return std::any_of(whole.accesses.begin(), whole.accesses.end(), [&](const SurveyAccess& access) {
        return access.isWrite && access.data == field.data;
      });
    });
  };
  for (const SurveyFunction& function : survey.functions)
    if (isOf(function, kEnrols) && subjectOf(function) != record && writes(function) > 1 &&
        isBetter(function, life.init))
      life.init = &function;
  if (!life.init || life.destroy) return;
  for (const SurveyFunction& function : survey.functions)
    if (isOf(function, kStrikes) && isBetter(function, life.destroy)) life.destroy = &function;
}

}  // namespace

bool isPointerTo(const SurveyType& type, uint32_t record) {
  return type.kind == SurveyType::Kind::Pointer && type.record == record && !type.isTwice;
}

bool beginsOrEndsStarted(const Survey& survey, const SurveyFunction& function) {
  if (function.result.kind == SurveyType::Kind::Pointer && hasWord(function.name, kLifeStarts)) {
    const ObjectLife life = lifeOf(survey, function.result.record);
    return life.create && life.create->name == function.name;
  }
  if (!hasWord(function.name, kLifeStops)) return false;
  const ObjectLife life = lifeOf(survey, subjectOf(function));
  return life.destroy && life.destroy->name == function.name;
}

bool givesBack(const SurveyFunction& function) {
  return function.givesReference || hasWord(function.name, kGiveBack);
}

bool consumesObject(const SurveyFunction& function) {
  const auto object = objectParameter(function);
  return object && function.frees.contains(*object);
}

bool takesDown(const SurveyFunction& function) {
  const auto object = objectParameter(function);
  if (object && function.ends.contains(*object) && !givesBack(function)) return true;
  const auto destroys = [](const std::string& callee) {
    return callee.starts_with("pthread_") && callee.ends_with("_destroy") &&
           callee.find("attr") == std::string::npos;
  };
  return isTakeDown(function.name) ||
         (function.callees.contains("pthread_join") &&
          std::any_of(function.callees.begin(), function.callees.end(), destroys));
}

ObjectLife lifeOf(const Survey& survey, uint32_t record) {
  ObjectLife life;
  if (record == kNoRecord) return life;  // numbers and texts have none
  for (const SurveyFunction& function : survey.functions) addTo(life, survey, function, record);
  // What only the file itself calls is part of another function.
  if (life.create && life.init && life.create->isStatic && !life.init->isStatic) life.create = nullptr;
  if (!life.create && (!life.init || life.init->isStatic)) addStarted(life, survey, record);
  if (!life.create && !life.init) addEnrolled(life, survey, record);
  if (life.create || life.init || survey.makesUpObjects) return life;
  // Nothing of the file sets it up: then what its headers offer may.
  ObjectLife offered;
  for (const auto* functions : {&survey.inlined, &survey.declared})
    for (const SurveyFunction& function : *functions)
      if (!setsUpPart(survey, function, record)) addTo(offered, survey, function, record);
  if (life.destroy && (offered.create || offered.init)) offered.destroy = life.destroy;
  return offered.create || offered.init ? offered : life;
}

uint32_t madeWith(const Survey& survey, uint32_t record) {
  const ObjectLife life = lifeOf(survey, record);
  const SurveyFunction* maker = life.create ? life.create : life.init;
  // What other files set up, they may hand over from one to the other.
  const auto isOfFile = [&](const SurveyFunction* function) {
    return function && !function->isStatic && survey.find(function->name) != nullptr;
  };
  if (!isOfFile(maker)) return kNoRecord;
  for (const auto& [name, type] : maker->parameters) {
    if (type.kind != SurveyType::Kind::Pointer || type.isTwice || type.record == kNoRecord ||
        type.record == record || type.isTargetConst)
      continue;
    const ObjectLife other = lifeOf(survey, type.record);
    if (isOfFile(other.create ? other.create : other.init)) return type.record;
  }
  return kNoRecord;
}

const SurveyFunction* globalMaker(const Survey& survey) {
  if (survey.leavesOutSetUp) return nullptr;
  for (const SurveyFunction& function : survey.functions)
    if (!function.isStatic && function.parameters.empty() && isSetUp(function.name) &&
        function.result.kind != SurveyType::Kind::Pointer)
      return &function;
  return nullptr;
}

bool startsThreads(const Survey& survey, const SurveyFunction* function) {
  return function && !withCallees(survey, *function).starts.empty();
}

std::string globalSetUp(const Survey& survey) {
  const SurveyFunction* maker = globalMaker(survey);
  return maker ? "  " + maker->name + "();\n" : "";
}

}  // namespace heddle
