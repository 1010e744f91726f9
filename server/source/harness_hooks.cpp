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

std::string named(std::string declared, const std::string& name) {
  if (const size_t at = declared.find('@'); at != std::string::npos) declared.replace(at, 1, name);
  return declared;
}

bool isHook(const SurveyField& field) {
  return !field.type.signature.declared.empty();
}

}  // namespace

bool HarnessHooks::isTable(uint32_t record) const {
  if (record == kNoRecord || !survey_.records[record].isComplete) return false;
  const std::vector<SurveyField>& fields = survey_.records[record].fields;
  const auto hooks = static_cast<size_t>(std::count_if(fields.begin(), fields.end(), isHook));
  return hooks != 0 && hooks * 2 >= fields.size();
}

std::string HarnessHooks::made(uint32_t record, const SurveyField& field) {
  const SurveyRecord& type = survey_.records[record];
  if (const auto known = survey_.hooks.find(field.data);
      known != survey_.hooks.end() && !known->second.function.empty()) {
    usesOwn = true;
    assumed_.push_back("'" + field.data + "' is '" + known->second.function + "'");
    return known->second.function;
  }
  const std::string function = "heddle_hook" + std::to_string(functions_.size() + 1);
  if (const auto body = allocatorBody(type, field)) {
    std::string unused;
    for (unsigned i = 0; i < field.type.signature.parameters.size(); ++i)
      if (const std::string name = parameterText(i); body->find(name) == std::string::npos)
        unused += " (void)" + name + ";";
    globals_ +=
        "static " + named(field.type.signature.declared, function) + " {" + unused + " " + *body + " }\n";
    if (told_.insert(record).second)
      assumed_.push_back("the functions of a '" + type.spelled +
                         "' allocate and free as those of the C library do");
    return function;
  }
  // The report names it by the label. None of a library's families begins so.
  const std::string label = "any " + field.data;
  globals_ += "extern " + named(field.type.signature.declared, function) + " __asm__(\"" + label + "\");\n";
  if (unknown_.empty())
    assumed_.emplace_back("functions that made-up objects point to change no object that they are given");
  unknown_.insert(label);
  return function;
}

const std::string& HarnessHooks::functionFor(uint32_t record, const SurveyField& field) {
  const auto [known, isNew] = functions_.try_emplace(field.data);
  if (isNew) known->second = made(record, field);
  return known->second;
}

std::string HarnessHooks::set(uint32_t record, const std::string& at, bool isDescription) {
  struct Inner {
    uint32_t record;
    std::string at;
    unsigned depth;
  };
  std::vector<Inner> parts = {{record, at, 0}};
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) {
    const Inner part = parts[i];
    for (const SurveyField& field : survey_.records[part.record].fields) {
      const std::string name = part.at + field.name;
      if (field.lock.empty() && field.type.kind == SurveyType::Kind::Record && part.depth < kInside)
        parts.push_back({field.type.record, name + ".", part.depth + 1});
      if (!isHook(field)) continue;
      const auto known = survey_.hooks.find(field.data);
      const bool isTested = known != survey_.hooks.end() && known->second.isTested;
      if (isTested && isDescription) continue;
      usesChoice |= isTested;
      // Members may be const.
      text += std::string("  ") + (isTested ? "if (__VERIFIER_nondet_bool()) " : "") + "*(void **)&" + name +
              " = (void *)" + functionFor(part.record, field) + ";\n";
    }
  }
  return text;
}

}  // namespace heddle
