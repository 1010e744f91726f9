// Instruction: the executable form of one LLVM instruction (or of a part of one).
//
// Operands are slots of the running frame: parameters first, then the function's constants (copied in on
// entry), then results and temporaries. An aggregate takes consecutive slots, one per scalar. Integers are
// kept masked to their width; floats and doubles as their bits; pointers as integers of the target's width.
#pragma once

#include <cstdint>

#include "analysis/model/ids.h"

namespace heddle {

enum class Opcode : uint8_t {
  Move,  // dst = a
// dst = a op b, as TermOp's of the same name
#define HEDDLE_BINARY_OP(name) name,
#include "analysis/model/binary_ops.def"
  Ne,
  ZExt,
  SExt,  // aux: width of a
  Trunc,
  Select,        // dst = a ? b : c
  AddImm,        // dst = a + (int32) c
  ScaleAdd,      // dst = a + signed(b, aux bits) * c
  Freeze,        // dst = a, undefined values settled
  Float,         // aux: FloatOp
  FloatCompare,  // aux: bit 0 equal, bit 1 greater, bit 2 less, bit 3 unordered: true when the relation holds
  Integer,       // aux: IntegerOp, the intrinsics
  // Wide values take two slots: the low 64 bits and the rest.
  Wide,       // dst, dst+1 = a op b (comparisons: dst alone; distances: b alone); aux: Opcode; width: 65..128
  LongFloat,  // x86 80-bit floating point; aux: FloatOp; flags: width of the other side of a conversion
  LongCompare,      // dst = relation; aux as FloatCompare
  Load,             // dst = *a; c: the pointer that a is derived from; aux: bytes
  Store,            // *a = b; c as Load
  AtomicRmw,        // dst = old *a; *a = flags(RmwOp)(old, b); c as Load
  CompareExchange,  // dst, dst+1 = old *a, success; b expected, c desired
  Fence,            // aux: MemoryOrder
  Alloca,  // dst = address of a new object; a: stack variable; b: slot of the count or kNone; flags: kPrivate
  ThreadLocal,  // dst = address of thread-local global a
  Jump,         // to a
  JumpBack,  // to a, a back edge; b: slot of the loop's counter; c: of the test that ends a counted loop, or
             // kNone
  MergePoint,  // where paths meet; a: number in Program::mergePoints; b: slot of the loop's counter or kNone
  Branch,      // a ? b : c; aux: errorSide + 1
  Switch,      // on a; b: switch table
  Return,      // slots a … a+b-1
  Unreachable,
  Call,          // dst = function a(arguments b … b+c-1 of the argument pool); aux: result slots
  CallIndirect,  // as Call, a: slot of the callee
  CallExternal,  // as Call, a: external; width: of the result, 0 for void
  Unsupported,   // a: text
  Statement,     // a line begins; a: number in Program::statements
};

enum class FloatOp : uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  Neg,
  ToSigned,
  ToUnsigned,
  FromSigned,
  FromUnsigned,
  Extend,
  Truncate,
  Abs,
  Fma,
  Floor,
  Ceil,
  Trunc,
  Sqrt,
  CopySign,
  Min,
  Max,
  Rint,
  Round
};

enum class IntegerOp : uint8_t {
  SMax,
  SMin,
  UMax,
  UMin,
  Abs,
  ByteSwap,
  PopCount,
  LeadingZeros,
  TrailingZeros,
  // dst, dst+1 = result, overflow
  SAddOverflow,
  UAddOverflow,
  SSubOverflow,
  USubOverflow,
  SMulOverflow,
  UMulOverflow,
  FunnelLeft,
  FunnelRight,  // a, b, c
  BitReverse,
  SAddSat,
  UAddSat,
  SSubSat,
  USubSat,
};

enum class RmwOp : uint8_t { Exchange, Add, Sub, And, Nand, Or, Xor, Max, Min, UMax, UMin };

inline constexpr uint8_t kAtomic = 1;   // Load, Store
inline constexpr uint8_t kPrivate = 2;  // Alloca: the address never leaves the frame

inline constexpr uint8_t kWeak = 8;       // CompareExchange: may fail where it could succeed
inline constexpr uint8_t kVolatile = 16;  // Load, Store

inline constexpr uint8_t kPointerResult = 4;  // CallExternal, CallIndirect: the result is an address
inline constexpr uint8_t kNoReturn = 32;      // CallExternal, CallIndirect: declared never to return

struct Instruction {
  Opcode op = Opcode::Move;
  uint8_t width = 0;  // of the result (Store: of the value), in bits
  uint8_t aux = 0;
  uint8_t flags = 0;
  uint32_t dst = 0;
  uint32_t a = 0, b = 0, c = 0;
  PlaceId place = kNone;
};
static_assert(sizeof(Instruction) == 24);

inline Instruction instructionOf(Opcode op, uint32_t dst = 0, uint32_t a = 0, uint32_t b = 0,
                                 uint32_t c = 0) {
  Instruction in;
  in.op = op;
  in.dst = dst;
  in.a = a;
  in.b = b;
  in.c = c;
  return in;
}

}  // namespace heddle
