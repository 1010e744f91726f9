#include "analysis/debug/expression.h"

#include <array>
#include <bit>

#include "analysis/debug/expression_lexer.h"

namespace heddle {

namespace {

constexpr unsigned kMostNested = 100;  // of nested operators

DebugValue intOf(int64_t number) {
  return numberValue(TypeKind::Signed, 4, static_cast<uint64_t>(number));
}

double realOf(const Scalar& s) {
  if (s.kind == TypeKind::Floating)
    return s.size == 4 ? static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(s.bits)))
                       : std::bit_cast<double>(s.bits);
  if (s.kind == TypeKind::Signed || s.kind == TypeKind::Character)
    return static_cast<double>(signExtend(s.bits, static_cast<unsigned>(s.size * 8)));
  return static_cast<double>(s.bits);
}

/// Recursive descent. After the first problem everything gives 0.
class Parser {
 public:
  Parser(Execution& execution, ThreadId thread, size_t frame, std::string_view text)
      : views_(execution), values_(execution), thread_(thread), frame_(frame), lexer_(text) {
    take();
  }

  Evaluated whole() {
    DebugValue value = conditional();
    if (problem_.empty() && token_.kind != ExpressionToken::Kind::End)
      fail("'" + token_.text + "' is not expected here");
    if (!problem_.empty()) return ExpressionProblem{problem_};
    return value;
  }

 private:
  void take() {
    token_ = lexer_.next();
    if (token_.kind == ExpressionToken::Kind::Bad) fail("'" + token_.text + "' is no number or character");
  }
  bool is(std::string_view mark) const {
    return token_.kind == ExpressionToken::Kind::Mark && token_.text == mark;
  }
  bool accept(std::string_view mark) {
    if (!is(mark)) return false;
    take();
    return true;
  }
  void expect(std::string_view mark) {
    if (!accept(mark)) fail("'" + std::string(mark) + "' is missing");
  }
  DebugValue fail(std::string text) {
    if (problem_.empty()) problem_ = std::move(text);
    return intOf(0);
  }

  Scalar number(const DebugValue& value) {
    if (values_.kindOf(value) == TypeKind::Array && value.address)
      return {TypeKind::Pointer, 8, *value.address, false};
    if (const std::optional<Scalar> scalar = values_.read(value)) {
      if (scalar->isUndefined) fail("it was never written");
      return *scalar;
    }
    fail(!value.address && !value.scalar ? "it has no value here" : "it is no number that can be read");
    return {};
  }

  static bool isSigned(const Scalar& s) {
    return s.kind == TypeKind::Signed || s.kind == TypeKind::Character;
  }
  static Scalar promoted(Scalar s) {
    if (s.kind == TypeKind::Floating) return s;
    if (s.size >= 4) {
      if (s.kind == TypeKind::Pointer) s.kind = TypeKind::Unsigned;
      return s;
    }
    return {TypeKind::Signed, 4,
            isSigned(s)
                ? static_cast<uint64_t>(signExtend(s.bits, static_cast<unsigned>(s.size * 8))) & 0xffffffffu
                : s.bits,
            false};
  }
  static Scalar converted(const Scalar& s, TypeKind kind, uint64_t size) {
    const uint64_t wide =
        isSigned(s) ? static_cast<uint64_t>(signExtend(s.bits, static_cast<unsigned>(s.size * 8))) : s.bits;
    return {kind, size, wide & widthMask(static_cast<unsigned>(size * 8)), false};
  }

  DebugValue conditional() {
    if (++depth_ > kMostNested) return fail("too many operators in one another");
    DebugValue condition = binary(0);
    if (accept("?")) {
      const bool isTrue = truth(condition);
      const DebugValue yes = conditional();
      expect(":");
      const DebugValue no = conditional();
      condition = isTrue ? yes : no;
    }
    --depth_;
    return condition;
  }

  bool truth(const DebugValue& value) {
    const Scalar s = number(value);
    return s.kind == TypeKind::Floating ? realOf(s) != 0 : s.bits != 0;
  }

