// What main is called with: arguments that the user gives, or any few short ones; and what an entry point
// that is not main is called with.
#include <algorithm>
#include <string_view>

#include "analysis/interp/core/main_arguments.h"

#include "analysis/interp/core/execution.h"

namespace heddle {

namespace {

constexpr uint32_t kMostArguments = 3;       // beside the program's name
constexpr unsigned kArgumentCountBits = 2;   // hold 0 to kMostArguments
constexpr uint32_t kArgumentCharacters = 3;  // of each, at most
constexpr uint32_t kVectorSite = kArgumentSite + 1;
constexpr std::string_view kProgramName = "program";

}  // namespace

void Execution::startMain(Thread& t, Value* r) {
  const Function& function = program.functions[t.function];
  if (function.parameters == 0) return;
  if (function.name != "main") return startOther(t, r);
  const auto& types = function.parameterTypes;
  const auto& given = program.environment.arguments;
  const bool isLookedAt =
      std::any_of(types.begin(), types.end(), [](const Parameter& p) { return p.isUsed; });
  const bool isAny = !given && isLookedAt;
  const uint32_t most = given ? static_cast<uint32_t>(given->size()) : isAny ? kMostArguments : 0;
  Value count{most};
  if (isAny) {
    result.bounds.insert({BoundKind::Arguments, function.place, kMostArguments});
    count = zeroExtended(terms, inputs.fresh(t, kArgumentCountBits, false, "command line arguments", true),
                         kArgumentCountBits, 32);
  }
  r[0] = binaryValue(terms, TermOp::Add, count, {1}, 32);
  if (function.parameters < 2) return;
  const unsigned pointer = program.pointerBits() / 8;
  const auto make = [&](uint32_t site, uint32_t ordinal, uint64_t size) {
    MemoryObject* object = memory.create({ObjectKind::Library, kMainThread, site, ordinal, size});
    return object && memory.touch(*object) ? object : nullptr;
  };
  const auto fill = [&](MemoryObject& text, std::string_view characters) {
    for (uint32_t i = 0; i <= characters.size(); ++i)
      memory.write(text, i, 1, {i < characters.size() ? static_cast<unsigned char>(characters[i]) : 0u});
  };
  MemoryObject* name = make(kArgumentSite, 0, kProgramName.size() + 1);
  MemoryObject* vector = make(kVectorSite, 0, uint64_t{most + 2} * pointer);
  if (!name || !vector) return unsupported(t, "main's arguments");
  fill(*name, kProgramName);
  memory.write(*vector, 0, pointer, {name->base});
  // The texts are inputs only where main can look at them.
  const bool hasTexts = isAny && types[1].isUsed;
  for (uint32_t i = 0; i < most; ++i) {
    const std::string_view characters = given ? std::string_view((*given)[i]) : std::string_view();
    MemoryObject* text = make(kArgumentSite, i + 1, given ? characters.size() + 1 : kArgumentCharacters + 1);
    if (!text) return unsupported(t, "main's arguments");
    fill(*text, characters);
    for (uint32_t k = 0; hasTexts && k < kArgumentCharacters; ++k)
      memory.write(
          *text, k, 1,
          inputs.fresh(t, 8, true,
                       "argument " + std::to_string(i + 1) + ", character " + std::to_string(k + 1), true));
    if (hasTexts) memory.write(*text, kArgumentCharacters, 1, {0});
    const Value isThere = binaryValue(terms, TermOp::Ult, {i}, count, 32);
    memory.write(*vector, (i + 1u) * pointer, pointer,
                 selected(terms, isThere, {text->base}, {0}, pointer * 8));
  }
  memory.write(*vector, (most + 1u) * pointer, pointer, {0});
  r[1] = {vector->base};
  if (function.parameters > 2) r[2] = {vector->base + (most + 1u) * pointer};
}

void Execution::startOther(Thread& t, Value* r) {
  // Who calls an entry point that is not main is unknown: it may be called with any numbers.
  const Function& function = program.functions[t.function];
  for (uint32_t i = 0; i < function.parameters; ++i) {
    const Parameter& parameter = function.parameterTypes[i];
    if (parameter.isPointer)
      return unsupported(t,
                         "the entry point '" + function.name + "' takes a pointer, '" + parameter.name + "'");
    r[i] = inputs.fresh(t, parameter.width, true, parameter.name);
  }
}

}  // namespace heddle
