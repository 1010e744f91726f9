#include "tests/unit/interp/random_c.h"

#include <random>
#include <vector>

namespace heddle::test {
namespace {

struct Type {
  const char* name;
  unsigned bits;  // after the promotions: 32 or 64
};

constexpr Type kTypes[] = {
    {"signed char", 32},
    {"unsigned char", 32},
    {"short", 32},
    {"unsigned short", 32},
    {"int", 32},
    {"unsigned", 32},
    {"long", 64},
    {"unsigned long", 64},
    {"long long", 64},
    {"_Bool", 32},
    {"unsigned long long", 64},
};

struct Variable {
  std::string text;  // an lvalue of integer type
};

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  std::string run() {
    line("#include <stdio.h>");
    line("#include <string.h>");
    line("typedef unsigned long long u64;");
    line("static u64 sum = 14695981039346656037ull;");
    line("static void mix(u64 v) { sum = (sum ^ v) * 1099511628211ull; }");
    line("static void show(const char *name, u64 v) { mix(v); printf(\"%s %llx\\n\", name, v); }");
    record();
    globals();
    const unsigned functions = 2 + pick(3);
    for (unsigned i = 0; i < functions; ++i) function(i);
    main();
    return text_;
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned percent) { return pick(100) < percent; }
  void line(const std::string& text) { text_ += std::string(indent_, ' ') + text + '\n'; }
  const Type& type() { return kTypes[pick(std::size(kTypes))]; }

  std::string literal(bool wide) {
    static const char* const kEdges[] = {"0",
                                         "1",
                                         "-1",
                                         "127",
                                         "128",
                                         "255",
                                         "256",
                                         "32767",
                                         "65535",
                                         "2147483647",
                                         "-2147483647 - 1",
                                         "4294967295u",
                                         "1103515245",
                                         "7"};
    if (chance(60)) return "(" + std::string(kEdges[pick(std::size(kEdges))]) + ")";
    if (wide) return std::to_string(random_()) + "ull";
    return "(int)" + std::to_string(static_cast<uint32_t>(random_())) + "u";
  }

  /// An integer expression; `depth` bounds its size.
  std::string expression(int depth) {
    if (depth <= 0 || chance(15)) return chance(70) && !variables_.empty() ? variable() : literal(chance(40));
    const std::string a = expression(depth - 1), b = expression(depth - 1);
    static const char* const kPlain[] = {"+", "-", "*", "&", "|", "^"};
    static const char* const kRelations[] = {"<", "<=", ">", ">=", "==", "!="};
    switch (pick(13)) {
      case 0:
      case 1:
      case 2:
        return "(" + a + " " + kPlain[pick(6)] + " " + b + ")";
      case 3:
        return "(" + a + " " + kRelations[pick(6)] + " " + b + ")";
      case 4:
        return chance(50)
                   ? "((" + std::string(chance(50) ? "long" : "u64") + ")" + a + " << (" + b + " & 63))"
                   : "((" + std::string(chance(50) ? "long" : "u64") + ")" + a + " >> (" + b + " & 63))";
      case 5:
        return "((" + std::string(chance(50) ? "int" : "unsigned") + ")" + a +
               (chance(50) ? " << " : " >> ") + "(" + b + " & 31))";
      case 6: {
        const std::string cast = chance(50) ? "(long)" : "(unsigned)";
        return "safe" + std::string(chance(50) ? "Div" : "Rem") + (cast == "(long)" ? "L" : "U") + "(" +
               cast + a + ", " + cast + b + ")";
      }
      case 7:
        return "(" + a + (chance(50) ? " && " : " || ") + b + ")";
      case 8:
        return "(" + expression(depth - 2) + " ? " + a + " : " + b + ")";
      case 9:
        return std::string("(") + (chance(40) ? "-" : chance(50) ? "~" : "!") + a + ")";
      case 10:
        return "((" + std::string(type().name) + ")" + a + ")";
      case 11:
        return callable_ ? call(depth - 1) : "(" + a + ", " + b + ")";
      default:
        return "(" + a + " - " + b + ")";
    }
  }

