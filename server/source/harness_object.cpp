#include "server/source/harness_object.h"

#include <algorithm>
#include <array>
#include <utility>

#include "analysis/compile/verifier_input.h"
#include "analysis/support/harness_names.h"
#include "analysis/support/name_words.h"

namespace heddle {
namespace {

constexpr unsigned kDepth = 2;  // objects that are set up for others, and pointers of any content

constexpr std::array<std::string_view, 7> kGiveBack = {"unref",   "deref", "decref", "unlink",
                                                       "release", "drop",  "detach"};

bool isPointerTo(const SurveyType& type, uint32_t record) {
  return type.kind == SurveyType::Kind::Pointer && type.record == record && !type.isTwice;
}

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

/// A number that a caller may well pass for a parameter of that name.
std::string usualNumber(const std::string& name) {
  constexpr std::array<std::string_view, 8> kSizes = {"size", "cap",   "capacity", "len",
                                                      "max",  "limit", "depth",    "n"};
  constexpr std::array<std::string_view, 8> kNone = {"flag", "flags",   "opt",  "options",
                                                     "mode", "pshared", "type", "timeout"};
  if (hasWord(name, kNone)) return "0";
  if (hasWord(name, kSizes)) return "2";
  return "1";
}

}  // namespace

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
  for (const SurveyFunction& function : survey.functions) addTo(life, survey, function, record);
  // What only the file itself calls is part of another function.
  if (life.create && life.init && life.create->isStatic && !life.init->isStatic) life.create = nullptr;
  if (life.create || life.init || survey.makesUpObjects) return life;
  // Nothing of the file sets it up: then what its headers offer may.
  ObjectLife offered;
  for (const SurveyFunction& function : survey.inlined) addTo(offered, survey, function, record);
  for (const SurveyFunction& function : survey.declared) addTo(offered, survey, function, record);
  if (life.destroy && (offered.create || offered.init)) offered.destroy = life.destroy;
  return offered.create || offered.init ? offered : life;
}

std::string HarnessWriter::variable(const std::string& spelled, const std::string& hint) {
  const std::string name = "heddle_" + hint + std::to_string(++next_);
  globals += "static " + withName(spelled, name) + ";\n";
  return name;
}

std::optional<std::string> HarnessWriter::object(uint32_t record, unsigned depth) {
  if (const auto known = now_.names.find(record); known != now_.names.end()) {
    mixesObjects |= depth > 0 && !making_.contains(record);
    return known->second;
  }
  const SurveyRecord& type = survey_.records[record];
  if (depth > kDepth) {
    problem = "'" + type.spelled + "' needs too many other objects";
    return std::nullopt;
  }
  const ObjectLife life = lifeOf(survey_, record);
  std::string expression;
  if (life.create) {
    const bool isReturned = isPointerTo(life.create->result, record);
    const std::string name = variable(type.spelled + " *@", "object");
    now_.names[record] = name;  // for parameters that give it
    const auto given = argumentsOfMaker(*life.create, record, depth);
    if (!given) return std::nullopt;
    setUp += isReturned ? "  " + name + " = " + life.create->name + "(" + *given + ");\n"
                        : "  " + life.create->name + "(" + *given + ");\n";
    setUp += "  if (!" + name + ") return 0;\n";
    noteCalled(*life.create);
    assumed.push_back("the object comes from " + life.create->name + "(" + *given + ")");
    expression = name;
  } else if (life.init && type.isComplete) {
    const std::string name = variable(type.spelled + " @", "object");
    expression = "&" + name;
    now_.names[record] = expression;
    const auto given = argumentsOfMaker(*life.init, record, depth);
    if (!given) return std::nullopt;
    // A number below 0 says that it failed, whatever others mean.
    const bool isNumber = life.init->result.kind == SurveyType::Kind::Number;
    setUp += life.init->result.isBool ? "  if (!" + life.init->name + "(" + *given + ")) return 0;\n"
             : isNumber               ? "  if (" + life.init->name + "(" + *given + ") < 0) return 0;\n"
                                      : "  " + life.init->name + "(" + *given + ");\n";
    noteCalled(*life.init);
    assumed.push_back("the object was set up by " + life.init->name + "(" + *given + ")");
    for (const SurveyField& field : type.fields)
      if (field.type.kind == SurveyType::Kind::Pointer) zeroed.insert(field.name);
  } else if (type.isComplete) {
    const std::string made = anyObject(record);
    expression = variable(type.spelled + " *@", "object");
    setUp += "  " + expression + " = " + made + ";\n";
    isOdd = true;
    assumed.push_back("a '" + type.spelled +
                      "' may hold any numbers, and pointers that are null or to a new object (depth " +
                      std::to_string(kDepth) + ")");
  } else {
    problem = "'" + type.spelled + "' has no initializer in this file, and its fields are not known";
    return std::nullopt;
  }
  now_.names[record] = expression;
  now_.order.push_back(record);
  return expression;
}

