#include "server/source/harness_object.h"

#include <algorithm>
#include <array>
#include <utility>

#include "analysis/compile/verifier_input.h"
#include "analysis/support/harness_names.h"
#include "analysis/support/name_words.h"

namespace heddle {
namespace {

constexpr unsigned kNesting = 4;        // structures in structures of which anything is made up
constexpr uint32_t kLazyElements = 64;  // of an array, from its beginning; the others are 0
constexpr unsigned kDepth = 2;          // objects that are set up for others, and pointers of any content
constexpr unsigned kLazyDepth = 4;      // of pointers whose content is made when it is read

}  // namespace

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
  if (depth > kDepth && !type.isComplete) {
    problem = "'" + type.spelled + "' needs too many other objects";
    return std::nullopt;
  }
  // What is that far from the call, no function has to set up.
  const bool isMadeUp = type.isComplete && (isAnyState_ || depth > kDepth);
  const ObjectLife life = isMadeUp ? ObjectLife{} : lifeOf(survey_, record);
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
    madeUp_.insert(record);
    expression = variable(type.spelled + " *@", "object");
    setUp += "  " + expression + " = " + made + ";\n";
    isOdd = true;
    assumed.push_back("a '" + type.spelled +
                      "' may hold any numbers, and pointers that are null or to a new object (depth " +
                      std::to_string(isAlone_ ? kLazyDepth : kDepth) +
                      "), and not null where nothing compares them with null" +
                      (hasRing_ ? ", heads of lists that lead to themselves" : "") +
                      (isAlone_ ? "; texts and unions in it are 0, and elements of arrays beyond " +
                                      std::to_string(kLazyElements)
                                : "; structures, arrays and unions in it are 0"));
  } else if (type.isOpaque) {
    expression = "(" + type.spelled + " *)" + opaqueMemory();
    isOdd = true;
    assumed.push_back("a '" + type.spelled + "', whose members the file does not know, is all 0");
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

std::string HarnessWriter::setUpOf(const std::string& lock, const std::string& place) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kInit = {
      {{"mutex", "mutex"}, {"cond", "cond"}, {"rwlock", "rwlock"}, {"spin", "spin"}}};
  for (const auto& [kind, name] : kInit)
    if (lock == kind) return "  pthread_" + std::string(name) + "_init(&" + place + ", 0);\n";
  return "";
}

