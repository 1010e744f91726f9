// Program: a C program ready to be executed; nothing in it refers to LLVM.
//
// Functions share one instruction vector; a program counter is an index into it. What could not be lowered is
// an Unsupported instruction, whose text matters only when it is reached.
//
// Threading: immutable after `lower`, so any number of machines may share it.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/model/memory_order.h"
#include "analysis/model/names.h"
#include "analysis/program/access_name.h"
#include "analysis/program/instruction.h"
#include "analysis/program/type_table.h"
#include "analysis/support/declared_function.h"
#include "analysis/support/environment.h"

namespace llvm {
class Module;
}

namespace heddle {

struct Place {
  std::string_view file;  // absolute when the compiler knew the directory
  uint32_t line = 0;      // 1-based; 0 = unknown
  uint32_t column = 0;    // 1-based, bytes; 0 = unknown
  std::string_view function;
  bool operator==(const Place&) const = default;
};

enum class RelocationTarget : uint8_t { None, Global, Function };

/// A constant that an address of this exploration is added to.
struct Relocation {
  uint64_t offset = 0;  // slot number among the function's constants, or byte offset in a global
  RelocationTarget target = RelocationTarget::None;
  uint32_t index = 0;
  uint8_t size = 8;  // bytes
};

struct GlobalVariable {
  std::string name;
  uint64_t size = 0;
  TypeIndex type = kNoType;
  PlaceId place = kNone;
  bool isConstant = false;
  bool isThreadLocal = false;
  bool isExternal = false;           // declared, but not defined in the program
  bool isSizeAssumed = false;        // an array that is declared without a size: it has some elements
  std::vector<uint8_t> initializer;  // trailing zeros left out; addends stand at the relocations
  std::vector<Relocation> relocations;
};

struct StackVariable {
  std::string name;   // empty: a temporary of the compiler
  uint64_t size = 0;  // of one element
  TypeIndex type = kNoType;
};

/// One scalar that a function is given.
struct Parameter {
  std::string name;
  uint8_t width = 64;  // bits
  bool isPointer = false;
  bool isUsed = true;
};

struct Function {
  std::string name;
  bool defined = false;
  bool isVarArg = false;
  bool isAtomic = false;  // __VERIFIER_atomic_NAME: its body is one atomic section
  uint32_t entry = 0;     // program counter
  uint32_t end = 0;
  uint32_t parameters = 0;                // slots 0 … parameters-1
  std::vector<Parameter> parameterTypes;  // by slot
  uint32_t slots = 0;
  std::vector<uint64_t> constants;  // slots parameters …
  std::vector<uint8_t> undefined;   // by constant: 1 for undef and poison
  std::vector<Relocation> relocations;
  uint32_t returnSlots = 0;
  uint32_t external = kNone;  // number among the externals when it is called as one
  PlaceId place = kNone;
};

struct SwitchTable {
  uint32_t defaultTarget = 0;
  std::vector<std::pair<uint64_t, uint32_t>> cases;  // value → program counter
};

/// An argument of a call: its slot, and how it lies in memory when it is a variable one.
struct CallArgument {
  uint32_t slot = 0;
  uint8_t width = 64;      // bits
  bool isMemory = false;   // a structure passed by value in memory: the slot holds the address of a copy
  bool isPointer = false;  // its type is an address
  uint32_t offset = 0;     // among the variable arguments, in bytes
  uint32_t bytes = 0;      // of a structure in memory
};

/// A variable of a function, as the source declares it.
struct LocalVariable {
  std::string name;
  TypeIndex type = kNoType;
  bool isParameter = false;
};

/// Where a variable is found while its frame stands at a statement.
struct VariablePlace {
  uint32_t variable = 0;   // number in Program::localVariables
  uint32_t slot = kNone;   // kNone: it has no value there
  bool isAddress = false;  // the slot holds its address, 0 before it has one
};

/// Where a line begins in the code of a function, for a debugger.
struct Statement {
  PlaceId place = kNone;
  std::vector<VariablePlace> variables;  // in scope, inner ones last
};

/// What the state of a frame consists of, at a point where it may be compared with another.
struct FramePoint {
  std::vector<uint32_t> live;  // slots whose values may still be read; constants and loop counters left out
  std::vector<uint32_t> counters;  // of the loops around the point
  bool isEndless = false;          // it is the head of a loop that only failures leave
  bool isStraight = false;         // and each round takes the same way through it
  std::vector<PlaceId> exits;      // head of a loop: places of the reads that decide whether it is left
};

class Program {
 public:
  static constexpr uint32_t kFirstLife = 16;  // library objects with smaller sites have other purposes

  Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const Place& place(PlaceId id) const { return id < places.size() ? places[id] : unknownPlace_; }
  /// "a.c:12", without the directory.
  std::string shortPlace(PlaceId id) const;
  /// The name of the function that has the instruction.
  std::string functionAround(uint32_t pc) const;
  /// A function with a body.
  std::optional<FunctionId> findFunction(std::string_view name) const;
  const std::string& functionName(FunctionId id) const { return functions[id].name; }
  unsigned pointerBits() const { return pointerWidth; }

