// Every access that the C text makes to memory which other threads may reach is in the IR, once, where the
// text has it.
#include "compile_helpers.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle {
namespace {

TEST(Accesses, NeitherMergedNorDropped) {
  CompileResult result = compileText(R"(
    int x, y; volatile int v; struct S { int a; long b; } s;
    void twice(void) { x++; x++; }
    void dead(void) { x = 1; x = 2; (void)x; x; }
    int same(void) { return x + x; }
    void noise(void) { v; v = v; }
    int part(void) { return s.a; }
  )",
                                     {"-w"});
  ASSERT_TRUE(result.module) << describe(result);
  EXPECT_EQ(accessesOf(result, "twice", "x"), (Accesses{2, 2}));
  EXPECT_EQ(accessesOf(result, "dead", "x"), (Accesses{2, 2}));
  EXPECT_EQ(accessesOf(result, "same", "x"), (Accesses{2, 0}));
  EXPECT_EQ(accessesOf(result, "noise", "v"), (Accesses{2, 1}));
  EXPECT_EQ(accessesOf(result, "part", "s"), (Accesses{1, 0}));
}

TEST(Accesses, NotSpeculated) {
  CompileResult result = compileText(R"(
    int g, h;
    int branch(int c) { int y = 0; if (c) y = g; return y; }
    int choose(int c) { return c ? g : 0; }
    int pick(int c) { int local = 1; int first = h; return *(c ? &local : &g) + first; }
    int pointer(int c) { int local = 1; int *p; if (c) p = &local; else p = &g; int v = h; return v + *p; }
  )");
  ASSERT_TRUE(result.module) << describe(result);
  for (const char* name : {"branch", "choose"}) {
    EXPECT_EQ(accessesOf(result, name, "g"), (Accesses{1, 0})) << name;
    const llvm::Function* function = result.module->getFunction(name);
    for (const llvm::Instruction& instruction : function->getEntryBlock())
      EXPECT_FALSE(llvm::isa<llvm::LoadInst>(instruction)) << name;
  }
  // Through a chosen pointer there is one load, after the choice and after the read of h.
  for (const char* name : {"pick", "pointer"}) {
    bool sawH = false;
    int through = 0;
    for (const llvm::Instruction& instruction : llvm::instructions(result.module->getFunction(name)))
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        if (load->getPointerOperand() == result.module->getGlobalVariable("h")) sawH = true;
        if (llvm::isa<llvm::PHINode>(load->getPointerOperand())) {
          ++through;
          EXPECT_TRUE(sawH) << name;
        }
      }
    EXPECT_EQ(through, 1) << name;
  }
}

TEST(Accesses, StructCopiesOfSharedMemoryStayWhole) {
  CompileResult result = compileText(R"(
    struct S { int a, b, c; } shared;
    int read(void) { struct S s = shared; return s.a; }
    void write(int v) { struct S s = {v, v, v}; shared = s; }
  )");
  ASSERT_TRUE(result.module) << describe(result);
  const llvm::GlobalVariable* shared = result.module->getGlobalVariable("shared");
  for (const char* name : {"read", "write"}) {
    int copies = 0;
    for (const llvm::Instruction& instruction : llvm::instructions(result.module->getFunction(name)))
      if (auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction))
        copies += (copy->getSource() == shared || copy->getDest() == shared) &&
                  llvm::cast<llvm::ConstantInt>(copy->getLength())->getZExtValue() == 12;
    EXPECT_EQ(copies, 1) << name;
    EXPECT_EQ(accessesOf(result, name, "shared"), (Accesses{0, 0})) << name;
  }
}

TEST(Accesses, LocalsBecomeValuesUnlessTheyEscape) {
  CompileResult result = compileText(R"(
    void share(int *);
    int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
    int indirect(int n) { int s = n; int *p = &s; *p += 1; return s; }
    int escapes(void) { int s = 0; share(&s); return s; }
    int noisy(void) { volatile int s = 0; return s; }
  )");
  ASSERT_TRUE(result.module) << describe(result);
  EXPECT_EQ(allocasIn(result, "sum"), 0);
  EXPECT_EQ(allocasIn(result, "indirect"), 0);
  EXPECT_EQ(allocasIn(result, "escapes"), 1);
  EXPECT_EQ(allocasIn(result, "noisy"), 1);
  EXPECT_FALSE(llvm::verifyModule(*result.module, &llvm::errs()));
}

TEST(Accesses, CallResultIsTiedToItsVariableAndPlace) {
  CompileResult result = compileText(
      "int heddle_input_int(const char *);\nint f(void) {\n"
      "  int answer = heddle_input_int(\"n\");\n  return answer + 1;\n}\n");
  ASSERT_TRUE(result.module) << describe(result);
  std::string variable;
  const llvm::CallInst* call = nullptr;
  for (const llvm::Instruction& instruction : llvm::instructions(result.module->getFunction("f"))) {
    if (auto* found = llvm::dyn_cast<llvm::CallInst>(&instruction)) call = found;
    for (const llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange()))
      if (call && record.getNumVariableLocationOps() == 1 && record.getVariableLocationOp(0) == call)
        variable = record.getVariable()->getName().str();
  }
  ASSERT_TRUE(call);
  EXPECT_EQ(call->getDebugLoc().getLine(), 3u);
  EXPECT_EQ(call->getDebugLoc().getCol(), 16u);
  EXPECT_EQ(variable, "answer");
}

TEST(Accesses, NothingIsHiddenFromTheInterpreter) {
  CompileResult result =
      compileText("static int used(void) { return 1; }\nint main(void) { return used(); }\n");
  ASSERT_TRUE(result.module);
  for (const llvm::Function& function : *result.module)
    EXPECT_FALSE(function.hasFnAttribute(llvm::Attribute::OptimizeNone)) << function.getName().str();
  EXPECT_EQ(printed(*result.module).find("llvm.lifetime"), std::string::npos);
}

}  // namespace
}  // namespace heddle
