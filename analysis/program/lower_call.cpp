#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include "analysis/program/array_bounds.h"
#include "analysis/program/function_lowering.h"
#include "analysis/program/modelled_names.h"
#include "analysis/program/pointer_names.h"
#include "analysis/support/assembly_text.h"

namespace heddle::lowering {

namespace {

std::string variableName(const llvm::Value& value) {
  llvm::Value* key = const_cast<llvm::Value*>(&value);
  llvm::SmallVector<llvm::DbgVariableRecord*, 4> records;
  llvm::findDbgUsers(key, records);
  for (const llvm::DbgVariableRecord* record : records) return record->getVariable()->getName().str();
  for (const llvm::User* user : value.users()) {
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user); store && store->getValueOperand() == &value) {
      const llvm::Value* target = store->getPointerOperand();
      while (auto* element = llvm::dyn_cast<llvm::GEPOperator>(target)) target = element->getPointerOperand();
      if (auto* global = llvm::dyn_cast<llvm::GlobalVariable>(target)) return global->getName().str();
      for (const llvm::DbgVariableRecord* record : llvm::findDVRDeclares(const_cast<llvm::Value*>(target)))
        return record->getVariable()->getName().str();
    }
  }
  for (const llvm::User* user : value.users())
    if (llvm::isa<llvm::CastInst>(user)) {
      const std::string name = variableName(*user);
      if (!name.empty()) return name;
    }
  return {};
}

}  // namespace

std::string FunctionLowering::resultName(const llvm::CallBase& call) const {
  if (call.getType()->isVoidTy()) return {};
  return variableName(call);
}

void FunctionLowering::lowerCall(const llvm::CallBase& call) {
  if (auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand())) {
    if (call.getType()->isVoidTy() && isFullFence(assembly->getAsmString())) {
      emit(Opcode::Fence).aux = static_cast<uint8_t>(MemoryOrder::SeqCst);
      return;
    }
    if (call.getType()->isVoidTy() && isAssemblyHint(assembly->getAsmString())) return;
    return unsupported("inline assembly");
  }
  const llvm::Value* target = call.getCalledOperand()->stripPointerCastsAndAliases();
  const auto* callee = llvm::dyn_cast<llvm::Function>(target);
  if (callee && callee->isIntrinsic()) {
    if (!lowerIntrinsic(call, *callee)) unsupported("intrinsic '" + callee->getName().str() + "'");
    return;
  }
  if (!call.getType()->isVoidTy() && !module_.flatten(call.getType()))
    return unsupported("a call with a result of this type");
  const auto count = static_cast<unsigned>(call.arg_size());
  if (!callee) return emitCall(call, Opcode::CallIndirect, slot(*call.getCalledOperand()), count);
  const Function& lowered = program_.functions[module_.functionIndex(*callee)];
  if (lowered.defined) return emitCall(call, Opcode::Call, module_.functionIndex(*callee), count);
  emitCall(call, Opcode::CallExternal, lowered.external, count);
}

bool FunctionLowering::lowerBeyondArray(const llvm::CallBase& trap) {
  if (llvm::cast<llvm::ConstantInt>(trap.getArgOperand(0))->getZExtValue() != kBeyondArray) return false;
  const auto width = static_cast<uint8_t>(program_.pointerWidth);
  CallArgument array{number(0), width, false, false, 0, 0}, index = array, elements = array;
  if (const llvm::GetElementPtrInst* element = checkedElement(trap)) {
    const llvm::BasicBlock* behind = element->getParent();
    // What the check is made of is known at the trap; what it guards is not.
    const auto isKnown = [&](const llvm::Value& value) {
      const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
      return !instruction || instruction->getParent() != behind;
    };
    const auto* branch =
        llvm::cast<llvm::BranchInst>(trap.getParent()->getSinglePredecessor()->getTerminator());
    const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
    const llvm::Value* place = comparison ? comparison->getOperand(0) : element->getOperand(2);
    const llvm::Value& base = *element->getPointerOperand();
    const auto count = llvm::cast<llvm::ArrayType>(element->getSourceElementType())->getNumElements();
    if (isKnown(base)) array = {slot(base), width, false, true, 0, 0};
    if (isKnown(*place)) {
      index = {slot(*place), static_cast<uint8_t>(module_.scalarWidth(place->getType())), false, false, 0, 0};
      elements.slot = number(count);
    }
  }
  const auto pool = static_cast<uint32_t>(program_.arguments.size());
  program_.arguments.insert(program_.arguments.end(), {array, index, elements});
  emit(Opcode::CallExternal, 0, module_.external(std::string(kBeyondArrayCall)), pool, 3).flags |= kNoReturn;
  return true;
}