  /// Higher binds tighter; -1: no binary operator.
  int levelHere() const {
    static constexpr std::array<std::pair<std::string_view, int>, 18> kLevels = {{{"||", 0},
                                                                                  {"&&", 1},
                                                                                  {"|", 2},
                                                                                  {"^", 3},
                                                                                  {"&", 4},
                                                                                  {"==", 5},
                                                                                  {"!=", 5},
                                                                                  {"<", 6},
                                                                                  {">", 6},
                                                                                  {"<=", 6},
                                                                                  {">=", 6},
                                                                                  {"<<", 7},
                                                                                  {">>", 7},
                                                                                  {"+", 8},
                                                                                  {"-", 8},
                                                                                  {"*", 9},
                                                                                  {"/", 9},
                                                                                  {"%", 9}}};
    for (const auto& [mark, level] : kLevels)
      if (is(mark)) return level;
    return -1;
  }

  DebugValue binary(int least) {
    DebugValue left = unary();
    for (int level = levelHere(); problem_.empty() && level >= least; level = levelHere()) {
      const std::string op = token_.text;
      take();
      const DebugValue right = binary(level + 1);
      if (problem_.empty()) left = apply(op, left, right);
    }
    return left;
  }

  DebugValue pointerSum(const DebugValue& pointer, int64_t offset) {
    const std::optional<DebugValue> to = values_.element(pointer, offset);
    if (!to) return fail("what it points to is not known");
    DebugValue sum;
    sum.type = values_.kindOf(pointer) == TypeKind::Pointer ? pointer.type : kNoType;
    sum.scalar = Scalar{TypeKind::Pointer, 8, *to->address, false};
    pointees_[*to->address] = to->type;
    return sum;
  }

  DebugValue apply(const std::string& op, const DebugValue& l, const DebugValue& r) {
    if (op == "&&") return intOf(truth(l) && truth(r));
    if (op == "||") return intOf(truth(l) || truth(r));
    const auto points = [&](const DebugValue& v) {
      return values_.kindOf(v) == TypeKind::Pointer || values_.kindOf(v) == TypeKind::Array;
    };
    Scalar a = promoted(number(l)), b = promoted(number(r));
    if (!problem_.empty()) return intOf(0);
    if ((op == "+" || op == "-") && points(l) && !points(r)) {
      const int64_t by = signExtend(b.bits, static_cast<unsigned>(b.size * 8));
      return pointerSum(l, op == "+" ? by : -by);
    }
    if (op == "+" && points(r)) return pointerSum(r, signExtend(a.bits, static_cast<unsigned>(a.size * 8)));
    if (a.kind == TypeKind::Floating || b.kind == TypeKind::Floating)
      return applyReal(op, realOf(a), realOf(b));
    const bool isShift = op == "<<" || op == ">>";
    const uint64_t size = isShift ? a.size : std::max(a.size, b.size);
    const auto isUnsignedOf = [&](const Scalar& s) { return !isSigned(s) && s.size == size; };
    const bool isUnsigned = isUnsignedOf(a) || (!isShift && isUnsignedOf(b));
    const TypeKind kind = isUnsigned ? TypeKind::Unsigned : TypeKind::Signed;
    const auto width = static_cast<unsigned>(size * 8);
    a = converted(a, kind, size);
    if (!isShift) b = converted(b, kind, size);
    const uint64_t x = a.bits, y = b.bits;
    const int64_t sx = signExtend(x, width), sy = signExtend(y, width);
    if (op == "==") return intOf(x == y);
    if (op == "!=") return intOf(x != y);
    if (op == "<") return intOf(isUnsigned ? x < y : sx < sy);
    if (op == ">") return intOf(isUnsigned ? x > y : sx > sy);
    if (op == "<=") return intOf(isUnsigned ? x <= y : sx <= sy);
    if (op == ">=") return intOf(isUnsigned ? x >= y : sx >= sy);
    if (op == "+") return numberValue(kind, size, x + y);
    if (op == "-") return numberValue(kind, size, x - y);
    if (op == "*") return numberValue(kind, size, x * y);
    if (op == "&") return numberValue(kind, size, x & y);
    if (op == "|") return numberValue(kind, size, x | y);
    if (op == "^") return numberValue(kind, size, x ^ y);
    if (isShift) {
      if (y >= width) return fail("a shift by " + std::to_string(y) + " bits");
      if (op == "<<") return numberValue(kind, size, x << y);
      return numberValue(kind, size, isUnsigned ? x >> y : static_cast<uint64_t>(sx >> y));
    }
    if (y == 0) return fail("a division by zero");
    if (isUnsigned) return numberValue(kind, size, op == "/" ? x / y : x % y);
    if (sy == -1) return numberValue(kind, size, op == "/" ? 0 - x : 0);  // the least number has no opposite
    return numberValue(kind, size, static_cast<uint64_t>(op == "/" ? sx / sy : sx % sy));
  }

