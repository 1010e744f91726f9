#include "server/source/harness_hooks.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

namespace heddle {
namespace {

using Part = SurveySignature::Part;

constexpr unsigned kInside = 3;  // objects in objects that are looked into

enum class AllocatorRole : uint8_t { None, Allocate, Reallocate, Free };

bool contains(std::string_view name, std::string_view part) {
  const auto isSame = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return std::search(name.begin(), name.end(), part.begin(), part.end(), isSame) != name.end();
}

std::vector<unsigned> indicesOf(const SurveySignature& signature, Part part) {
  std::vector<unsigned> found;
  for (unsigned i = 0; i < signature.parameters.size(); ++i)
    if (signature.parameters[i] == part) found.push_back(i);
  return found;
}

/// Parameters that say how much: some projects have `int` there.
std::vector<unsigned> sizesOf(const SurveySignature& signature) {
  std::vector<unsigned> sizes = indicesOf(signature, Part::Size);
  return sizes.empty() ? indicesOf(signature, Part::Number) : sizes;
}

AllocatorRole roleOf(const SurveyField& field) {
  const SurveySignature& signature = field.type.signature;
  const size_t pointers = indicesOf(signature, Part::Untyped).size(), sizes = sizesOf(signature).size();
  const bool isSized = sizes == 1 || sizes == 2;
  if (signature.result == Part::Untyped && isSized) {
    if (contains(field.name, "realloc") && pointers != 0) return AllocatorRole::Reallocate;
    if (contains(field.name, "alloc")) return AllocatorRole::Allocate;
  }
  const bool frees = contains(field.name, "free") || contains(field.name, "dealloc");
  return signature.result == Part::Nothing && pointers != 0 && frees ? AllocatorRole::Free
                                                                     : AllocatorRole::None;
}

/// The members allocate and free together: a lone "free" is as a rule what an element's owner wants done.
bool isAllocator(const SurveyRecord& record) {
  const auto has = [&](AllocatorRole role) {
    return std::any_of(record.fields.begin(), record.fields.end(),
                       [&](const SurveyField& field) { return roleOf(field) == role; });
  };
  return has(AllocatorRole::Allocate) && has(AllocatorRole::Free);
}

/// What is given beside the memory stands in front of it, in all functions of a table, or behind it.
bool hasContextFirst(const SurveyRecord& record) {
  return std::any_of(record.fields.begin(), record.fields.end(), [](const SurveyField& field) {
    return roleOf(field) == AllocatorRole::Allocate && !field.type.signature.parameters.empty() &&
           field.type.signature.parameters.front() == Part::Untyped;
  });
}

std::string parameterText(unsigned index) {
  return "a" + std::to_string(index);
}

std::string amountText(const SurveyField& field, bool isProduct) {
  const std::vector<unsigned> sizes = sizesOf(field.type.signature);
  const std::string first = parameterText(sizes.front()), last = parameterText(sizes.back());
  if (sizes.size() == 1) return first;
  if (contains(field.name, "align")) return first + " > " + last + " ? " + first + " : " + last;
  return isProduct ? "(unsigned long)" + first + " * " + last : last;
}

/// The body of a function for the member; nothing: it is none of an allocator.
std::optional<std::string> allocatorBody(const SurveyRecord& record, const SurveyField& field) {
  const AllocatorRole role = roleOf(field);
  if (role == AllocatorRole::None || !isAllocator(record)) return std::nullopt;
  if (role == AllocatorRole::Allocate) {
    const std::string amount = amountText(field, true);
    return contains(field.name, "calloc") ? "return __builtin_calloc(1, " + amount + ");"
                                          : "return __builtin_malloc(" + amount + ");";
  }
  const std::vector<unsigned> pointers = indicesOf(field.type.signature, Part::Untyped);
  const std::string memory = parameterText(hasContextFirst(record) ? pointers.back() : pointers.front());
  if (role == AllocatorRole::Free) return "__builtin_free(" + memory + ");";
  return "return __builtin_realloc(" + memory + ", " + amountText(field, contains(field.name, "array")) +
         ");";
}

bool isHook(const SurveyField& field) {
  return !field.type.signature.declared.empty();
}

}  // namespace

bool HarnessHooks::isTable(const Survey& survey, uint32_t record) {
  if (record == kNoRecord || !survey.records[record].isComplete) return false;
  const std::vector<SurveyField>& fields = survey.records[record].fields;
  const auto hooks = static_cast<size_t>(std::count_if(fields.begin(), fields.end(), isHook));
  return hooks != 0 && hooks * 2 >= fields.size();
}

std::string HarnessHooks::made(uint32_t record, const SurveyField& field) {
  const std::string function = "heddle_hook" + std::to_string(functions_.size());
  const auto body = record == kNoRecord ? std::nullopt : allocatorBody(survey_.records[record], field);
  if (body) {
    std::string unused;
    for (unsigned i = 0; i < field.type.signature.parameters.size(); ++i)
      if (const std::string name = parameterText(i); body->find(name) == std::string::npos)
        unused += " (void)" + name + ";";
    globals_ +=
        "static " + withName(field.type.signature.declared, function) + " {" + unused + " " + *body + " }\n";
    if (told_.insert(record).second)
      assumed_.push_back("the functions of a '" + survey_.records[record].spelled +
                         "' allocate and free as those of the C library do");
    return function;
  }
  // The report names it by the label. None of a library's families begins so.
  const std::string label = "any " + field.data;
  globals_ +=
      "extern " + withName(field.type.signature.declared, function) + " __asm__(\"" + label + "\");\n";
  if (unknown_.empty())
    assumed_.emplace_back("functions that made-up objects point to change no object that they are given");
  unknown_.insert(label);
  return function;
}

std::string HarnessHooks::functionFor(uint32_t record, const SurveyField& field, bool mayBeOwn) {
  const auto hook = survey_.hooks.find(field.data);
  if (mayBeOwn && hook != survey_.hooks.end() && !hook->second.function.empty()) {
    usesOwn = true;
    if (own_.insert(field.data).second)
      assumed_.push_back("'" + field.data + "' is '" + hook->second.function + "'");
    return hook->second.function;
  }
  const auto [known, isNew] = functions_.try_emplace(field.data);
  if (isNew) known->second = made(record, field);
  return known->second;
}

bool HarnessHooks::isTested(uint32_t record, const SurveyField& field) const {
  // Whoever gives no allocator means that of the C library, which these are.
  if (record != kNoRecord && allocatorBody(survey_.records[record], field)) return false;
  const auto known = survey_.hooks.find(field.data);
  return known != survey_.hooks.end() && known->second.isTested;
}

std::vector<HarnessHooks::Member> HarnessHooks::membersOf(uint32_t record) const {
  struct Inner {
    uint32_t record;
    std::string path;
    unsigned depth;
  };
  std::vector<Inner> parts = {{record, ".", 0}};
  std::vector<Member> members;
  for (size_t i = 0; i < parts.size(); ++i) {
    const Inner part = parts[i];
    for (const SurveyField& field : survey_.records[part.record].fields) {
      const std::string path = part.path + field.name;
      if (field.lock.empty() && field.type.kind == SurveyType::Kind::Record && part.depth < kInside)
        parts.push_back({field.type.record, path + ".", part.depth + 1});
      if (isHook(field)) members.push_back({path, part.record, &field, isTested(part.record, field)});
    }
  }
  return members;
}

std::string HarnessHooks::set(uint32_t record, const std::string& object, bool isDescription) {
  std::string text;
  for (const Member& member : membersOf(record)) {
    if (member.isTested && isDescription) continue;
    usesChoice |= member.isTested;
    // Members may be const.
    text += std::string("  ") + (member.isTested ? "if (__VERIFIER_nondet_bool()) " : "") + "*(void **)&" +
            object + member.path + " = (void *)" + functionFor(member.record, *member.field, true) + ";\n";
  }
  return text;
}

void HarnessHooks::define(const SurveyField& variable) {
  if (!defined_.insert(variable.name).second) return;
  std::string value;
  if (isHook(variable)) {
    if (!isTested(kNoRecord, variable)) value = "(void *)" + functionFor(kNoRecord, variable, false);
  } else if (variable.type.kind == SurveyType::Kind::Record && isTable(survey_, variable.type.record)) {
    for (const Member& member : membersOf(variable.type.record))
      if (!member.isTested)
        value += (value.empty() ? "" : ", ") + member.path + " = (void *)" +
                 functionFor(member.record, *member.field, false);
    if (!value.empty()) value = "{" + value + "}";
  }
  if (value.empty()) return;
  // A file that is linked and defines it has its own value.
  globals_ +=
      "__typeof__(" + variable.name + ") " + variable.name + " __attribute__((weak)) = " + value + ";\n";
  assumed_.push_back("'" + variable.name + "', which no file given defines, is 0 but for its functions");
}

}  // namespace heddle
