// Small programs about memory orders: two or three threads of a few operations on a few locations.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace heddle::weak {

enum class Order : uint8_t { Plain, Relaxed, Acquire, Release, AcquireRelease, SeqCst };
enum class Model : uint8_t { Sc, Tso, Pso, C11 };
inline constexpr Model kModels[] = {Model::Sc, Model::Tso, Model::Pso, Model::C11};
const char* nameOf(Model model);

struct Operation {
  enum class Kind : uint8_t { Load, Store, Exchange, Add, CompareExchange, Fence };
  Kind kind = Kind::Load;
  int location = 0;
  int value = 0;     // stored, added, or wanted by a compare-exchange
  int expected = 0;  // of a compare-exchange
  Order order = Order::Relaxed;
  Order failure = Order::Relaxed;  // of a compare-exchange
  int result = -1;                 // the register that takes what was read; -1: none
  int addend = -1;                 // a register of the same thread whose value is added to `value`; -1: none
  int guard = -1;                  // only if this register of the same thread holds `guardValue`
  int guardValue = 0;
  bool isWeak = false;  // a compare-exchange that may fail by itself
  // Numbers of inputs; -1: none.
  int valueInput = -1;     // added to `value`
  int expectedInput = -1;  // added to `expected`
  int guardInput = -1;     // only if this input is `guardInputValue`
  int guardInputValue = 0;
};

/// How the program comes to an input: all have the values 0 to 2.
enum class InputKind : uint8_t {
  InMain,    // before the threads, where it is assumed to be small
  InThread,  // by the first thread that uses it, which is the only one; assumed to be small
  Reduced,   // before the threads, as a remainder
};

/// Operations that are written once and run twice: those from `begin` on, and as many behind them, which are
/// the same but for the registers.
struct LitmusLoop {
  size_t thread = 0, begin = 0, length = 0;
  int secondInput = -1;  // the second time only if this input is not 0
};

struct LitmusProgram {
  std::vector<std::vector<Operation>> threads;
  int locations = 0;
  int registers = 0;
  std::vector<LitmusLoop> loops = {};  // at most one in each thread
  std::vector<InputKind> inputs = {};
};

inline constexpr int kInputValues = 3;

/// The values of all registers, then of all locations, then of all inputs, at the end. Registers that nothing
/// was read to are 0.
using Outcome = std::vector<int>;

struct Outcomes {
  std::set<Outcome> all;
  bool hasRace = false;  // in some execution, as C11 says
};

/// From all choices of what is read and of how writes are ordered, those that the axioms allow.
Outcomes enumerate(const LitmusProgram& program, Model model);

/// As C: "r0", … and "x0", … are globals.
std::string textOf(const LitmusProgram& program);

struct RandomOptions {
  bool withPlain = false;
  bool withLoops = false;  // and weak compare-exchanges
  bool withInputs = false;
};
LitmusProgram randomLitmus(uint64_t seed, const RandomOptions& options);

struct LitmusTest {
  std::string name;
  LitmusProgram program;
  Outcome outcome;         // -1: any value
  bool isAllowed[4] = {};  // by Model
};

/// The classic families with all orders and fences, each with the answers that the definitions give.
std::vector<LitmusTest> litmusTests();

}  // namespace heddle::weak