  DebugValue applyReal(const std::string& op, double x, double y) {
    if (op == "==") return intOf(x == y);
    if (op == "!=") return intOf(x != y);
    if (op == "<") return intOf(x < y);
    if (op == ">") return intOf(x > y);
    if (op == "<=") return intOf(x <= y);
    if (op == ">=") return intOf(x >= y);
    double result = 0;
    if (op == "+")
      result = x + y;
    else if (op == "-")
      result = x - y;
    else if (op == "*")
      result = x * y;
    else if (op == "/")
      result = x / y;
    else
      return fail("'" + op + "' does not take floating-point numbers");
    return numberValue(TypeKind::Floating, 8, std::bit_cast<uint64_t>(result));
  }

  DebugValue unary() {
    if (++depth_ > kMostNested) return fail("too many operators in one another");
    DebugValue value = unaryHere();
    --depth_;
    return value;
  }

  DebugValue unaryHere() {
    if (accept("*")) {
      const DebugValue pointer = unary();
      return dereferenced(pointer, 0);
    }
    if (accept("&")) {
      const DebugValue operand = unary();
      if (!problem_.empty()) return operand;
      if (!operand.address || operand.bits) return fail("it has no address: it is kept in a register");
      pointees_[*operand.address] = operand.type;
      return numberValue(TypeKind::Pointer, 8, *operand.address);
    }
    for (const std::string_view op : {"!", "~", "-", "+"}) {
      if (!accept(op)) continue;
      const DebugValue operand = unary();
      if (op == "!") return intOf(!truth(operand));
      const Scalar s = promoted(number(operand));
      if (s.kind == TypeKind::Floating)
        return op == "~" ? fail("'~' does not take floating-point numbers")
                         : applyReal(op == "-" ? "-" : "+", 0, realOf(s));
      return numberValue(s.kind, s.size, op == "-" ? 0 - s.bits : op == "~" ? ~s.bits : s.bits);
    }
    if (is("(")) {
      take();
      if (const std::optional<Scalar> type = castType()) {
        expect(")");
        const DebugValue operand = unary();
        return cast(*type, operand);
      }
      DebugValue inner = conditional();
      expect(")");
      return postfix(inner);
    }
    return postfix(primary());
  }

  DebugValue cast(const Scalar& type, const DebugValue& operand) {
    const Scalar s = number(operand);
    if (type.kind == TypeKind::Floating) {
      const double real = realOf(s);
      return type.size == 4
                 ? numberValue(TypeKind::Floating, 4, std::bit_cast<uint32_t>(static_cast<float>(real)))
                 : numberValue(TypeKind::Floating, 8, std::bit_cast<uint64_t>(real));
    }
    if (type.kind == TypeKind::Boolean) return numberValue(TypeKind::Boolean, 1, truth(operand));
    if (s.kind == TypeKind::Floating) {
      const double real = realOf(s);
      if (!(real > -9.2e18 && real < 9.2e18)) return fail("the number is too large for the cast");
      return numberValue(type.kind, type.size, static_cast<uint64_t>(static_cast<int64_t>(real)));
    }
    DebugValue value;
    value.scalar = converted(s, type.kind, type.size);
    return value;
  }

  /// The words of an arithmetic type, if that is what comes; they are taken then.
  std::optional<Scalar> castType() {
    static constexpr std::array<std::string_view, 11> kWords = {
        "int", "char", "short", "long", "unsigned", "signed", "_Bool", "bool", "float", "double", "void"};
    const auto isWord = [&] {
      if (token_.kind != ExpressionToken::Kind::Name) return false;
      for (const std::string_view word : kWords)
        if (token_.text == word) return true;
      return fixedType(token_.text).has_value();
    };
    if (!isWord()) return std::nullopt;
    if (const std::optional<Scalar> fixed = fixedType(token_.text)) {
      take();
      return fixed;
    }
    Scalar type{TypeKind::Signed, 4, 0, false};
    bool isUnsigned = false;
    while (isWord()) {
      const std::string word = token_.text;
      if (word == "unsigned") isUnsigned = true;
      if (word == "char") type = {TypeKind::Character, 1, 0, false};
      if (word == "short") type.size = 2;
      if (word == "long") type.size = 8;
      if (word == "_Bool" || word == "bool") type = {TypeKind::Boolean, 1, 0, false};
      if (word == "float") type = {TypeKind::Floating, 4, 0, false};
      if (word == "double") type = {TypeKind::Floating, 8, 0, false};
      take();
    }
    if (isUnsigned && type.kind != TypeKind::Floating) type.kind = TypeKind::Unsigned;
    while (accept("*")) type = {TypeKind::Pointer, 8, 0, false};
    return type;
  }

