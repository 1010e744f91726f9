#include "analysis/debug/expression.h"

#include <array>
#include <bit>

#include "analysis/debug/expression_lexer.h"
#include "analysis/debug/expression_types.h"
#include "analysis/debug/scalar_conversion.h"

namespace heddle {

namespace {

constexpr unsigned kMostNested = 100;  // of nested operators

DebugValue intOf(int64_t number) {
  return numberValue(TypeKind::Signed, 4, static_cast<uint64_t>(number));
}

/// Recursive descent. After the first problem everything gives 0.
class Parser {
 public:
  Parser(Execution& execution, ThreadId thread, size_t frame, std::string_view text)
      : program_(execution.program),
        views_(execution),
        values_(execution),
        thread_(thread),
        frame_(frame),
        lexer_(text) {
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
      if (scalar->isUndefined && unevaluated_ == 0) fail("it was never written");
      return *scalar;
    }
    if (unevaluated_ != 0) return {values_.kindOf(value), values_.sizeOf(value), 1, false};
    fail(!value.address && !value.scalar ? "it has no value here" : "it is no number that can be read");
    return {};
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
    const std::optional<DebugValue> to = pointedAt(pointer, offset);
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
      if (const std::optional<NamedType> type = typeName()) {
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

  const ExpressionTypes& types() {
    if (!types_) types_.emplace(program_);
    return *types_;
  }

  /// The name of a type, if that is what comes; it is taken then. A variable hides a type of its name.
  std::optional<NamedType> typeName() {
    NamedType type;
    const auto isQualifier = [&] { return token_.text == "const" || token_.text == "volatile"; };
    const auto isName = [&] { return token_.kind == ExpressionToken::Kind::Name; };
    while (isName() && isQualifier()) take();
    if (!isName()) return std::nullopt;
    if (isArithmeticWord(token_.text)) {
      std::vector<std::string> words;
      for (; isName() && (isArithmeticWord(token_.text) || isQualifier()); take())
        words.push_back(token_.text);
      type = arithmeticType(words);
      if (!type.isVoid) type.type = types().arithmetic(type.scalar);
    } else {
      std::string name = token_.text;
      const bool isTagged = name == "struct" || name == "union" || name == "enum";
      if (!isTagged && (views_.variable(thread_, frame_, name) || !types().named(name))) return std::nullopt;
      take();
      if (isTagged) {
        name += " " + token_.text;
        take();
      }
      const std::optional<TypeIndex> found = types().named(name);
      if (!found) {
        fail("no variable here has to do with a type '" + name + "'");
        return type;
      }
      type.type = *found;
      const TypeNode& node = program_.types.at(*found);
      type.scalar = {node.kind, node.size, 0, false};
    }
    while (isName() && isQualifier()) take();
    for (; accept("*"); ++type.stars)
      while (isName() && isQualifier()) take();
    return type;
  }

  /// What lies there is not read: its type is all that counts.
  DebugValue sizeOf() {
    ++unevaluated_;
    uint64_t size = 0;
    if (is("(")) {
      take();
      if (const std::optional<NamedType> type = typeName()) {
        size = type->stars > 0 ? 8 : type->isVoid ? 1 : type->scalar.size;
        expect(")");
      } else {
        const DebugValue inner = conditional();
        expect(")");
        size = values_.sizeOf(postfix(inner));
      }
    } else {
      size = values_.sizeOf(unary());
    }
    --unevaluated_;
    return numberValue(TypeKind::Unsigned, 8, size);
  }

  DebugValue cast(const NamedType& type, const DebugValue& operand) {
    if (!problem_.empty()) return operand;
    if (type.stars == 0) {
      if (type.isVoid) return fail("nothing is left of what is cast to void");
      if (type.scalar.kind > TypeKind::Pointer) return fail("a cast to what is no number and no pointer");
      return cast(type.scalar, operand);
    }
    DebugValue pointer;
    pointer.scalar = converted(number(operand), TypeKind::Pointer, 8);
    if (!problem_.empty()) return pointer;
    TypeIndex pointee = type.type;
    for (unsigned i = 1; i < type.stars && pointee != kNoType; ++i) pointee = types().pointerTo(pointee);
    pointer.type = types().pointerTo(pointee);
    pointees_[pointer.scalar->bits] = pointee;
    return pointer;
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
    if (name == "sizeof") return sizeOf();
    if (name == "NULL") return numberValue(TypeKind::Pointer, 8, 0);
    if (name == "true" || name == "false") return intOf(name == "true");
    std::optional<NamedValue> found = views_.variable(thread_, frame_, name);
    if (is("(")) return fail("calls are not evaluated: the program would change");
    if (!found) return fail("no variable '" + name + "' is in scope here");
    return found->value;
  }

  /// Also where only this expression says what the address points to.
  std::optional<DebugValue> pointedAt(const DebugValue& pointer, int64_t index) {
    std::optional<DebugValue> to = values_.element(pointer, index);
    if (to || values_.kindOf(pointer) != TypeKind::Pointer) return to;
    const std::optional<Scalar> address = values_.read(pointer);
    const auto known = address ? pointees_.find(address->bits) : pointees_.end();
    if (known == pointees_.end() || known->second == kNoType) return std::nullopt;
    to.emplace().type = known->second;
    to->address = known->first + static_cast<uint64_t>(index) * values_.sizeOf(*to);
    return to;
  }

  DebugValue dereferenced(const DebugValue& pointer, int64_t index) {
    if (!problem_.empty()) return pointer;
    std::optional<DebugValue> to = pointedAt(pointer, index);
    if (!to && unevaluated_ != 0 && pointer.type != kNoType) {
      const TypeIndex element = program_.types.at(pointer.type).element;
      if (element != kNoType) to.emplace().type = element;
    }
    if (!to) return fail("it is no pointer to a known type");
    if (unevaluated_ != 0) return *to;
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

  const Program& program_;
  ThreadView views_;
  ValueView values_;
  const ThreadId thread_;
  const size_t frame_;
  ExpressionLexer lexer_;
  ExpressionToken token_;
  unsigned depth_ = 0;
  unsigned unevaluated_ = 0;  // operands of sizeof around
  std::optional<ExpressionTypes> types_;
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
