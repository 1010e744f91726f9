// Variables of the environment of the process.
#include <optional>
#include <string_view>

#include "analysis/interp/core/call.h"
#include "analysis/interp/core/errno_value.h"

namespace heddle {

namespace variable_calls {
namespace {

bool isSetter(std::string_view name) {
  return name == "setenv" || name == "putenv" || name == "unsetenv" || name == "clearenv";
}

/// The text that a constant of a function points to; nothing where it is none of the program's literals.
std::optional<std::string> literalAt(const Program& program, const Function& function, uint32_t slot) {
  for (const Relocation& made : function.relocations) {
    if (made.target != RelocationTarget::Global || function.parameters + made.offset != slot) continue;
    const GlobalVariable& global = program.globals[made.index];
    if (!global.isConstant || !global.relocations.empty() || function.constants[made.offset] != 0) break;
    const std::string text(global.initializer.begin(), global.initializer.end());
    return text.substr(0, text.find('\0'));
  }
  return std::nullopt;
}

bool hasSetter(const Program& program, const std::vector<Relocation>& relocations) {
  for (const Relocation& made : relocations)
    if (made.target == RelocationTarget::Function && isSetter(program.functions[made.index].name))
      return true;
  return false;
}

/// Whether some call of the program may set the variable: one that names it, or that does not say by a
/// literal what it names.
bool maySet(const Program& program, const std::string& name) {
  for (const GlobalVariable& global : program.globals)
    if (hasSetter(program, global.relocations)) return true;
  for (const Function& function : program.functions) {
    if (!function.defined) continue;
    if (hasSetter(program, function.relocations)) return true;
    for (uint32_t pc = function.entry; pc < function.end; ++pc) {
      const Instruction& in = program.code[pc];
      if (in.op != Opcode::CallExternal || !isSetter(program.externals[in.a])) continue;
      const auto named =
          in.c == 0 ? std::nullopt : literalAt(program, function, program.arguments[in.b].slot);
      if (!named || named->substr(0, named->find('=')) == name) return true;
    }
  }
  return false;
}

/// Whether the thread's answer of before still holds: no other thread may set the variable. What the thread
/// sets itself it forgets.
bool isKept(Call& call, const std::string& name) {
  const ModelContext& e = call.context;
  const bool isFirstAlone = call.thread.id == kMainThread && call.thread.creates == 0;
  return !e.process.setsVariables || isFirstAlone || !maySet(e.program, name);
}

/// getenv: set or not. What it is set to is a short text of inputs. A thread that asks again gets the same
/// answer where nobody changes it meanwhile; what another thread was told is not part of its path.
Task<> get(Call& call) {
  ModelContext& e = call.context;
  const auto name = co_await call.readText(call.argument(0));
  if (!name) co_return;
  const bool keeps = isKept(call, *name);
  std::map<std::string, uint64_t>& known = call.thread.variables;
  if (const auto before = known.find(*name); keeps && before != known.end())
    co_return call.returns(before->second);
  const auto answer = [&](uint64_t text) {
    if (keeps) known[*name] = text;
    call.returns(text);
  };
  if (!call.outcome("$" + *name + " is set")) co_return answer(0);
  constexpr unsigned kLength = 8;
  MemoryObject* text = e.newObject(call.thread, ObjectKind::Library, 11, kLength + 1);
  if (!text || !e.memory.touch(*text)) co_return e.unsupported(call.thread, "the address space is used up");
  e.noteWritten(call.thread, *text);
  for (unsigned i = 0; i < kLength; ++i) e.memory.write(*text, i, 1, call.input(8, true, 8, "$" + *name));
  e.noteWritten(call.thread, *text);
  e.assume(e.place(call.thread), "environment variables have at most 8 characters");
  answer(text->base);
}

/// setenv, putenv, unsetenv: the next answer is any; of all variables, where no literal names the one that is
/// set (what the text holds in one execution would be no part of the thread's path).
Task<> set(Call& call) {
  const auto name = co_await call.readString(call.argument(0));
  if (!name) co_return;
  if (call.name == "setenv") {
    const auto value = co_await call.readString(call.argument(1));
    if (!value) co_return;
  }
  const Program& program = call.context.program;
  const Function& caller = program.functions[call.thread.frames.back().function];
  if (const auto named = literalAt(program, caller, program.arguments[call.pool].slot))
    call.thread.variables.erase(named->substr(0, named->find('=')));
  else
    call.thread.variables.clear();
  if (call.succeeds()) co_return call.returns(0);
  call.setErrno(errno_value::kNoMemory);
  call.returns(widthMask(32));
}

void clear(Call& call) {
  call.thread.variables.clear();
  call.returns(0);
}

constexpr ModelledCall kModels[] = {
    {"getenv", nullptr, get}, {"secure_getenv", nullptr, get}, {"setenv", nullptr, set},
    {"putenv", nullptr, set}, {"unsetenv", nullptr, set},      {"clearenv", clear, nullptr},
};

}  // namespace
}  // namespace variable_calls

std::span<const ModelledCall> variableModels() {
  return variable_calls::kModels;
}

}  // namespace heddle