  std::string call(int depth) {
    const unsigned target = pick(callable_);
    const std::string arguments = expression(depth - 1) + ", " + expression(depth - 1);
    switch (pick(3)) {
      case 0:
        return "f" + std::to_string(target) + "(" + arguments + ")";
      case 1:
        return "table[" + expression(depth - 2) + " & 1](" + arguments + ")";
      default:
        return "changed(r0, " + expression(depth - 1) + ").m" + std::to_string(pick(4));
    }
  }

  std::string variable() { return variables_[pick(static_cast<unsigned>(variables_.size()))].text; }

  void record() {
    line("static long safeDivL(long a, long b) { return b == 0 || b == -1 ? a : a / b; }");
    line("static long safeRemL(long a, long b) { return b == 0 || b == -1 ? a : a % b; }");
    line("static unsigned safeDivU(unsigned a, unsigned b) { return b == 0 ? a : a / b; }");
    line("static unsigned safeRemU(unsigned a, unsigned b) { return b == 0 ? a : a % b; }");
    line("struct Record {");
    for (int i = 0; i < 4; ++i) line(std::string("  ") + type().name + " m" + std::to_string(i) + ";");
    static const char* const kFieldTypes[] = {"int", "unsigned", "unsigned long long"};
    for (int i = 0; i < 4; ++i) {
      const unsigned kind = pick(3);
      line(std::string("  ") + kFieldTypes[kind] + " b" + std::to_string(i) + " : " +
           std::to_string(1 + pick(kind == 2 ? 60 : 31)) + ";");
    }
    line(std::string("  ") + type().name + " list[4];");
    line("};");
    line(std::string("union Both { ") + type().name + " whole; unsigned char bytes[8]; short halves[4]; };");
    line("struct Outer { char tag; struct Record inner; union Both both; };");
    line(
        "static struct Record changed(struct Record r, long n) { r.m0 += n; r.b1 ^= n; r.list[n & 3] -= n; "
        "return r; }");
  }

  void globals() {
    for (int i = 0; i < 4; ++i) {
      line(std::string("static ") + type().name + " g" + std::to_string(i) + " = " + literal(false) + ";");
      variables_.push_back({"g" + std::to_string(i)});
    }
    line(std::string("static ") + type().name + " array[8] = {1, 2, 3, [6] = 7};");
    line("static struct Record r0 = {1, 2, 3, 1, .b0 = 1, .list = {4, 5}};");
    line("static struct Outer outer = {'x', {5}, {6}};");
    line("static int matrix[3][4];");
    for (const char* member : {"m0", "m1", "m2", "m3", "b0", "b1", "b2", "b3", "list[2]"}) {
      variables_.push_back({"r0." + std::string(member)});
      variables_.push_back({"outer.inner." + std::string(member)});
    }
    variables_.push_back({"outer.both.bytes[3]"});
    variables_.push_back({"outer.both.halves[1]"});
    variables_.push_back({"outer.both.whole"});
    variables_.push_back({"array[5]"});
    variables_.push_back({"matrix[2][1]"});
    line("static long t0(long a, long b) { return a * 3 + b; }");
    line("static long t1(long a, long b) { return a ^ b; }");
    line("static long (*table[2])(long, long) = {t0, t1};");
  }

