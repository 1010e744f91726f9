// What lowering keeps of the source: places, names of bytes, failing sides, loops, inputs, and what it cannot
// express.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/program/program.h"
#include "analysis/program/reachable.h"
#include "tests/unit/program/lowered.h"

namespace heddle {
namespace {

ObjectName global(const Program& program, const std::string& name) {
  for (uint32_t i = 0; i < program.globals.size(); ++i)
    if (program.globals[i].name == name) return {ObjectKind::Global, kNone, i, 0, program.globals[i].size};
  ADD_FAILURE() << "no global " << name;
  return {};
}

std::vector<Instruction> body(const Program& program, const std::string& name) {
  const auto id = program.findFunction(name);
  EXPECT_TRUE(id) << name;
  if (!id) return {};
  const Function& function = program.functions[*id];
  return {program.code.begin() + function.entry, program.code.begin() + function.end};
}

size_t countOf(const std::vector<Instruction>& code, Opcode op) {
  return static_cast<size_t>(
      std::count_if(code.begin(), code.end(), [&](const Instruction& in) { return in.op == op; }));
}

TEST(Lower, PlacesAreWhereTheSourceIs) {
  const auto p = lowered("int x;\nint main(void) {\n  x = 1;\n  return x / 2;\n}");
  ASSERT_TRUE(p);
  std::set<std::string> seen;
  for (const Instruction& in : body(*p, "main")) {
    const Place& place = p->place(in.place);
    EXPECT_EQ(place.file, "/program/dir/test.c");
    EXPECT_EQ(place.function, "main");
    if (in.op == Opcode::Store)
      seen.insert("store " + std::to_string(place.line) + ":" + std::to_string(place.column));
    if (in.op == Opcode::SDiv)
      seen.insert("divide " + std::to_string(place.line) + ":" + std::to_string(place.column));
  }
  EXPECT_EQ(seen, (std::set<std::string>{"store 3:5", "divide 4:12"}));
  EXPECT_EQ(p->place(kNone).line, 0u);
  EXPECT_EQ(p->shortPlace(body(*p, "main").front().place), "test.c:3");
}

TEST(Lower, BytesHaveTheNamesOfTheSource) {
  const auto p = lowered(R"(
    #include <pthread.h>
    struct Account { int balance; char name[3]; struct { short a, b; } in; union { int u; float f; }; } acc, accs[4];
    int x, grid[2][3]; double d; unsigned long ul; char *text; pthread_mutex_t m; _Bool flag; typedef int number; const number n = 1;
    int main(void) { int a[7]; int *volatile q = a; return *q + x; })");
  ASSERT_TRUE(p);
  const auto named = [&](const char* object, uint64_t offset, uint64_t size) {
    return p->describe(global(*p, object), offset, size);
  };
  EXPECT_EQ(named("x", 0, 4), "x");
  EXPECT_EQ(named("acc", 0, 4), "acc.balance");
  EXPECT_EQ(named("acc", 5, 1), "acc.name[1]");
  EXPECT_EQ(named("acc", 10, 2), "acc.in.b");
  EXPECT_EQ(named("acc", 12, 4), "acc.u");
  EXPECT_EQ(named("acc", 0, 16), "acc");
  EXPECT_EQ(named("accs", 32, 4), "accs[2].balance");
  EXPECT_EQ(named("grid", 16, 4), "grid[1][1]");
  EXPECT_EQ(named("m", 8, 4), "m");
  EXPECT_EQ(p->scalarAt(kNone, global(*p, "acc"), 0)->kind, TypeKind::Signed);
  EXPECT_EQ(p->scalarAt(kNone, global(*p, "d"), 0)->kind, TypeKind::Floating);
  EXPECT_EQ(p->scalarAt(kNone, global(*p, "ul"), 0)->kind, TypeKind::Unsigned);
  EXPECT_EQ(p->scalarAt(kNone, global(*p, "text"), 0)->kind, TypeKind::Pointer);
  EXPECT_EQ(p->scalarAt(kNone, global(*p, "flag"), 0)->kind, TypeKind::Boolean);
  EXPECT_EQ(p->scalarAt(kNone, global(*p, "n"), 0)->kind, TypeKind::Signed);
  EXPECT_EQ(p->elements(global(*p, "accs")), (std::pair<uint64_t, uint64_t>(16, 4)));
  const auto main = p->findFunction("main");
  for (uint32_t pc = p->functions[*main].entry; pc < p->functions[*main].end; ++pc)
    if (p->code[pc].op == Opcode::Alloca && p->stackVariables[p->code[pc].a].size == 28) {
      EXPECT_EQ(p->describe({ObjectKind::Stack, 0, pc, 0, 28}, 8, 4), "a[2]");
    }
}

TEST(Lower, InitializersAreTheirBytes) {
  const auto p = lowered(R"(
    struct S { char c; int i; short s[3]; } s = {1, -2, {3, 4}}; int zero[1000000]; const char *text = "ab"; int x, *px = &x + 1;
    long difference = (long)((char *)&zero[5] - (char *)&zero[2]); int main(void); int (*f)(void) = main; int main(void) { return 0; })");
  ASSERT_TRUE(p);
  const auto& s = p->globals[global(*p, "s").site];
  EXPECT_EQ(s.size, 16u);
  EXPECT_EQ(s.initializer, (std::vector<uint8_t>{1, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff, 3, 0, 4}));
  EXPECT_TRUE(p->globals[global(*p, "zero").site].initializer.empty());
  const auto& px = p->globals[global(*p, "px").site];
  ASSERT_EQ(px.relocations.size(), 1u);
  EXPECT_EQ(px.relocations[0].index, global(*p, "x").site);
  EXPECT_EQ(px.initializer, std::vector<uint8_t>{4});
  EXPECT_EQ(p->globals[global(*p, "difference").site].initializer, std::vector<uint8_t>{12});
  const auto& f = p->globals[global(*p, "f").site];
  ASSERT_EQ(f.relocations.size(), 1u);
  EXPECT_EQ(f.relocations[0].target, RelocationTarget::Function);
  EXPECT_EQ(p->functionName(f.relocations[0].index), "main");
}

TEST(Lower, BranchesKnowTheirFailingSide) {
  const auto p = lowered(R"(
    #include <assert.h>
    void __VERIFIER_error(void); int x;
    void asserts(int i) { assert(i); }
    void errors(int i) { if (i == 3) __VERIFIER_error(); }
    void works(int i) { if (i == 3) { x = 1; __VERIFIER_error(); } }
    void plain(int i) { if (i == 3) x = 2; })");
  ASSERT_TRUE(p);
  const auto sides = [&](const char* name) {
    std::vector<int> out;
    for (const Instruction& in : body(*p, name))
      if (in.op == Opcode::Branch) out.push_back(static_cast<int>(in.aux) - 1);
    return out;
  };
  ASSERT_EQ(sides("asserts").size(), 1u);
  EXPECT_NE(sides("asserts")[0], -1);
  EXPECT_EQ(sides("errors"), std::vector<int>{1});
  EXPECT_EQ(sides("works"), std::vector<int>{-1}) << "an access to shared memory comes first";
  EXPECT_EQ(sides("plain"), std::vector<int>{-1});
}

TEST(Lower, LoopsCountTheirBackEdges) {
  const auto p = lowered(R"(
    int once(int n) { return n ? n + 1 : 2; }
    int twice(int n) { int s = 0; for (int i = 0; i < n; i++) for (int k = 0; k < i; k++) s += k; return s; }
    int jumps(int n) { again: if (n-- > 3) goto again; return n; })");
  ASSERT_TRUE(p);
  EXPECT_EQ(countOf(body(*p, "once"), Opcode::JumpBack), 0u);
  EXPECT_EQ(countOf(body(*p, "twice"), Opcode::JumpBack), 2u);
  EXPECT_EQ(countOf(body(*p, "jumps"), Opcode::JumpBack), 1u);
}

TEST(Lower, PrivateVariablesAreThoseWhoseAddressStays) {
  const auto p = lowered(R"(
    void use(int *);
    int stays(int i) { int a[3] = {1, 2, 3}; struct { int x, y; } s = {i, i}; return a[i] + s.y; }
    int leaves(int i) { int a[3]; use(&a[1]); return a[i]; }
    int *volatile place; int stored(void) { int x = 1; place = &x; return x; })");
  ASSERT_TRUE(p);
  const auto flags = [&](const char* name) {
    std::set<bool> out;
    for (const Instruction& in : body(*p, name))
      if (in.op == Opcode::Alloca) out.insert(in.flags & kPrivate);
    return out;
  };
  EXPECT_EQ(flags("stays"), std::set<bool>{true});
  EXPECT_EQ(flags("leaves"), std::set<bool>{false});
  EXPECT_EQ(flags("stored"), std::set<bool>{false});
}

TEST(Lower, WideValuesTakeTwoSlotsAndVectorsOneAnElement) {
  const auto p = lowered(R"(
    __int128 wide(__int128 a) { return a * a; }
    typedef int v4 __attribute__((vector_size(16))); v4 vectors(v4 a) { return a + a; }
    long double longs(long double a) { return a + 1; })");
  ASSERT_TRUE(p);
  EXPECT_EQ(countOf(body(*p, "wide"), Opcode::Wide), 1u);
  EXPECT_EQ(countOf(body(*p, "vectors"), Opcode::Add), 4u);
  EXPECT_EQ(countOf(body(*p, "longs"), Opcode::LongFloat), 1u);
  for (const char* name : {"wide", "vectors", "longs"})
    EXPECT_EQ(countOf(body(*p, name), Opcode::Unsupported), 0u) << name;
}

TEST(Lower, WhatCannotBeExpressedIsOneInstruction) {
  const auto p = lowered(R"(
    _BitInt(200) wide(_BitInt(200) a) { return a * a; }
    __float128 quadruple(__float128 a) { return a + a; }
    float assembly(void) { float __attribute__((vector_size(16))) x; __asm__("xorps %0, %0" : "=x"(x)); return x[0]; }
    int fine(int a) { return a; })");
  ASSERT_TRUE(p);
  for (const char* name : {"wide", "quadruple", "assembly"})
    EXPECT_GE(countOf(body(*p, name), Opcode::Unsupported), 1u) << name;
  EXPECT_EQ(countOf(body(*p, "fine"), Opcode::Unsupported), 0u);
}

TEST(Lower, PointersHaveTheWidthOfTheTarget) {
  const char* text = "int *p; int main(void) { return *p; }";
  EXPECT_EQ(lowered(text)->pointerBits(), 64u);
  const auto p = lowered(text, {"-m32"});
  EXPECT_EQ(p->pointerBits(), 32u);
  EXPECT_EQ(p->globals[global(*p, "p").site].size, 4u);
}

TEST(Reachable, CallsAddressesTablesAndConstructors) {
  const auto p = lowered(
      "void called(void) {}\n"
      "void never(void) { called(); }\n"
      "static void *pointed(void *a) { return a; }\n"
      "void inTable(void) {}\n"
      "void (*table[1])(void) = {inTable};\n"
      "__attribute__((constructor)) void first(void) {}\n"
      "void *take(void *(*f)(void *)) { return f(0); }\n"
      "int main(void) { called(); return take(pointed) != 0; }\n");
  ASSERT_TRUE(p);
  std::set<std::string> names;
  for (const FunctionId id : reachableFunctions(*p, *p->findFunction("main")))
    names.insert(p->functionName(id));
  for (const char* name : {"main", "called", "pointed", "inTable", "first", "take"})
    EXPECT_TRUE(names.contains(name)) << name;
  EXPECT_FALSE(names.contains("never"));
  names.clear();
  for (const FunctionId id : reachableFunctions(*p, *p->findFunction("never")))
    names.insert(p->functionName(id));
  EXPECT_TRUE(names.contains("called"));
  EXPECT_FALSE(names.contains("main"));
}

std::vector<MemoryOrder> fencesOf(const Program& program, const std::string& name) {
  std::vector<MemoryOrder> orders;
  for (const Instruction& in : body(program, name))
    if (in.op == Opcode::Fence) orders.push_back(static_cast<MemoryOrder>(in.aux));
  return orders;
}

TEST(Lower, OrdersOfAtomicsAreKept) {
  const auto p = lowered(
      "int x;\nint main(void) {\n"
      "  __atomic_store_n(&x, 1, __ATOMIC_RELEASE);\n"
      "  __atomic_load_n(&x, __ATOMIC_RELAXED);\n"
      "  __atomic_load_n(&x, __ATOMIC_CONSUME);\n"
      "  __atomic_fetch_add(&x, 1, __ATOMIC_ACQ_REL);\n"
      "  int e = 0; __atomic_compare_exchange_n(&x, &e, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);\n"
      "  __atomic_store_n(&x, 2, __ATOMIC_SEQ_CST);\n"
      "  return 0; }");
  ASSERT_TRUE(p);
  std::map<uint32_t, AtomicOrders> byLine;
  for (const auto& [pc, orders] : p->weakAtomics) byLine[p->place(p->code[pc].place).line] = orders;
  ASSERT_EQ(byLine.size(), 5u);  // not the last one
  EXPECT_EQ(byLine[3].success, MemoryOrder::Release);
  EXPECT_EQ(byLine[4].success, MemoryOrder::Relaxed);
  EXPECT_EQ(byLine[5].success, MemoryOrder::Acquire);
  EXPECT_EQ(byLine[6].success, MemoryOrder::AcquireRelease);
  EXPECT_EQ(byLine[7].success, MemoryOrder::SeqCst);
  EXPECT_EQ(byLine[7].failure, MemoryOrder::Relaxed);
}

TEST(Lower, FencesOfThreadsAreKept) {
  const auto p = lowered(
      "int main(void) {\n  __atomic_thread_fence(__ATOMIC_ACQUIRE);\n  __sync_synchronize();\n"
      "  __atomic_signal_fence(__ATOMIC_SEQ_CST);\n  __asm__ volatile(\"mfence\" ::: \"memory\");\n"
      "  __asm__ volatile(\"pause\");\n  return 0; }");
  ASSERT_TRUE(p);
  EXPECT_EQ(fencesOf(*p, "main"),
            (std::vector<MemoryOrder>{MemoryOrder::Acquire, MemoryOrder::SeqCst, MemoryOrder::SeqCst}));
}

}  // namespace
}  // namespace heddle
