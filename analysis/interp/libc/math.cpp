// math.h on concrete values, by this machine's library. A symbol that reaches it is dropped, with an
// assumption.
#include <cmath>
#include <cstring>

#include "analysis/interp/core/call.h"

namespace heddle {

namespace math_calls {
namespace {

struct Function {
  std::string_view name;  // of the double version
  double (*one)(double) = nullptr;
  float (*oneFloat)(float) = nullptr;
  long double (*oneLong)(long double) = nullptr;
  double (*two)(double, double) = nullptr;
  float (*twoFloat)(float, float) = nullptr;
  long double (*twoLong)(long double, long double) = nullptr;
};

#define HEDDLE_ONE(NAME) \
  { #NAME, std::NAME, std::NAME, std::NAME, nullptr, nullptr, nullptr }
#define HEDDLE_TWO(NAME) \
  { #NAME, nullptr, nullptr, nullptr, std::NAME, std::NAME, std::NAME }

constexpr Function kFunctions[] = {
    HEDDLE_ONE(sqrt),      HEDDLE_ONE(cbrt),      HEDDLE_ONE(sin),    HEDDLE_ONE(cos),
    HEDDLE_ONE(tan),       HEDDLE_ONE(asin),      HEDDLE_ONE(acos),   HEDDLE_ONE(atan),
    HEDDLE_ONE(sinh),      HEDDLE_ONE(cosh),      HEDDLE_ONE(tanh),   HEDDLE_ONE(asinh),
    HEDDLE_ONE(acosh),     HEDDLE_ONE(atanh),     HEDDLE_ONE(exp),    HEDDLE_ONE(exp2),
    HEDDLE_ONE(expm1),     HEDDLE_ONE(log),       HEDDLE_ONE(log2),   HEDDLE_ONE(log10),
    HEDDLE_ONE(log1p),     HEDDLE_ONE(fabs),      HEDDLE_ONE(floor),  HEDDLE_ONE(ceil),
    HEDDLE_ONE(trunc),     HEDDLE_ONE(round),     HEDDLE_ONE(rint),   HEDDLE_ONE(nearbyint),
    HEDDLE_ONE(erf),       HEDDLE_ONE(erfc),      HEDDLE_ONE(tgamma), HEDDLE_ONE(logb),
    HEDDLE_TWO(pow),       HEDDLE_TWO(fmod),      HEDDLE_TWO(atan2),  HEDDLE_TWO(hypot),
    HEDDLE_TWO(fmin),      HEDDLE_TWO(fmax),      HEDDLE_TWO(fdim),   HEDDLE_TWO(copysign),
    HEDDLE_TWO(remainder), HEDDLE_TWO(nextafter),
};

#undef HEDDLE_ONE
#undef HEDDLE_TWO

const Function* functionOf(std::string_view name) {
  for (const Function& function : kFunctions)
    if (function.name == name) return &function;
  return nullptr;
}

/// Notes what is lost when an argument depends on a symbol.
void noteTerms(Call& call) {
  for (size_t i = 0; i < call.arguments.size(); ++i)
    if (call.argument(i).term) {
      call.context.takeFromThisExecution(call.context.place(call.thread), "floating-point value");
      return;
    }
}

template <class To>
To decoded(uint64_t bits) {
  To value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <class From>
uint64_t encoded(From value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

/// A function of one or two numbers of its type: double, or float or long double by the last letter.
void compute(Call& call) {
  noteTerms(call);
  std::string_view name = call.name;
  const Function* function = functionOf(name);
  const char kind = function ? 'd' : name.back();
  if (!function) function = functionOf(name.substr(0, name.size() - 1));
  const auto a = call.argument(0).bits, b = call.argument(1).bits;
  if (kind == 'l') {
    const long double x = longValue({a, b});
    const LongBits bits = longBits(
        function->oneLong ? function->oneLong(x)
                          : function->twoLong(x, longValue({call.argument(2).bits, call.argument(3).bits})));
    call.result = {bits.low};
    call.resultHigh = {bits.high};
  } else if (kind == 'f') {
    const auto x = decoded<float>(a), y = decoded<float>(b);
    call.result = {encoded(function->oneFloat ? function->oneFloat(x) : function->twoFloat(x, y))};
  } else {
    const auto x = decoded<double>(a), y = decoded<double>(b);
    call.result = {encoded(function->one ? function->one(x) : function->two(x, y))};
  }
}

double firstNumber(Call& call) {
  const unsigned width = call.context.program.arguments[call.pool].width;
  const uint64_t bits = call.argument(0).bits;
  return width == 32 ? static_cast<double>(decoded<float>(bits)) : decoded<double>(bits);
}

/// lrint, lround and their relatives.
void toInteger(Call& call) {
  noteTerms(call);
  const double x = firstNumber(call);
  const bool rounds = call.name.find("round") != std::string::npos;
  call.returns(static_cast<uint64_t>(rounds ? std::llround(x) : std::llrint(x)));
}

/// The classification functions behind the macros of older headers.
void classify(Call& call) {
  noteTerms(call);
  const double x = firstNumber(call);
  const std::string_view name = call.name;
  const auto is = [&](std::string_view text) { return name.find(text) != std::string_view::npos; };
  int result = 0;
  if (is("isnan"))
    result = std::isnan(x);
  else if (is("isinf"))
    result = std::isinf(x) ? (x > 0 ? 1 : -1) : 0;
  else if (is("finite"))
    result = std::isfinite(x);
  else if (is("signbit"))
    result = std::signbit(x);
  else
    result = std::isnan(x) ? 0 : std::isinf(x) ? 1 : x == 0 ? 2 : std::isnormal(x) ? 4 : 3;
  call.returns(static_cast<uint32_t>(result));
}

/// llvm.is.fpclass: bits of the classes asked for, in LLVM's order.
void testClass(Call& call) {
  noteTerms(call);
  const double x = firstNumber(call);
  const unsigned width = call.context.program.arguments[call.pool].width;
  const uint64_t bits = call.argument(0).bits;
  const bool quiet = bits >> (width == 32 ? 22 : 51) & 1;
  const bool subnormal = width == 32 ? !std::isnormal(decoded<float>(bits)) : !std::isnormal(x);
  unsigned position = 0;
  if (std::isnan(x))
    position = quiet ? 1 : 0;
  else if (std::isinf(x))
    position = x < 0 ? 2 : 9;
  else if (x == 0)
    position = std::signbit(x) ? 5 : 6;
  else if (subnormal)
    position = x < 0 ? 4 : 7;
  else
    position = x < 0 ? 3 : 8;
  call.returns(call.argument(1).bits >> position & 1);
}

/// The intrinsics give both parts as results.
void splitPair(Call& call) {
  noteTerms(call);
  const double x = decoded<double>(call.argument(0).bits);
  if (call.name == "llvm.frexp") {
    int exponent = 0;
    call.result = {encoded(std::frexp(x, &exponent))};
    call.resultHigh = {static_cast<uint32_t>(exponent)};
    return;
  }
  double whole = 0;
  call.result = {encoded(std::modf(x, &whole))};
  call.resultHigh = {encoded(whole)};
}

/// frexp and modf: a part goes to memory.
Task<> split(Call& call) {
  noteTerms(call);
  const double x = decoded<double>(call.argument(0).bits);
  Target to;
  if (call.name == "frexp") {
    int exponent = 0;
    call.result = {encoded(std::frexp(x, &exponent))};
    if (!co_await call.resolve(call.argument(1), 4, true, to)) co_return;
    co_await call.store(to, 4, {static_cast<uint32_t>(exponent)});
    co_return;
  }
  double whole = 0;
  call.result = {encoded(std::modf(x, &whole))};
  if (!co_await call.resolve(call.argument(1), 8, true, to)) co_return;
  co_await call.store(to, 8, {encoded(whole)});
}

/// ldexp, scalbn, powi: a number and an int.
void scale(Call& call) {
  noteTerms(call);
  const auto power = static_cast<int>(signExtend(call.argument(1).bits, 32));
  const bool isFloat = call.context.program.arguments[call.pool].width == 32;
  const double x = firstNumber(call);
  const double value = call.name.starts_with("powi") ? std::pow(x, power) : std::ldexp(x, power);
  call.result = {isFloat ? encoded(static_cast<float>(value)) : encoded(value)};
}

void fused(Call& call) {
  noteTerms(call);
  if (call.name == "fmaf")
    call.result = {
        encoded(std::fma(decoded<float>(call.argument(0).bits), decoded<float>(call.argument(1).bits),
                         decoded<float>(call.argument(2).bits)))};
  else
    call.result = {
        encoded(std::fma(decoded<double>(call.argument(0).bits), decoded<double>(call.argument(1).bits),
                         decoded<double>(call.argument(2).bits)))};
}

#define HEDDLE_NAMES(NAME)                                    \
  {#NAME, compute, nullptr}, {#NAME "f", compute, nullptr}, { \
#NAME "l", compute, nullptr                               \
  }

constexpr ModelledCall kModels[] = {
    HEDDLE_NAMES(sqrt),
    HEDDLE_NAMES(cbrt),
    HEDDLE_NAMES(sin),
    HEDDLE_NAMES(cos),
    HEDDLE_NAMES(tan),
    HEDDLE_NAMES(asin),
    HEDDLE_NAMES(acos),
    HEDDLE_NAMES(atan),
    HEDDLE_NAMES(sinh),
    HEDDLE_NAMES(cosh),
    HEDDLE_NAMES(tanh),
    HEDDLE_NAMES(asinh),
    HEDDLE_NAMES(acosh),
    HEDDLE_NAMES(atanh),
    HEDDLE_NAMES(exp),
    HEDDLE_NAMES(exp2),
    HEDDLE_NAMES(expm1),
    HEDDLE_NAMES(log),
    HEDDLE_NAMES(log2),
    HEDDLE_NAMES(log10),
    HEDDLE_NAMES(log1p),
    HEDDLE_NAMES(fabs),
    HEDDLE_NAMES(floor),
    HEDDLE_NAMES(ceil),
    HEDDLE_NAMES(trunc),
    HEDDLE_NAMES(round),
    HEDDLE_NAMES(rint),
    HEDDLE_NAMES(nearbyint),
    HEDDLE_NAMES(erf),
    HEDDLE_NAMES(erfc),
    HEDDLE_NAMES(tgamma),
    HEDDLE_NAMES(logb),
    HEDDLE_NAMES(pow),
    HEDDLE_NAMES(fmod),
    HEDDLE_NAMES(atan2),
    HEDDLE_NAMES(hypot),
    HEDDLE_NAMES(fmin),
    HEDDLE_NAMES(fmax),
    HEDDLE_NAMES(fdim),
    HEDDLE_NAMES(copysign),
    HEDDLE_NAMES(remainder),
    HEDDLE_NAMES(nextafter),
    {"lrint", toInteger, nullptr},
    {"llrint", toInteger, nullptr},
    {"lround", toInteger, nullptr},
    {"llround", toInteger, nullptr},
    {"lrintf", toInteger, nullptr},
    {"llrintf", toInteger, nullptr},
    {"lroundf", toInteger, nullptr},
    {"llroundf", toInteger, nullptr},
    {"isnan", classify, nullptr},
    {"isinf", classify, nullptr},
    {"finite", classify, nullptr},
    {"__isnan", classify, nullptr},
    {"__isinf", classify, nullptr},
    {"__finite", classify, nullptr},
    {"__signbit", classify, nullptr},
    {"__fpclassify", classify, nullptr},
    {"__isnanf", classify, nullptr},
    {"__isinff", classify, nullptr},
    {"__finitef", classify, nullptr},
    {"__signbitf", classify, nullptr},
    {"llvm.is.fpclass", testClass, nullptr},
    {"llvm.modf", splitPair, nullptr},
    {"llvm.frexp", splitPair, nullptr},
    {"frexp", nullptr, split},
    {"modf", nullptr, split},
    {"ldexp", scale, nullptr},
    {"ldexpf", scale, nullptr},
    {"scalbn", scale, nullptr},
    {"powi", scale, nullptr},
    {"powif", scale, nullptr},
    {"fma", fused, nullptr},
    {"fmaf", fused, nullptr},
};

#undef HEDDLE_NAMES

}  // namespace
}  // namespace math_calls

std::span<const ModelledCall> mathModels() {
  return math_calls::kModels;
}

}  // namespace heddle