  void statement(int depth) {
    const std::string n = std::to_string(counter_++);
    static const char* const kAssign[] = {"=", "+=", "-=", "*=", "&=", "|=", "^="};
    switch (pick(depth > 0 ? 14 : 6)) {
      case 0:
      case 1:
      case 2:
        return line(variable() + " " + kAssign[pick(7)] + " " + expression(3) + ";");
      case 3:
        return line("array[" + expression(2) + " & 7] " + kAssign[pick(7)] + " " + expression(2) + ";");
      case 4:
        return line(chance(50) ? variable() + "++;" : "--" + variable() + ";");
      case 5:
        return line("show(\"e" + n + "\", (u64)" + expression(4) + ");");
      case 6:
        return block("if (" + expression(3) + ") {", depth, chance(50));
      case 7:
        return block(
            "for (int i" + n + " = 0; i" + n + " < " + std::to_string(1 + pick(6)) + "; i" + n + "++) {",
            depth, false, "i" + n);
      case 8:
        line("{ int k" + n + " = " + std::to_string(1 + pick(5)) + ";");
        block("while (k" + n + "-- > 0) {", depth, false);
        return line("}");
      case 9:
        line("switch (" + expression(3) + " & 7) {");
        for (int i = 0; i < 4; ++i) {
          line("case " + std::to_string(i * 2) + ":");
          statement(depth - 1);
          if (chance(70)) line("break;");
        }
        line("default:");
        statement(depth - 1);
        return line("}");
      case 10:
        line("{ __typeof__(&array[0]) p" + n + " = &array[" + expression(2) + " & 7];");
        line("  *p" + n + " += " + expression(2) + "; show(\"p" + n + "\", (u64)(p" + n + " - array)); }");
        return;
      case 11:
        line("{ struct Record c" + n + " = changed(r0, " + expression(2) + "); outer.inner = c" + n + ";");
        line("  struct Record *q" + n + " = &outer.inner; q" + n + "->m1 ^= " + expression(2) + "; q" + n +
             "->b2++; }");
        return;
      case 12:
        line("{ unsigned char raw" + n + "[sizeof outer.both]; memcpy(raw" + n +
             ", &outer.both, sizeof outer.both);");
        line("  for (int i = 0; i < 8; i++) mix(raw" + n + "[i]); memset(&outer.both, (int)" + expression(1) +
             ", 4); }");
        return;
      default:
        line("{ double d" + n + " = (double)(int)" + expression(2) + " / 3; if (d" + n + " < 1e9 && d" + n +
             " > -1e9) show(\"d" + n + "\", (u64)(long)(d" + n + " * 1.5)); }");
        return;
    }
  }

  void block(const std::string& head, int depth, bool hasElse, const std::string& index = {}) {
    line(head);
    indent_ += 2;
    const unsigned count = 1 + pick(3);
    for (unsigned i = 0; i < count; ++i) statement(depth - 1);
    if (!index.empty() && chance(30))
      line("if (" + index + " == 2) " + (chance(50) ? "break;" : "continue;"));
    indent_ -= 2;
    if (!hasElse) return line("}");
    line("} else {");
    statement(depth - 1);
    line("}");
  }

  void function(unsigned number) {
    const std::string name = "f" + std::to_string(number);
    line(std::string("static ") + type().name + " " + name + "(" + type().name + " a, " + type().name +
         " b) {");
    indent_ = 2;
    const size_t outer = variables_.size();
    variables_.push_back({"a"});
    variables_.push_back({"b"});
    line(std::string(type().name) + " local = " + literal(false) + ";");
    variables_.push_back({"local"});
    line("static int calls; if (++calls > 200) return 3;");
    const unsigned count = 2 + pick(3);
    for (unsigned i = 0; i < count; ++i) statement(1);
    line("return " + expression(3) + ";");
    variables_.resize(outer);
    indent_ = 0;
    line("}");
    callable_ = number + 1;
  }

  void main() {
    line("int main(void) {");
    indent_ = 2;
    for (int i = 0; i < 3; ++i) {
      line(std::string(type().name) + " v" + std::to_string(i) + " = " + literal(false) + ";");
      variables_.push_back({"v" + std::to_string(i)});
    }
    for (int i = 0; i < 14; ++i) statement(3);
    for (const Variable& v : variables_) line("show(\"" + v.text + "\", (u64)" + v.text + ");");
    line("for (int i = 0; i < 8; i++) mix((u64)array[i]);");
    line("printf(\"%llx\\n\", sum);");
    line("return (int)(sum & 127);");
    indent_ = 0;
    line("}");
  }

  std::mt19937_64 random_;
  std::string text_;
  size_t indent_ = 0;
  std::vector<Variable> variables_;
  unsigned counter_ = 0, callable_ = 0;
};

}  // namespace

std::string randomC(uint64_t seed) {
  return Generator(seed).run();
}

}  // namespace heddle::test