void HarnessWriter::noteCalled(const SurveyFunction& function) {
  called.insert(function.name);
  if (!survey_.find(function.name)) elsewhere.insert(function.name);
}

void HarnessWriter::declareInput(const std::string& input) {
  if (inputs_.insert(input).second) globals += inputDeclaration(input) + "\n";
}

std::string HarnessWriter::anyContent(uint32_t record, const std::string& at) {
  std::string body;
  for (const SurveyField& field : survey_.records[record].fields) {
    const std::string name = at + field.name;
    if (field.lock == "mutex") body += "  pthread_mutex_init(&" + name + ", 0);\n";
    if (field.lock == "cond") body += "  pthread_cond_init(&" + name + ", 0);\n";
    if (field.lock == "rwlock") body += "  pthread_rwlock_init(&" + name + ", 0);\n";
    if (field.lock == "spin") body += "  pthread_spin_init(&" + name + ", 0);\n";
    if (!field.lock.empty()) continue;
    if (field.type.kind == SurveyType::Kind::Number && !field.type.input.empty()) {
      declareInput(field.type.input);
      body += "  " + name + " = __VERIFIER_nondet_" + field.type.input + "();\n";
    }
  }
  return body;
}

std::string HarnessWriter::setHooks(uint32_t record, const std::string& object, bool isDescription) {
  const std::string text = hooks_.set(record, object, isDescription);
  if (hooks_.usesChoice) declareInput("bool");
  return text;
}

std::string HarnessWriter::table(uint32_t record) {
  const auto [known, isNew] = tables_.try_emplace(record);
  if (isNew) {
    const std::string name = variable(survey_.records[record].spelled + " @", "table");
    known->second = "&" + name;
    setUp += setHooks(record, name);
  }
  return known->second;
}

std::string HarnessWriter::description(uint32_t record, const std::string& parameter) {
  const std::string name = variable(survey_.records[record].spelled + " @", "zero");
  std::string functions;
  if (HarnessHooks::isTable(survey_, record)) {
    const bool hadOwn = std::exchange(hooks_.usesOwn, false);
    functions = setHooks(record, name, true);
    // Which of the file's functions a caller has there is a guess.
    isOdd |= hooks_.usesOwn;
    hooks_.usesOwn |= hadOwn;
  }
  setUp += functions;
  assumed.push_back("'" + parameter + "' is all zero" +
                    (functions.empty() ? "" : " but for functions that are called without a test"));
  return "&" + name;
}

std::string HarnessWriter::anyObject(uint32_t record) {
  const std::string maker = std::string(kObjectMakerPrefix) + std::to_string(record);
  const std::string use = maker + "(" + std::to_string(kDepth) + ")";
  if (!makers_.insert(record).second) return use;
  const std::string& spelled = survey_.records[record].spelled;
  declareInput("bool");
  globals += "static " + spelled + " *" + maker + "(int depth);\n";
  std::string body;
  for (const SurveyField& field : survey_.records[record].fields) {
    const bool isLink = field.lock.empty() && field.type.kind == SurveyType::Kind::Pointer &&
                        !field.type.isTwice && field.type.record != kNoRecord &&
                        field.type.target == SurveyType::Kind::Record &&
                        survey_.records[field.type.record].isComplete;
    if (isLink && HarnessHooks::isTable(survey_, field.type.record)) {
      body += "  *(void **)&object->" + field.name + " = (void *)" + table(field.type.record) + ";\n";
      continue;
    }
    if (!isLink || field.type.isTargetConst) continue;
    anyObject(field.type.record);
    body += "  if (depth > 0 && __VERIFIER_nondet_bool()) object->" + field.name + " = " +
            std::string(kObjectMakerPrefix) + std::to_string(field.type.record) + "(depth - 1);\n";
  }
  const std::string numbers = anyContent(record, "object->") + setHooks(record, "(*object)");
  // `calloc` may be a macro of the project.
  globals += "static " + spelled + " *" + maker + "(int depth) {\n  " + spelled +
             " *object = __builtin_calloc(1, sizeof *object);\n" + "  (void)depth;\n" + numbers + body +
             "  return object;\n}\n";
  return use;
}