void FunctionLowering::emitCall(const llvm::CallBase& call, Opcode op, uint32_t target,
                                unsigned argumentCount) {
  std::vector<CallArgument> lowered;
  const unsigned fixed = call.getFunctionType()->getNumParams();
  uint32_t area = 0;  // bytes of variable arguments so far
  for (unsigned i = 0; i < argumentCount; ++i) {
    const llvm::Value& argument = *call.getArgOperand(i);
    const auto parts = module_.flatten(argument.getType());
    if (!parts) return unsupported("an argument of this type");
    const uint32_t first = slot(argument);
    const bool byValue = call.isByValArgument(i);
    llvm::Type* type = byValue ? call.getParamByValType(i) : argument.getType();
    const auto bytes = static_cast<uint32_t>(module_.layout.getTypeAllocSize(type).getFixedValue());
    // Where va_arg code looks for it: words, and on 64-bit targets 16-byte types at multiples of 16.
    const uint32_t word = program_.pointerWidth / 8;
    const uint64_t natural =
        byValue ? call.getParamAlign(i).valueOrOne().value() : module_.layout.getABITypeAlign(type).value();
    const uint32_t alignment = word == 8 && natural >= 16 ? 16 : word;
    area = (area + alignment - 1) / alignment * alignment;
    if (byValue) {
      // The callee owns a copy: make it here, where its life also ends late enough.
      StackVariable copy;
      copy.size = bytes;
      const auto index = static_cast<uint32_t>(program_.stackVariables.size());
      program_.stackVariables.push_back(std::move(copy));
      const uint32_t address = local(), size = number(bytes);
      emit(Opcode::Alloca, address, index, kNone);
      const auto pool = static_cast<uint32_t>(program_.arguments.size());
      program_.arguments.push_back({address});
      program_.arguments.push_back({first});
      program_.arguments.push_back({size});
      emit(Opcode::CallExternal, 0, module_.external("memcpy"), pool, 3);
      lowered.push_back({address, static_cast<uint8_t>(program_.pointerWidth), true, true, area, bytes});
    } else {
      const bool pointer = type->isPointerTy();
      for (uint32_t k = 0; k < parts->size(); ++k)
        lowered.push_back({first + k, static_cast<uint8_t>((*parts)[k].width), false, pointer,
                           area + static_cast<uint32_t>((*parts)[k].offset), 0});
    }
    if (i < fixed)
      area = 0;
    else
      area += (bytes + word - 1) / word * word;
  }
  // A result that nobody uses is none: what it would be does not matter then.
  const bool hasResult = !call.getType()->isVoidTy() && (op != Opcode::CallExternal || !call.use_empty());
  const uint32_t dst = hasResult ? define(call) : 0;
  const uint32_t results = hasResult ? slots(call) : 0;
  const auto pool = static_cast<uint32_t>(program_.arguments.size());
  program_.arguments.insert(program_.arguments.end(), lowered.begin(), lowered.end());
  const uint32_t at = pc();
  Instruction& in = emit(op, dst, target, pool, static_cast<uint32_t>(lowered.size()));
  in.aux = static_cast<uint8_t>(results);
  // The first scalar's; a model that returns two knows what they are.
  const auto returned = hasResult ? module_.flatten(call.getType()) : std::nullopt;
  in.width = returned && !returned->empty() ? static_cast<uint8_t>(returned->front().width) : uint8_t{0};
  if (op != Opcode::Call && call.getType()->isPointerTy()) in.flags |= kPointerResult;
  if (op != Opcode::Call && call.doesNotReturn()) in.flags |= kNoReturn;
  if (op != Opcode::CallExternal) program_.afterCall[at].counters = loopCounters(*call.getParent());
  if (op == Opcode::CallExternal && !call.getType()->isVoidTy()) {
    std::string name = resultName(call);
    if (!name.empty()) program_.resultNames.emplace(at, std::move(name));
    if (call.getType()->isPointerTy())
      if (std::optional<AccessName> allocated = PointerNames(module_).resultOf(call))
        program_.allocations.emplace(at, std::move(*allocated));
  }
}