std::string HarnessWriter::anyContent(uint32_t record, const std::string& at) {
  std::string body;
  for (const SurveyField& field : survey_.records[record].fields) {
    const std::string name = at + field.name;
    body += setUpOf(field.lock, name);
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

/// Whether a pointer to it can be made: its record is known.
bool HarnessWriter::isLink(const SurveyType& type) const {
  return type.kind == SurveyType::Kind::Pointer && !type.isTwice && type.record != kNoRecord &&
         type.target == SurveyType::Kind::Record && survey_.records[type.record].isComplete;
}

void HarnessWriter::willCall(const SurveyFunction& function) {
  for (const SurveyAccess& access : function.accesses) used_.insert(access.data);
  users_.push_back(function.name);
  users_.insert(users_.end(), function.callees.begin(), function.callees.end());
}

bool HarnessWriter::isTakenAsSet(const std::string& data) const {
  return used_.contains(data) && !survey_.tested.contains(data);
}

std::string HarnessWriter::lazily(const std::string& place, const std::string& content,
                                  const std::string& depth) {
  if (fillers_.empty()) globals += kLazilyDeclared;
  const auto [known, isNew] = fillers_.try_emplace(content);
  if (isNew) {
    known->second = std::string(kObjectMakerPrefix) + "value" + std::to_string(fillers_.size());
    globals +=
        "static void " + known->second + "(void *place, int depth) {\n  (void)depth;\n  " + content + "\n}\n";
  }
  return "  heddle_lazily((void *)&" + place + ", sizeof " + place + ", " + known->second + ", " + depth +
         ");\n";
}

std::string HarnessWriter::anyNumberAt(const std::string& place, const std::string& input) {
  declareInput(input);
  const std::string number = "__VERIFIER_nondet_" + input + "()";
  return lazily(place, "*(__typeof__(" + number + ") *)place = " + number + ";", "0");
}

std::string HarnessWriter::lazyMembers(uint32_t record, const std::string& at, unsigned nesting) {
  std::string body;
  const std::string whole = nesting == 0 ? "object" : "&" + at.substr(0, at.size() - 1);
  for (const uint32_t byte : survey_.records[record].bitBytes)
    body += anyNumberAt("((unsigned char *)" + whole + ")[" + std::to_string(byte) + "]", "uchar");
  for (const SurveyField& field : survey_.records[record].fields) {
    const std::string place = at + field.name;
    const SurveyType& type = field.type;
    if (!field.lock.empty()) {
      body += setUpOf(field.lock, place);
    } else if (const std::string ring = emptyRing(type, place, record, whole); !ring.empty()) {
      body += ring;
    } else if (type.kind == SurveyType::Kind::Record && type.record != kNoRecord && nesting < kNesting) {
      body += lazyMembers(type.record, place + ".", nesting + 1);
    } else if (type.elements > 0 && !type.input.empty()) {
      const std::string count = std::to_string(std::min(type.elements, kLazyElements));
      body += "  for (int i = 0; i < " + count + "; ++i)" + anyNumberAt(place + "[i]", type.input);
    } else if (type.kind == SurveyType::Kind::Number && !type.input.empty()) {
      body += anyNumberAt(place, type.input);
    } else if (isLink(type) && HarnessHooks::isTable(survey_, type.record)) {
      body += "  *(void **)&" + place + " = " + anyPointer(type, "0") + ";\n";
    } else if (type.kind == SurveyType::Kind::Pointer) {
      // At the end of the depth those that are never null lead to one object of their type.
      const bool mayBeNull = survey_.nullable.contains(field.data);
      const std::string made = anyMember(field, "depth");
      if (made.empty()) continue;
      body += (mayBeNull ? "  if (depth > 0)" : "") +
              lazily(place,
                     std::string(mayBeNull ? "if (__VERIFIER_nondet_bool()) " : "") +
                         "*(void **)place = " + made + ";",
                     "depth - 1");
    }
  }
  return body;
}

std::string HarnessWriter::members(uint32_t record) {
  std::string body;
  for (const SurveyField& field : survey_.records[record].fields) {
    if (!field.lock.empty()) continue;
    body += emptyRing(field.type, "object->" + field.name, record, "object");
    const std::string set = "*(void **)&object->" + field.name + " = ";
    if (isLink(field.type) && HarnessHooks::isTable(survey_, field.type.record)) {
      body += "  " + set + anyPointer(field.type, "0") + ";\n";
    } else if (field.type.kind == SurveyType::Kind::Pointer && isTakenAsSet(field.data)) {
      const std::string made = anyPointer(field.type, "depth - 1");
      if (!made.empty()) body += "  " + set + made + ";\n";
    } else if (isLink(field.type) && !field.type.isTargetConst) {
      body +=
          "  if (depth > 0 && __VERIFIER_nondet_bool()) " + set + anyPointer(field.type, "depth - 1") + ";\n";
    }
  }
  return body;
}

std::string HarnessWriter::anyObject(uint32_t record) {
  const std::string maker = std::string(kObjectMakerPrefix) + std::to_string(record);
  const std::string use = maker + "(" + std::to_string(isAlone_ ? kLazyDepth : kDepth) + ")";
  if (!makers_.insert(record).second) return use;
  const std::string& spelled = survey_.records[record].spelled;
  declareInput("bool");
  globals += "static " + spelled + " *" + maker + "(int depth);\n";
  std::string pointers = isAlone_ ? lazyMembers(record, "object->", 0) : members(record);
  const std::string numbers =
      (isAlone_ ? "" : anyContent(record, "object->")) + setHooks(record, "(*object)");
  // `calloc` may be a macro of the project.
  globals += "static " + spelled + " *" + maker + "(int depth) {\n  static " + spelled +
             " *last;\n  if (depth <= 0 && last) return last;\n  " + spelled +
             " *object = __builtin_calloc(1, sizeof *object);\n  if (depth <= 0) last = object;\n" + numbers +
             pointers + "  return object;\n}\n";
  return use;
}

std::string HarnessWriter::takeDownNow() {
  std::string text;
  // What takes one down may need another object, which is set up then.
  const std::vector<uint32_t> made = now_.order;
  for (auto record = made.rbegin(); record != made.rend(); ++record) {
    const ObjectLife life = lifeOf(survey_, *record);
    if (!life.destroy || (!life.create && !life.init) || madeUp_.contains(*record)) continue;
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
  earlier_.push_back(std::exchange(now_, {shared_, {}}));
}

}  // namespace heddle