  static std::optional<Scalar> fixedType(const std::string& name) {
    static constexpr std::array<std::pair<std::string_view, int>, 13> kTypes = {{{"int8_t", -1},
                                                                                 {"int16_t", -2},
                                                                                 {"int32_t", -4},
                                                                                 {"int64_t", -8},
                                                                                 {"uint8_t", 1},
                                                                                 {"uint16_t", 2},
                                                                                 {"uint32_t", 4},
                                                                                 {"uint64_t", 8},
                                                                                 {"size_t", 8},
                                                                                 {"ssize_t", -8},
                                                                                 {"intptr_t", -8},
                                                                                 {"uintptr_t", 8},
                                                                                 {"ptrdiff_t", -8}}};
    for (const auto& [word, size] : kTypes)
      if (name == word)
        return Scalar{size < 0 ? TypeKind::Signed : TypeKind::Unsigned,
                      static_cast<uint64_t>(size < 0 ? -size : size), 0, false};
    return std::nullopt;
  }

  DebugValue primary() {
    if (token_.kind == ExpressionToken::Kind::Number) {
      DebugValue value = token_.number;
      take();
      return value;
    }
    if (token_.kind != ExpressionToken::Kind::Name)
      return fail(token_.kind == ExpressionToken::Kind::End ? "an operand is missing at the end"
                                                            : "'" + token_.text + "' is not expected here");
    const std::string name = token_.text;
    take();
    if (name == "NULL") return numberValue(TypeKind::Pointer, 8, 0);
    if (name == "true" || name == "false") return intOf(name == "true");
    std::optional<NamedValue> found = views_.variable(thread_, frame_, name);
    if (is("(")) return fail("calls are not evaluated: the program would change");
    if (!found) return fail("no variable '" + name + "' is in scope here");
    return found->value;
  }

  DebugValue dereferenced(const DebugValue& pointer, int64_t index) {
    if (!problem_.empty()) return pointer;
    std::optional<DebugValue> to = values_.element(pointer, index);
    if (!to && values_.kindOf(pointer) == TypeKind::Pointer) {
      const std::optional<Scalar> address = values_.read(pointer);
      const auto known = address ? pointees_.find(address->bits) : pointees_.end();
      if (known != pointees_.end()) {
        to = DebugValue{};
        to->type = known->second;
        to->address = known->first + static_cast<uint64_t>(index) * values_.sizeOf(*to);
      }
    }
    if (!to) return fail("it is no pointer to a known type");
    if (!values_.bytes(*to->address, 1)) return fail("nothing lies at that address");
    return *to;
  }

  DebugValue postfix(DebugValue value) {
    while (problem_.empty()) {
      if (accept("[")) {
        const Scalar index = promoted(number(conditional()));
        expect("]");
        value = dereferenced(value, signExtend(index.bits, static_cast<unsigned>(index.size * 8)));
      } else if (is(".") || is("->")) {
        const bool follows = is("->");
        take();
        const std::string name = token_.text;
        if (token_.kind != ExpressionToken::Kind::Name) return fail("the name of a field is missing");
        take();
        if (follows) value = dereferenced(value, 0);
        if (!problem_.empty()) return value;
        const std::optional<DebugValue> member = values_.member(value, name);
        if (!member) return fail("there is no field '" + name + "'");
        value = *member;
      } else {
        return value;
      }
    }
    return value;
  }

  ThreadView views_;
  ValueView values_;
  const ThreadId thread_;
  const size_t frame_;
  ExpressionLexer lexer_;
  ExpressionToken token_;
  unsigned depth_ = 0;
  std::string problem_;
  std::map<uint64_t, TypeIndex> pointees_;  // of addresses that were taken
};

}  // namespace

Evaluated evaluate(Execution& execution, ThreadId thread, size_t frame, std::string_view text) {
  return Parser(execution, thread, frame, text).whole();
}

std::optional<bool> truthOf(const ValueView& values, const DebugValue& value) {
  const std::optional<Scalar> s = values.read(value);
  if (!s || s->isUndefined) return std::nullopt;
  return s->kind == TypeKind::Floating ? realOf(*s) != 0 : s->bits != 0;
}

}  // namespace heddle