bool FunctionLowering::lowerIntrinsic(const llvm::CallBase& call, const llvm::Function& callee) {
  const auto argument = [&](unsigned i) -> const llvm::Value& { return *call.getArgOperand(i); };
  if (!call.getType()->isVoidTy() && !module_.flatten(call.getType())) return false;
  const auto laneOf = [&](unsigned i, uint32_t first, uint32_t lane) {
    return i < call.arg_size() && argument(i).getType()->isVectorTy() ? first + lane : first;
  };
  const auto integer = [&](IntegerOp op) {
    const unsigned width = module_.scalarWidth(argument(0).getType()->getScalarType());
    if (width == 0) return false;
    const auto a = slot(argument(0)), b = call.arg_size() > 1 ? slot(argument(1)) : a;
    const auto c = call.arg_size() > 2 ? slot(argument(2)) : 0;
    const uint32_t dst = define(call);
    const uint32_t lanes = argument(0).getType()->isVectorTy() ? slots(argument(0)) : 1;
    if (lanes > 1 && call.getType()->isStructTy()) return false;
    for (uint32_t i = 0; i < lanes; ++i) {
      Instruction& in = emit(Opcode::Integer, dst + i, laneOf(0, a, i), laneOf(1, b, i), laneOf(2, c, i));
      in.aux = static_cast<uint8_t>(op);
      in.width = static_cast<uint8_t>(width);
    }
    return true;
  };
  const auto real = [&](FloatOp op) {
    const bool isLong = ModuleLowering::isLongDouble(call.getType());
    const auto a = slot(argument(0)), b = call.arg_size() > 1 ? slot(argument(1)) : a;
    const auto c = call.arg_size() > 2 ? slot(argument(2)) : 0;
    const uint32_t dst = define(call), lanes = isLong ? 1 : slots(call);
    for (uint32_t i = 0; i < lanes; ++i) {
      Instruction& in = emit(isLong ? Opcode::LongFloat : Opcode::Float, dst + i, laneOf(0, a, i),
                             laneOf(1, b, i), laneOf(2, c, i));
      in.aux = static_cast<uint8_t>(op);
      in.width = static_cast<uint8_t>(module_.scalarWidth(call.getType()->getScalarType()));
    }
    return true;
  };
  const auto external = [&](llvm::StringRef name, unsigned count) {
    emitCall(call, Opcode::CallExternal, module_.external(name), count);
    return true;
  };
  switch (callee.getIntrinsicID()) {
    case llvm::Intrinsic::lifetime_start:
    case llvm::Intrinsic::lifetime_end:
    case llvm::Intrinsic::donothing:
    case llvm::Intrinsic::assume:
    case llvm::Intrinsic::stackrestore:
    case llvm::Intrinsic::experimental_noalias_scope_decl:
    case llvm::Intrinsic::sideeffect:
    case llvm::Intrinsic::pseudoprobe:
    case llvm::Intrinsic::invariant_end:
    case llvm::Intrinsic::vaend:
    case llvm::Intrinsic::prefetch:
    case llvm::Intrinsic::var_annotation:
      return true;
    case llvm::Intrinsic::stacksave:
      emit(Opcode::Move, define(call), number(0));
      return true;
    case llvm::Intrinsic::is_constant:
      emit(Opcode::Move, define(call), number(0));
      return true;
    case llvm::Intrinsic::objectsize: {
      const bool least = llvm::cast<llvm::ConstantInt>(argument(1)).isOne();
      emit(Opcode::Move, define(call), number(least ? 0 : widthMask(module_.scalarWidth(call.getType()))));
      return true;
    }
    case llvm::Intrinsic::invariant_start:
    case llvm::Intrinsic::returnaddress:
    case llvm::Intrinsic::frameaddress:
    case llvm::Intrinsic::addressofreturnaddress:
      emit(Opcode::Move, define(call), number(0));
      return true;
    case llvm::Intrinsic::ptrmask: {
      const uint32_t a = slot(argument(0)), b = slot(argument(1));
      emit(Opcode::And, define(call), a, b).width = static_cast<uint8_t>(program_.pointerWidth);
      return true;
    }
    case llvm::Intrinsic::readcyclecounter:
    case llvm::Intrinsic::readsteadycounter:
      return external("llvm.readcyclecounter", 0);
    case llvm::Intrinsic::expect:
    case llvm::Intrinsic::expect_with_probability:
    case llvm::Intrinsic::launder_invariant_group:
    case llvm::Intrinsic::ptr_annotation:
      emit(Opcode::Move, define(call), slot(argument(0)));
      return true;
    case llvm::Intrinsic::threadlocal_address: {
      auto* global = llvm::dyn_cast<llvm::GlobalVariable>(argument(0).stripPointerCasts());
      if (!global) return false;
      emit(Opcode::ThreadLocal, define(call), module_.globalIndex(*global));
      return true;
    }
    case llvm::Intrinsic::memcpy:
    case llvm::Intrinsic::memcpy_inline:
      return external("memcpy", 3);
    case llvm::Intrinsic::memmove:
      return external("memmove", 3);
    case llvm::Intrinsic::memset:
    case llvm::Intrinsic::memset_inline:
      return external("llvm.memset", 3);
    case llvm::Intrinsic::vastart:
      return external("llvm.va_start", 1);
    case llvm::Intrinsic::vacopy:
      return external("llvm.va_copy", 2);
    case llvm::Intrinsic::trap:
    case llvm::Intrinsic::debugtrap:
      return external("llvm.trap", 0);
    case llvm::Intrinsic::ubsantrap:
      return lowerBeyondArray(call) || external("llvm.ubsantrap", 1);
    case llvm::Intrinsic::smax:
      return integer(IntegerOp::SMax);
    case llvm::Intrinsic::smin:
      return integer(IntegerOp::SMin);
    case llvm::Intrinsic::umax:
      return integer(IntegerOp::UMax);
    case llvm::Intrinsic::umin:
      return integer(IntegerOp::UMin);
    case llvm::Intrinsic::abs:
      return integer(IntegerOp::Abs);
    case llvm::Intrinsic::bswap:
      return integer(IntegerOp::ByteSwap);
    case llvm::Intrinsic::ctpop:
      return integer(IntegerOp::PopCount);
    case llvm::Intrinsic::ctlz:
      return integer(IntegerOp::LeadingZeros);
    case llvm::Intrinsic::cttz:
      return integer(IntegerOp::TrailingZeros);
    case llvm::Intrinsic::sadd_with_overflow:
      return integer(IntegerOp::SAddOverflow);
    case llvm::Intrinsic::uadd_with_overflow:
      return integer(IntegerOp::UAddOverflow);
    case llvm::Intrinsic::ssub_with_overflow:
      return integer(IntegerOp::SSubOverflow);
    case llvm::Intrinsic::usub_with_overflow:
      return integer(IntegerOp::USubOverflow);
    case llvm::Intrinsic::smul_with_overflow:
      return integer(IntegerOp::SMulOverflow);
    case llvm::Intrinsic::umul_with_overflow:
      return integer(IntegerOp::UMulOverflow);
    case llvm::Intrinsic::fshl:
      return integer(IntegerOp::FunnelLeft);
    case llvm::Intrinsic::fshr:
      return integer(IntegerOp::FunnelRight);
    case llvm::Intrinsic::fabs:
      return real(FloatOp::Abs);
    case llvm::Intrinsic::fma:
    case llvm::Intrinsic::fmuladd:
      return real(FloatOp::Fma);
    case llvm::Intrinsic::floor:
      return real(FloatOp::Floor);
    case llvm::Intrinsic::ceil:
      return real(FloatOp::Ceil);
    case llvm::Intrinsic::trunc:
      return real(FloatOp::Trunc);
    case llvm::Intrinsic::sqrt:
      return real(FloatOp::Sqrt);
    case llvm::Intrinsic::copysign:
      return real(FloatOp::CopySign);
    case llvm::Intrinsic::minnum:
      return real(FloatOp::Min);
    case llvm::Intrinsic::maxnum:
      return real(FloatOp::Max);
    case llvm::Intrinsic::rint:
    case llvm::Intrinsic::nearbyint:
      return real(FloatOp::Rint);
    case llvm::Intrinsic::round:
      return real(FloatOp::Round);
    case llvm::Intrinsic::roundeven:
      return real(FloatOp::Rint);
    case llvm::Intrinsic::minimumnum:
      return real(FloatOp::Min);
    case llvm::Intrinsic::maximumnum:
      return real(FloatOp::Max);
    case llvm::Intrinsic::bitreverse:
      return integer(IntegerOp::BitReverse);
    case llvm::Intrinsic::sadd_sat:
      return integer(IntegerOp::SAddSat);
    case llvm::Intrinsic::uadd_sat:
      return integer(IntegerOp::UAddSat);
    case llvm::Intrinsic::ssub_sat:
      return integer(IntegerOp::SSubSat);
    case llvm::Intrinsic::usub_sat:
      return integer(IntegerOp::USubSat);
    case llvm::Intrinsic::is_fpclass:
      return external("llvm.is.fpclass", 2);
    case llvm::Intrinsic::modf:
      return argument(0).getType()->isDoubleTy() && external("llvm.modf", 1);
    case llvm::Intrinsic::frexp:
      return argument(0).getType()->isDoubleTy() && external("llvm.frexp", 1);
    case llvm::Intrinsic::lrint:
    case llvm::Intrinsic::llrint:
    case llvm::Intrinsic::lround:
    case llvm::Intrinsic::llround:
    case llvm::Intrinsic::sin:
    case llvm::Intrinsic::cos:
    case llvm::Intrinsic::exp:
    case llvm::Intrinsic::exp2:
    case llvm::Intrinsic::log:
    case llvm::Intrinsic::log2:
    case llvm::Intrinsic::log10:
    case llvm::Intrinsic::pow:
    case llvm::Intrinsic::powi:
    case llvm::Intrinsic::tan:
    case llvm::Intrinsic::asin:
    case llvm::Intrinsic::acos:
    case llvm::Intrinsic::atan:
    case llvm::Intrinsic::atan2:
    case llvm::Intrinsic::sinh:
    case llvm::Intrinsic::cosh:
    case llvm::Intrinsic::tanh:
    case llvm::Intrinsic::ldexp: {
      // As the library function of the same name and type.
      if (call.getType()->isVectorTy() || ModuleLowering::isLongDouble(argument(0).getType())) return false;
      const llvm::StringRef base = llvm::Intrinsic::getBaseName(callee.getIntrinsicID()).drop_front(5);
      const bool isFloat = argument(0).getType()->isFloatTy();
      return external((base + (isFloat ? "f" : "")).str(), static_cast<unsigned>(call.arg_size()));
    }
    default:
      return lowerReduction(call, callee.getIntrinsicID());
  }
}

}  // namespace heddle::lowering