std::optional<std::string> HarnessWriter::argument(const SurveyType& type, const std::string& name,
                                                   unsigned depth) {
  switch (type.kind) {
    case SurveyType::Kind::Number:
      // A number that is made up may be that of the thread that runs the harness.
      if (type.isThread) {
        problem = "no thread can be made for '" + name + "'";
        return std::nullopt;
      }
      return usualNumber(name);
    case SurveyType::Kind::Record:
      return variable(type.spelled, "value");
    case SurveyType::Kind::Pointer:
      break;
    default:
      problem = "no argument can be made for '" + name + "'";
      return std::nullopt;
  }
  if (!type.callback.empty()) {
    const std::string function = "heddle_callback" + std::to_string(++next_);
    globals += withName(type.callback, function) + "\n";
    return function;
  }
  if (type.isTwice) {
    if (const auto known = now_.names.find(type.record);
        known != now_.names.end() && !known->second.starts_with("&"))
      return "&" + known->second;
    return "&" + variable(type.targetSpelled, "out");
  }
  if (type.isGuessed) {
    // The one who calls it knows what it is, and how often it may run.
    isOdd = true;
    assumed.push_back("'" + name + "' points to what the function takes it for");
  }
  if (type.target == SurveyType::Kind::Record) {
    const SurveyRecord& record = survey_.records[type.record];
    const ObjectLife life = lifeOf(survey_, type.record);
    // What is only read, and nobody here makes, is a description: nothing in it is one.
    if (type.isTargetConst && !life.create && !life.init && record.isComplete &&
        !now_.names.contains(type.record))
      return description(type.record, name);
    return object(type.record, depth);
  }
  if (type.target == SurveyType::Kind::Void) return "&" + variable("int @", "item");
  if (type.isTargetText) return type.isTargetConst ? std::string("\"a\"") : variable("char @[16]", "text");
  if (type.target == SurveyType::Kind::Number || type.target == SurveyType::Kind::Pointer)
    return "&" + variable(type.targetSpelled, "out");
  return std::string("0");
}

void HarnessWriter::defineVariables(const SurveyFunction& function) {
  if (survey_.hooksElsewhere.empty()) return;
  std::set<std::string> used = function.uses;
  for (const std::string& name : reachedFrom(survey_, function.name, true))
    if (const SurveyFunction* callee = survey_.findAny(name))
      used.insert(callee->uses.begin(), callee->uses.end());
  for (const SurveyField& variable : survey_.hooksElsewhere)
    if (used.contains(variable.name)) hooks_.define(variable);
}

std::optional<std::string> HarnessWriter::arguments(const SurveyFunction& function, unsigned depth) {
  defineVariables(function);
  std::string text;
  for (const auto& [name, type] : function.parameters) {
    const auto made = argument(type, name.empty() ? "an argument" : name, depth);
    if (!made) return std::nullopt;
    text += (text.empty() ? "" : ", ") + *made;
  }
  return text;
}

std::optional<std::string> HarnessWriter::argumentsOfMaker(const SurveyFunction& maker, uint32_t record,
                                                           unsigned depth) {
  making_.insert(record);
  auto given = arguments(maker, depth + 1);
  making_.erase(record);
  return given;
}

std::optional<std::string> HarnessWriter::call(const SurveyFunction& function) {
  if (function.isVariadic) {
    problem = "it takes a variable number of arguments";
    return std::nullopt;
  }
  const auto given = arguments(function, 0);
  if (!given) return std::nullopt;
  return function.name + "(" + *given + ")";
}

std::string HarnessWriter::takeDownNow() {
  std::string text;
  // What takes one down may need another object, which is set up then.
  const std::vector<uint32_t> made = now_.order;
  for (auto record = made.rbegin(); record != made.rend(); ++record) {
    const ObjectLife life = lifeOf(survey_, *record);
    if (!life.destroy || (!life.create && !life.init)) continue;
    if (const auto end = call(*life.destroy)) {
      text += "  " + *end + ";\n";
      noteCalled(*life.destroy);
    }
  }
  return text;
}

std::string HarnessWriter::takeDown() {
  std::string text = takeDownNow();
  for (; !earlier_.empty(); earlier_.pop_back()) {
    now_ = earlier_.back();
    text += takeDownNow();
  }
  return text;
}

void HarnessWriter::useOtherObjects() {
  earlier_.push_back(std::exchange(now_, {}));
}

}  // namespace heddle
