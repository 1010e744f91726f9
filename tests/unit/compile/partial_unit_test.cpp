// What is left of a text that does not compile, where that is asked for.
#include "tests/unit/compile/compile_helpers.h"

namespace heddle {
namespace {

CompileResult compilePartially(const std::string& text) {
  CompileCommand command = commandWith();
  command.isPartial = true;
  return Compiler().compile(kNowhere, text, command);
}

/// Whether the module defines the function; nothing: it does not even name it.
std::optional<bool> defines(const CompileResult& result, const std::string& name) {
  const llvm::Function* function = result.module->getFunction(name);
  if (function == nullptr) return std::nullopt;
  return !function->isDeclaration();
}

bool isSound(const CompileResult& result) {
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  const bool broken = llvm::verifyModule(*result.module, &stream);
  EXPECT_FALSE(broken) << problem;
  return !broken;
}

const std::string kText =
    "#include <nowhere/lib.h>\n"
    "#ifndef NOWHERE\n"
    "#error \"Define NOWHERE\"\n"
    "#endif\n"
    "typedef int number;\n"
    "struct pair { number a; number b; };\n"
    "struct mixed { number a; nowhere_t b; };\n"
    "struct holder { nowhere_t *of; number a; };\n"
    "nowhere_t *made(void);\n"
    "static struct pair kept = {1, 2};\n"
    "static nowhere_t *handle = 0;\n"
    "struct mixed mixed;\n"
    "int sum(void) { return kept.a + kept.b; }\n"
    "static int hidden(void) { return handle->value; }\n"
    "int shown(int x) {\n"
    "  if (x > 0) return NOWHERE_LIMIT;\n"
    "  return 0;\n"
    "}\n"
    "int first(void) { return mixed.a; }\n"
    "int held(struct holder *h) { return h->a; }\n"
    "int all(int x) { return sum() + hidden() + shown(x) + first(); }\n";

TEST(PartialUnit, KeepsTheFunctionsThatCompile) {
  const CompileResult result = compilePartially(kText);
  ASSERT_TRUE(result.module) << describe(result);
  EXPECT_TRUE(isSound(result));
  EXPECT_EQ(defines(result, "sum"), true);
  EXPECT_EQ(defines(result, "all"), true);
  EXPECT_EQ(defines(result, "shown"), false) << "others may call it; it is unknown";
  EXPECT_EQ(defines(result, "first"), false) << "the size of what it reads is not known";
  EXPECT_EQ(defines(result, "held"), true) << "a pointer to whatever it is has its size";
  EXPECT_EQ(defines(result, "hidden"), std::nullopt) << "another file's function is not meant";
  EXPECT_EQ(defines(result, "hidden (does not compile)"), false);
  ASSERT_EQ(result.gaps.size(), 2u);
  EXPECT_EQ(result.gaps[0], "headers that are missing are empty in main.c: 'nowhere/lib.h'");
  EXPECT_EQ(result.gaps[1],
            "what does not compile is left out of main.c: functions 'hidden', 'shown', 'first' "
            "(first error: \"Define NOWHERE\")");
  EXPECT_FALSE(compileText(kText).module) << "nobody asked for a part";
}

TEST(PartialUnit, LaysOutNoStructureOfWhichAPartIsNotKnown) {
  const CompileResult result = compilePartially(
      "struct early *find(void);\n"
      "int before(struct outer *o) { return o != 0; }\n"
      "struct inner { struct absent part; };\n"
      "struct outer { struct inner in; int a; };\n"
      "int named(struct outer *o) { return o != 0; }\n"
      "int read(struct outer *o) { return o->a; }\n"
      "unsigned long sized(void) { return sizeof(struct outer); }\n"
      "struct outer *next(struct outer *o) { return o + 1; }\n");
  ASSERT_TRUE(result.module) << describe(result);
  EXPECT_TRUE(isSound(result));
  EXPECT_EQ(defines(result, "named"), true);
  for (const char* name : {"read", "sized", "next"}) EXPECT_NE(defines(result, name), true) << name;
}

TEST(PartialUnit, LeavesOutWhatRestsOnTypesThatAreNotKnown) {
  const std::string types =
      "#include <nowhere/lib.h>\n"
      "typedef nowhere_t handle;\n"
      "typedef nowhere_t *reference;\n"
      "typedef struct { nowhere_t *of; int a; } holder;\n"
      "struct outer { struct inner { handle h; } in; int b; };\n"
      "enum limit { LOW = NOWHERE_LOW, HIGH };\n"
      "struct counted { enum { MOST = NOWHERE_MOST, MORE } kind; int n; };\n"
      "static int limits[] = {NOWHERE_LOW, 2};\n"
      "static int start = NOWHERE_LOW;\n"
      "int declared(handle h);\n";
  const std::vector<std::pair<std::string, bool>> functions = {
      {"int f(void) { handle h = 1; return h == 1; }\n", false},
      {"int f(reference r) { return *r; }\n", false},
      {"int f(holder *h) { return h->a; }\n", true},
      {"int f(holder *h) { return h->of != 0; }\n", false},
      {"int f(struct outer *o) { return o->b; }\n", false},
      {"int f(struct outer *o) { return o + 1 != 0; }\n", false},
      {"int f(void) { return sizeof(struct outer); }\n", false},
      {"int f(struct outer *o) { return o != 0; }\n", true},
      {"int f(void) { return HIGH; }\n", false},
      {"int f(void) { return MORE; }\n", false},
      {"int f(void) { return limits[1]; }\n", false},
      {"int f(void) { return start; }\n", false},
      {"int f(void) { return declared(0); }\n", false},
      {"int f(void) { return undeclared(0) == 0; }\n", false},
      {"static int g(handle h) { return h; }\nint f(void) { return g(0); }\n", false},
      {"static int g(void) { return HIGH; }\nint f(void) { return g(); }\n", true}};
  for (const auto& [text, isKept] : functions) {
    const CompileResult result = compilePartially(types + text);
    ASSERT_TRUE(result.module) << text << describe(result);
    EXPECT_TRUE(isSound(result)) << text;
    EXPECT_EQ(defines(result, "f").value_or(false), isKept) << text;
  }
}

TEST(PartialUnit, IsTheWholeWhereAllCompiles) {
  const CompileResult result = compilePartially("int twice(int x) { return 2 * x; }\n");
  ASSERT_TRUE(result.module) << describe(result);
  EXPECT_EQ(defines(result, "twice"), true);
  EXPECT_TRUE(result.gaps.empty());
}

TEST(PartialUnit, IsSoundWhateverIsDamaged) {
  const std::string text =
      "typedef struct node { struct node *next; int value; } node;\n"
      "enum state { OPEN, CLOSED };\n"
      "#define EACH(n, list) for (node *n = (list); n; n = n->next)\n"
      "static node *first;\n"
      "static enum state state = OPEN;\n"
      "int limits[CLOSED + 2] = {1, 2, 3};\n"
      "static int count(void) { int c = 0; EACH(n, first) c += n->value > limits[state]; return c; }\n"
      "void push(node *n) { n->next = first; first = n; }\n"
      "int close_all(void (*each)(node *)) {\n"
      "  EACH(n, first) { if (each) each(n); }\n"
      "  switch (state) { case OPEN: state = CLOSED; break; default: return -1; }\n"
      "  return count();\n"
      "}\n";
  size_t parts = 0;
  for (size_t at = 0; at < text.size(); at += 3) {
    std::string damaged = text;
    damaged.erase(at, 4);
    const CompileResult result = compilePartially(damaged);
    if (!result.module) continue;
    ++parts;
    ASSERT_TRUE(isSound(result)) << damaged;
    for (const llvm::Function& function : *result.module)
      EXPECT_EQ(function.getName().contains("(does not compile)") && !function.isDeclaration(), false)
          << damaged;
    if (compileText(damaged).module)
      EXPECT_TRUE(result.gaps.empty()) << damaged;
    else
      EXPECT_FALSE(result.gaps.empty()) << damaged;
  }
  EXPECT_GT(parts, text.size() / 6);
}

}  // namespace
}  // namespace heddle