  /// The variable's name for an object, "struct job allocated at a.c:12" for others.
  std::string describe(const ObjectName& object) const;
  /// The bytes [offset, offset+size) of it: "x", "a[3]", "acc.balance", "heap object allocated at a.c:12 +
  /// 8".
  std::string describe(const ObjectName& object, uint64_t offset, uint64_t size = 1) const;
  /// As `describe`, in the words of the text at the place: "pool->stop" for memory that a pointer leads to.
  std::string describeAt(PlaceId place, const ObjectName& object, uint64_t offset, uint64_t size = 1) const;
  /// What the text at the place calls the whole of it: "pool"; else as `describe`.
  std::string describeAt(PlaceId place, const ObjectName& object) const;
  /// As `describe`, but the same for every place and without any line: "struct pool->stop"; "heap object" for
  /// memory of unknown type.
  std::string describeWithoutPlace(const ObjectName& object, uint64_t offset, uint64_t size = 1) const;
  /// The name of the hidden object that tells whether an object is alive.
  ObjectName lifeOf(const ObjectName& object) const {
    // The site of a thread-local object is no instruction; each thread has one of each.
    const uint32_t ordinal = object.kind == ObjectKind::ThreadLocal ? ~0u : object.ordinal;
    return {ObjectKind::Library, object.owner, object.site + kFirstLife, ordinal, 1};
  }
  /// The name of the hidden object that tells, for the search for leaks, whether a heap object is allocated.
  ObjectName allocationOf(const ObjectName& object) const {
    return {ObjectKind::Library, object.owner, object.site + kFirstLife, object.ordinal, 2};
  }
  /// The name of the object that such a hidden object tells of. The size in it is not the object's own, but
  /// large enough for every member.
  ObjectName ownerOf(const ObjectName& hidden) const;
  /// The name of the hidden object that holds the bytes in a pipe or the like. `site`: the program counter at
  /// which the pipe was made.
  static ObjectName channelBuffer(ThreadId owner, uint32_t site, uint32_t ordinal) {
    return {ObjectKind::Library, owner, site + kFirstLife, ordinal, kChannelBytes};
  }
  static constexpr uint64_t kChannelBytes = 4096;
  /// The type of these bytes as the access at the place takes them; null: not known.
  const TypeNode* scalarAt(PlaceId place, const ObjectName& object, uint64_t offset) const;

  /// The type of a variable; kNoType for other objects.
  TypeIndex typeOf(const ObjectName& object) const;

  /// For an array variable: bytes per element, and the number of elements. {0, 0} for others.
  std::pair<uint64_t, uint64_t> elements(const ObjectName& object) const;

  Environment environment;
  bool cancels = false;     // executions may cancel threads
  bool mayStutter = false;  // there are waits on condition variables, or weak compare-exchanges
  std::vector<Instruction> code;
  std::vector<Function> functions;
  PlaceId harness = kNone;  // the first function of a harness behind the text of its file, which has no lines
  std::vector<GlobalVariable> globals;
  std::vector<StackVariable> stackVariables;
  std::vector<SwitchTable> switches;
  std::vector<CallArgument> arguments;  // the pool that calls refer to
  std::vector<FramePoint> mergePoints;  // where control comes together: blocks with several predecessors
  std::unordered_map<uint32_t, FramePoint> afterCall;  // by program counter of a call; its result is not live
  std::vector<std::string> externals;                  // names of functions without a body
  std::unordered_map<std::string, DeclaredFunction> declared;  // what the text says of them, by name
  std::unordered_map<uint32_t, AtomicOrders>
      weakAtomics;                 // by program counter: less than sequentially consistent
  std::vector<std::string> texts;  // of Unsupported instructions
  std::unordered_map<PlaceId, std::vector<AccessName>> accessNames;  // of what is reached by pointers there
  std::unordered_map<uint32_t, AccessName> allocations;  // by program counter: what the result is assigned to
  std::unordered_map<uint32_t, std::string>
      resultNames;                       // by program counter of a call: the variable assigned
  std::vector<FunctionId> constructors;  // run before main, in this order
  std::vector<FunctionId> destructors;   // run after the exit handlers, in this order
  FunctionId startup = kNone;            // made by the lowering: calls the constructors
  FunctionId shutdown = kNone;           // made by the lowering: runs exit handlers, then ends the process
  std::vector<Place> places;
  std::vector<Statement> statements;  // only if asked for
  std::vector<LocalVariable> localVariables;
  TypeTable types;
  unsigned pointerWidth = 64;

  std::string_view intern(std::string_view text);

 private:
  const AccessName* accessName(PlaceId place, const ObjectName& object, uint64_t offset) const;
  /// The type that a heap object was allocated for.
  TypeIndex allocatedType(const ObjectName& object) const;

  Place unknownPlace_;
  std::deque<std::string> strings_;
  std::unordered_map<std::string_view, std::string_view> interned_;
};

/// Never fails: what cannot be lowered becomes Unsupported instructions. `withStatements`: for a debugger.
std::unique_ptr<Program> lower(const llvm::Module& module, bool withStatements = false);

}  // namespace heddle
