#include "tests/weak/litmus_program.h"

namespace heddle::weak {

const char* nameOf(Model model) {
  constexpr const char* kNames[] = {"sc", "tso", "pso", "c11"};
  return kNames[static_cast<int>(model)];
}

namespace {

std::string builtin(Order order) {
  constexpr const char* kNames[] = {
      "", "__ATOMIC_RELAXED", "__ATOMIC_ACQUIRE", "__ATOMIC_RELEASE", "__ATOMIC_ACQ_REL", "__ATOMIC_SEQ_CST"};
  return kNames[static_cast<int>(order)];
}

/// A register, or in a loop the one of the round.
std::string registerText(int first, int second) {
  const std::string text = "r" + std::to_string(first);
  return first == second ? text : "*(i ? &r" + std::to_string(second) + " : &" + text + ")";
}

/// `again`: the same operation in the second round of a loop.
std::string textOf(const Operation& op, const Operation& again) {
  const std::string at = "x" + std::to_string(op.location);
  std::string value = std::to_string(op.value);
  if (op.addend >= 0) value = registerText(op.addend, again.addend) + " + " + value;
  if (op.valueInput >= 0) value += " + n" + std::to_string(op.valueInput);
  std::string expected = std::to_string(op.expected);
  if (op.expectedInput >= 0) expected += " + n" + std::to_string(op.expectedInput);
  const std::string to = op.result >= 0 ? registerText(op.result, again.result) + " = " : "";
  std::string text;
  switch (op.kind) {
    case Operation::Kind::Load:
      text = to + (op.order == Order::Plain ? at : "__atomic_load_n(&" + at + ", " + builtin(op.order) + ")");
      break;
    case Operation::Kind::Store:
      text = op.order == Order::Plain
                 ? at + " = " + value
                 : "__atomic_store_n(&" + at + ", " + value + ", " + builtin(op.order) + ")";
      break;
    case Operation::Kind::Exchange:
      text = to + "__atomic_exchange_n(&" + at + ", " + value + ", " + builtin(op.order) + ")";
      break;
    case Operation::Kind::Add:
      text = to + "__atomic_fetch_add(&" + at + ", " + value + ", " + builtin(op.order) + ")";
      break;
    case Operation::Kind::CompareExchange:
      text = "{ int e = " + expected + "; __atomic_compare_exchange_n(&" + at + ", &e, " + value +
             (op.isWeak ? ", 1, " : ", 0, ") + builtin(op.order) + ", " + builtin(op.failure) + "); " + to +
             "e; }";
      break;
    case Operation::Kind::Fence:
      text = "__atomic_thread_fence(" + builtin(op.order) + ")";
      break;
  }
  if (op.guard >= 0)
    text =
        "if (" + registerText(op.guard, again.guard) + " == " + std::to_string(op.guardValue) + ") " + text;
  if (op.guardInput >= 0)
    text = "if (n" + std::to_string(op.guardInput) + " == " + std::to_string(op.guardInputValue) + ") { " +
           text + "; }";
  return "  " + text + ";\n";
}

std::string textOf(size_t number, InputKind kind) {
  const std::string name = "n" + std::to_string(number);
  if (kind == InputKind::Reduced)
    return "  " + name + " = (int)(__VERIFIER_nondet_uint() % " + std::to_string(kInputValues) + ");\n";
  return "  " + name + " = __VERIFIER_nondet_int();\n  __VERIFIER_assume(" + name + " >= 0 && " + name +
         " < " + std::to_string(kInputValues) + ");\n";
}

bool uses(const LitmusProgram& program, size_t thread, int input) {
  for (const Operation& op : program.threads[thread])
    if (op.valueInput == input || op.expectedInput == input || op.guardInput == input) return true;
  for (const LitmusLoop& loop : program.loops)
    if (loop.thread == thread && loop.secondInput == input) return true;
  return false;
}

}  // namespace

std::string textOf(const LitmusProgram& program) {
  std::string text = "#include <pthread.h>\n";
  for (int i = 0; i < program.locations; ++i) text += "int x" + std::to_string(i) + ";\n";
  for (int i = 0; i < program.registers; ++i) text += "int r" + std::to_string(i) + ";\n";
  std::string creates, joins;
  if (!program.inputs.empty())
    text +=
        "int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void); void "
        "__VERIFIER_assume(int);\n";
  std::vector<std::string> own(program.threads.size());
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    text += "int n" + std::to_string(i) + ";\n";
    std::string* where = &creates;
    if (program.inputs[i] == InputKind::InThread)
      for (size_t t = program.threads.size(); t-- > 0;)
        if (uses(program, t, static_cast<int>(i))) where = &own[t];
    *where += textOf(i, program.inputs[i]);
  }
  for (size_t t = 0; t < program.threads.size(); ++t) {
    const std::string name = std::to_string(t);
    text += "void *t" + name + "(void *p) {\n" + own[t];
    LitmusLoop loop;
    for (const LitmusLoop& other : program.loops)
      if (other.thread == t) loop = other;
    const std::vector<Operation>& operations = program.threads[t];
    for (size_t i = 0; i < operations.size(); ++i) {
      const bool isLooped = loop.length > 0 && i >= loop.begin && i < loop.begin + loop.length;
      if (isLooped && i == loop.begin) {
        const std::string rounds =
            loop.secondInput < 0 ? "2" : "1 + (n" + std::to_string(loop.secondInput) + " != 0)";
        text += "  for (int i = 0; i < " + rounds + "; i++) {\n";
      }
      text += textOf(operations[i], isLooped ? operations[i + loop.length] : operations[i]);
      if (isLooped && i + 1 == loop.begin + loop.length) {
        text += "  }\n";
        i += loop.length;
      }
    }
    text += "  return p;\n}\n";
    creates += "  pthread_t i" + name + "; pthread_create(&i" + name + ", 0, t" + name + ", 0);\n";
    joins += "  pthread_join(i" + name + ", 0);\n";
  }
  return text + "int main(void) {\n" + creates + joins + "  return 0;\n}\n";
}

}  // namespace heddle::weak
