// The arguments of the calls of a harness: usual ones where several calls meet, any ones where one call is
// looked at alone.
#include <algorithm>
#include <array>
#include <utility>

#include "analysis/support/harness_names.h"
#include "analysis/support/name_words.h"
#include "server/source/harness_object.h"

namespace heddle {
namespace {

using Parameter = std::pair<std::string, SurveyType>;

constexpr unsigned kMostText = 7;        // characters of any text, without its end
constexpr unsigned kMostBehindText = 2;  // characters of any text where others are compared
constexpr unsigned kRoomForText = 64;    // what a function may write to that is given no size
constexpr unsigned kMostNumber = 4;
constexpr size_t kMostGlobals = 32;

constexpr std::array<std::string_view, 16> kSizes = {"size",  "cap", "capacity", "len",    "max",   "limit",
                                                     "depth", "n",   "sz",       "length", "bytes", "count",
                                                     "cnt",   "num", "nbytes",   "argc"};

/// Numbers of places in an array or the like.
constexpr std::array<std::string_view, 10> kPlaces = {"i",   "idx",    "index", "pos",  "position",
                                                      "off", "offset", "id",    "slot", "column"};

std::string nameOf(const Parameter& parameter) {
  return parameter.first.empty() ? "an argument" : parameter.first;
}

/// A number that a caller may well pass for a parameter of that name.
std::string usualNumber(const std::string& name) {
  constexpr size_t kUsual = 8;  // of the words of sizes
  constexpr std::array<std::string_view, 8> kNone = {"flag", "flags",   "opt",  "options",
                                                     "mode", "pshared", "type", "timeout"};
  if (hasWord(name, kNone)) return "0";
  if (hasWord(name, std::span(kSizes).first(kUsual))) return "2";
  return "1";
}

/// It says how much another parameter points to, by its name: `srclen`, `nbytes`.
bool isSize(const Parameter& parameter) {
  const auto& [name, type] = parameter;
  if (type.kind != SurveyType::Kind::Number || type.isBool || type.isThread) return false;
  const auto endsSo = [&, &name = name](std::string_view word) { return name.ends_with(word); };
  // "numMatch" says which one.
  const std::vector<std::string> words = nameWords(name);
  if (words.size() > 1 && (words[0] == "num" || words[0] == "n" || words[0] == "nr") &&
      !words.back().ends_with('s') && !hasWord(words.back(), kSizes))
    return false;
  return hasWord(name, kSizes) || endsSo("len") || endsSo("size") || endsSo("Size") || endsSo("Len");
}

/// In C, where the least number has no literal.
std::string literalOf(int64_t value) {
  return value == INT64_MIN ? "(-9223372036854775807ll - 1)" : "(" + std::to_string(value) + "ll)";
}

/// Numbers of the type may be as large as that.
bool hasRoomFor(const SurveyType& type, uint64_t value) {
  return type.input != "char" && type.input != "uchar" ? value <= INT16_MAX : value <= INT8_MAX;
}

bool pointsToNumbers(const SurveyType& type) {
  return type.kind == SurveyType::Kind::Pointer && type.callback.empty() && !type.isTwice &&
         (type.target == SurveyType::Kind::Void || type.target == SurveyType::Kind::Number);
}

}  // namespace

bool HarnessWriter::isPlaceInText(const SurveyType& type) {
  constexpr std::array<std::string_view, 4> kTexts = {"char *", "const char *", "unsigned char *",
                                                      "const unsigned char *"};
  return type.kind == SurveyType::Kind::Pointer && type.target == SurveyType::Kind::Pointer &&
         std::find(kTexts.begin(), kTexts.end(), withName(type.targetSpelled, "")) != kTexts.end();
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

std::string HarnessWriter::givenArguments(const std::string& name) {
  if (!givesArguments) {
    globals += "static long heddle_bytes[32];\n";
    declareInput("bool");
    assumed.push_back("the arguments in '" + name + "' are 0 or lead to 256 zero bytes");
  }
  givesArguments = true;
  return kGivenArguments;
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
      if (type.isArguments && isAlone_) return givenArguments(name);
      problem = "no argument can be made for '" + name + "'";
      return std::nullopt;
  }
  if (!type.callback.empty()) return callback(type, name);
  if (type.isTwice) {
    if (const auto known = now_.names.find(type.record);
        known != now_.names.end() && known->second.find_first_of("&(") == std::string::npos)
      return "&" + known->second;
    return "&" + variable(type.targetSpelled, "out");
  }
  // What is handed over, a callback may free: each call has something of its own.
  if (freesItems_ && type.member.empty() && (type.isGuessed || type.target == SurveyType::Kind::Void)) {
    if (const std::string made = newItem(type); !made.empty()) return made;
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
    const bool isAny = isAlone_ && !HarnessHooks::isTable(survey_, type.record);
    if (type.isTargetConst && !isAny && !life.create && !life.init && record.isComplete &&
        !now_.names.contains(type.record))
      return description(type.record, name);
    const std::optional<std::string> made = object(type.record, depth);
    return made && !type.member.empty() ? "&(" + *made + ")->" + type.member : made;
  }
  if (type.target == SurveyType::Kind::Void) return "&" + variable("int @", "item");
  if (type.isTargetText) return type.isTargetConst ? std::string("\"a\"") : variable("char @[16]", "text");
  if (type.target == SurveyType::Kind::Number || type.target == SurveyType::Kind::Pointer)
    return "&" + variable(type.targetSpelled, "out");
  return std::string("0");
}

std::string HarnessWriter::callback(const SurveyType& type, const std::string& name) {
  using Part = SurveySignature::Part;
  constexpr std::array<std::string_view, 9> kFree = {"free",    "dtor",    "destroy", "destructor", "delete",
                                                     "release", "dispose", "cleanup", "del"};
  const std::string function = "heddle_callback" + std::to_string(++next_);
  std::string text = withName(type.callback, function);
  const std::vector<Part>& parts = type.signature.parameters;
  const auto freed = std::find(parts.rbegin(), parts.rend(), Part::Untyped);
  const bool frees = type.signature.result == Part::Nothing && freed != parts.rend() && parts.size() <= 2 &&
                     hasWord(name, kFree);
  if (frees) {
    // `free` may be a macro of the project.
    const auto number = parts.rend() - freed - 1;
    text.insert(text.find('{') + 1, " __builtin_free(a" + std::to_string(number) + ");");
    freesItems_ = true;
  }
  globals += text + "\n";
  assumed.push_back("the function that is given for '" + name + "' " +
                    (frees ? "frees what it is given" : "does nothing, and frees nothing"));
  return function;
}

std::string HarnessWriter::newItem(const SurveyType& type) {
  if (type.isGuessed && !isLink(type)) return "";
  if (isLink(type)) {
    isOdd = true;
    return anyPointer(type, "1");
  }
  const std::string item = std::string(kObjectMakerPrefix) + "item";
  if (helpers_.insert(item).second)
    globals += "static void *" + item + "(void) { return __builtin_calloc(1, 64); }\n";
  return item + "()";
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
    isOdd |= isOfAllocator(function, *made);
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

std::string HarnessWriter::fill(const std::string& array, unsigned count, const std::string& input) {
  declareInput(input);
  const std::string index = "heddle_i" + std::to_string(++next_);
  return "  for (int " + index + " = 0; " + index + " < " + std::to_string(count) + "; ++" + index + ") (" +
         array + ")[" + index + "] = __VERIFIER_nondet_" + input + "();\n";
}

std::string HarnessWriter::anyNumber(const SurveyType& type, const std::string& name) {
  if (type.input.empty() || type.input == "float" || type.input == "double") return usualNumber(name);
  const std::string number = variable(type.spelled, "number");
  declareInput(type.input);
  values += "  " + number + " = __VERIFIER_nondet_" + type.input + "();\n";
  if (type.isBool) return number;
  // Many functions take -1 for none, or for an error.
  const bool isPlace = isSize({name, type}) || hasWord(name, kPlaces);
  const int least = !type.input.starts_with("u") && !isPlace ? -1 : 0, most = static_cast<int>(kMostNumber);
  std::string others;
  const std::string cast = "(" + withName(type.spelled, "") + ")";
  const auto allow = [&](int64_t value) {
    if (value < least || value > most) others += " && " + number + " != " + cast + literalOf(value);
  };
  // How large something is, the caller has to keep to.
  if (!isPlace) {
    for (const int64_t value : type.compared.values) allow(value);
    if (type.compared.mask != 0)
      others += " && ((unsigned long long)" + number + " & ~" + std::to_string(type.compared.mask) + "ull)";
  }
  // As many as an array of the function holds, and one more.
  if (!hasWord(name, kPlaces))
    for (const uint64_t room : type.compared.rooms)
      if (hasRoomFor(type, room + 1)) {
        allow(static_cast<int64_t>(room));
        allow(static_cast<int64_t>(room + 1));
      }
  values += "  if ((" + number + " < " + std::to_string(least) + " || " + number + " > " +
            std::to_string(most) + ")" + others + ") return 0;\n";
  assumed.push_back(
      "'" + name + "' is from " + std::to_string(least) + " to " + std::to_string(most) +
      (others.empty() ? "" : ", or some that the function compares it with, or sizes of its arrays"));
  return number;
}

std::string HarnessWriter::anyText(const SurveyType& type, const std::string& name) {
  const std::set<std::string>& texts = type.compared.texts;
  const std::set<uint64_t>& rooms = type.compared.rooms;
  size_t longest = kMostText;
  for (const std::string& text : texts) longest = std::max(longest, text.size() + kMostBehindText);
  if (!rooms.empty()) longest = std::max<size_t>(longest, *rooms.rbegin());
  const size_t room = type.isTargetConst ? longest + 1 : std::max<size_t>(longest + 1, kRoomForText);
  const std::string text = variable(withName(type.targetSpelled, "@[" + std::to_string(room) + "]"),
                                    type.isTargetConst ? "text" : "room");
  // A text that is compared has other ways than one of any characters, of which few are needed then.
  const unsigned most = texts.empty() ? kMostText : kMostBehindText;
  assumed.push_back("'" + name + "' is any text of at most " + std::to_string(most) + " characters" +
                    (texts.empty() ? "" : ", or one that the function compares it with") +
                    (rooms.empty() ? "" : ", or as long as an array that it may be copied to") +
                    (type.isTargetConst ? "" : ", with room for " + std::to_string(room - 1)));
  if (texts.empty() && rooms.empty()) {
    values += fill(text, kMostText, "char");
    return text;
  }
  declareInput("uchar");
  const std::string behind = text + "_end";
  values += "  unsigned " + behind + " = 0;\n  switch (__VERIFIER_nondet_uchar()) {\n";
  size_t number = 0;
  for (std::string one : texts) {
    const bool mayGoOn = one.back() == kAndMore;
    if (mayGoOn) one.pop_back();
    values += "    case " + std::to_string(number++) + ":\n      __builtin_memcpy(" + text + ", \"" + one +
              "\", " + std::to_string(one.size() + 1) + ");\n      " + behind + " = " +
              (mayGoOn ? std::to_string(one.size()) : std::to_string(room)) + ";\n      break;\n";
  }
  for (const uint64_t length : rooms)
    values += "    case " + std::to_string(number++) + ":\n      __builtin_memset(" + text + ", 'a', " +
              std::to_string(length) + ");\n      " + behind + " = " + std::to_string(room) +
              ";\n      break;\n";
  values += "    default:\n      break;\n  }\n  if (" + behind + " < " + std::to_string(room) + ")\n  " +
            fill(text + " + " + behind, most, "char");
  return text;
}

std::optional<std::string> HarnessWriter::anyList(const SurveyType& type, const std::string& name,
                                                  const std::pair<std::string, SurveyType>& size) {
  const std::string made = anyPointer(type, "2");
  if (made.empty()) return std::nullopt;
  isOdd = true;
  assumed.push_back("'" + name + "' points to " + std::to_string(kElements) + " pointers to new objects");
  return made + ", " + anyNumber(size.second, size.first);
}

std::optional<std::string> HarnessWriter::anyArgument(const SurveyType& type, const std::string& name) {
  if (type.kind == SurveyType::Kind::Number && !type.isThread) return anyNumber(type, name);
  if (type.kind == SurveyType::Kind::Pointer && type.isTargetText && type.callback.empty())
    return anyText(type, name);
  // A stream is the library's own.
  if (type.kind == SurveyType::Kind::Pointer && type.targetSpelled.find("FILE") != std::string::npos &&
      !type.isTwice && hasWord(withName(type.targetSpelled, ""), {"file"}))
    return "stdout";
  return argument(type, name, 0);
}

std::string HarnessWriter::placeInText(const SurveyType& type, const std::string& name) {
  SurveyType text;
  text.targetSpelled = "char @";
  text.isTargetConst = true;
  const std::string begin = variable(type.targetSpelled, "begin");
  const std::string characters = anyText(text, name);
  // Who is given a place for a text may free the one there.
  values += "  *(void **)&" + begin + " = __builtin_malloc(sizeof " + characters + ");\n  if (!" + begin +
            ") return 0;\n  __builtin_memcpy(*(void **)&" + begin + ", " + characters + ", sizeof " +
            characters + ");\n";
  return "&" + begin;
}

std::optional<std::string> HarnessWriter::callAlone(const SurveyFunction& function) {
  if (function.isVariadic) {
    problem = "it takes a variable number of arguments";
    return std::nullopt;
  }
  isAlone_ = true;
  // As the C library's functions of these names, they may be given no room.
  writesTexts_ =
      function.name.find("printf") != std::string::npos || function.name.find("strlc") != std::string::npos;
  defineVariables(function);
  std::string text;
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    const auto& [unused, type] = function.parameters[i];
    const std::string name = nameOf(function.parameters[i]);
    const bool isSized = i + 1 < function.parameters.size() && isSize(function.parameters[i + 1]);
    const size_t given = i;
    std::optional<std::string> made;
    if (isSized && type.kind == SurveyType::Kind::Pointer && type.isTwice) {
      made = anyList(type, name, function.parameters[i + 1]);
      if (made) ++i;
    }
    if (!made && !isSized) made = arrayAsPassed(function, i);
    if (!made && !isSized && isBegin(function, i)) made = beginAndEnd(function, i++);
    if (made) {
      // Made.
    } else if (isSized && pointsToNumbers(type)) {
      made = anyElements(type, name, besideArrays(function, function.parameters[++i]));
    } else if (isPlaceInText(type) && !isSized && !name.ends_with('s') && !name.ends_with('v')) {
      made = placeInText(type, name);
    } else if (auto other = otherList(function, type)) {
      made = std::move(other);
    } else {
      const auto known = now_.names.find(type.record);
      made = making_.contains(type.record) && known != now_.names.end() && !type.isTwice
                 ? std::optional(known->second)
                 : anyArgument(type, name);
      // Of such an object there is one.
      if (isSized && type.kind == SurveyType::Kind::Pointer && type.target == SurveyType::Kind::Record &&
          made) {
        *made += ", 1";
        ++i;
      }
    }
    if (!made) return std::nullopt;
    // An object that has a name: an expression would make another one.
    if (type.kind == SurveyType::Kind::Pointer && !type.isTargetConst && made->find('(') == std::string::npos)
      passed.push_back(made->substr(0, made->find(", ")));
    if (given == i) made = orNull(function, i, std::move(*made));
    text += (text.empty() ? "" : ", ") + *made;
  }
  if (!isSharedAtOnce_) setUp = fillGlobalsOfSetUp() + fillGlobals(function) + setUp;
  return function.name + "(" + text + ")";
}

std::string HarnessWriter::fillGlobals(const SurveyFunction& function) {
  const bool isFirst = filled_.empty();
  std::string text;
  for (const auto& [path, global] : function.globalPointers) {
    if (filled_.size() == kMostGlobals) break;
    if (filled_.contains(path)) continue;
    const std::string made = anyPointer(global.type, "1");
    if (made.empty()) continue;
    const bool mayBeNull = (isAlone_ ? survey_.nullable : survey_.tested).contains(global.data);
    if (mayBeNull) declareInput("bool");
    if (isAlone_)
      text += "  if (!" + path + ")" +
              lazily(path,
                     std::string(mayBeNull ? "if (__VERIFIER_nondet_bool()) " : "") +
                         "*(void **)place = " + anyPointer(global.type, "depth") + ";",
                     "1");
    else
      text += "  if (!" + path + (mayBeNull ? " && __VERIFIER_nondet_bool()" : "") + ") *(void **)&" + path +
              " = " + made + ";\n";
    filled_.insert(path);
  }
  if (text.empty()) return text;
  isOdd = true;
  if (isFirst) assumed.emplace_back("pointers in global variables may lead to new objects");
  return text;
}

std::string HarnessWriter::giveList(uint32_t record) {
  lists_.insert(record);
  assumed.push_back("a list of '" + survey_.records[record].spelled + "' is null first");
  return now_.names[record] = variable(survey_.records[record].spelled + " *@", "list");
}

std::optional<std::string> HarnessWriter::otherList(const SurveyFunction& function, const SurveyType& type) {
  if (!type.isTwice || !lists_.contains(type.record)) return std::nullopt;
  const bool isGiven =
      std::any_of(function.parameters.begin(), function.parameters.end(), [&](const auto& parameter) {
        return parameter.second.record == type.record && !parameter.second.isTwice;
      });
  return isGiven ? std::optional("&" + variable(type.targetSpelled, "out")) : std::nullopt;
}

void HarnessWriter::giveMemory(uint32_t record) {
  making_.insert(record);
  now_.names[record] = "&" + variable(survey_.records[record].spelled + " @", "object");
}

}  // namespace heddle
