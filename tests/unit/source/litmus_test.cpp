// Litmus tests of herd7 as programs.
#include <gtest/gtest.h>

#include "server/source/litmus.h"

namespace heddle {
namespace {

constexpr const char* kMessagePassing = R"(C MP+rel+acq
"a comment of the generator"
{ [x] = 0; y = 3; }

P0 (atomic_int* x, atomic_int* y) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
  atomic_store_explicit(y, 1, memory_order_release);
}

P1 (atomic_int* y, atomic_int* x) {
  int r0 = atomic_load_explicit(y, memory_order_acquire);
  int r1 = atomic_load_explicit(x, memory_order_relaxed);
}

exists (1:r0=1 /\ (1:r1=0 \/ ~ x=1))
)";

TEST(LitmusText, IsAProgramWithWhatTheConditionAsksFor) {
  std::string problem;
  const auto litmus = readLitmus(kMessagePassing, problem);
  ASSERT_TRUE(litmus) << problem;
  EXPECT_EQ(litmus->name, "MP+rel+acq");
  EXPECT_EQ(litmus->quantifier, "exists");
  EXPECT_EQ(litmus->finals, (std::vector<std::string>{"P1_r0", "P1_r1", "x"}));
  EXPECT_EQ(litmus->titles, (std::vector<std::string>{"1:r0", "1:r1", "x"}));
  EXPECT_NE(litmus->program.find("atomic_int y = 3;"), std::string::npos) << litmus->program;
  EXPECT_NE(litmus->program.find("P1(&y, &x)"), std::string::npos) << litmus->program;
  EXPECT_NE(litmus->program.find("P1_r0 = r0;"), std::string::npos) << litmus->program;
}

TEST(LitmusText, ConditionHoldsAsItIsWritten) {
  std::string problem;
  const auto litmus = readLitmus(kMessagePassing, problem);
  ASSERT_TRUE(litmus) << problem;
  EXPECT_TRUE(litmus->holds({1, 0, 1}));
  EXPECT_TRUE(litmus->holds({1, 1, 2}));
  EXPECT_FALSE(litmus->holds({1, 1, 1}));
  EXPECT_FALSE(litmus->holds({0, 0, 1}));
}

TEST(LitmusText, WhatIsNotUnderstoodIsSaid) {
  for (const char* text :
       {"", "X86 SB\n{}\n", "C a\nP0 (int* x) {}\nexists (x=1)", "C a\n{}\nexists (x=1)",
        "C a\n{}\nP0 (int* x) { *x = 1; }\n", "C a\n{}\nP0 (int* x) { *x = 1; }\nexists (x=)",
        "C a\n{}\nP0 (int* x) { *x = 1;\nexists (x=1)", "C a\n{}\nP0 (int x) { }\nexists (x=1)"}) {
    std::string problem;
    EXPECT_FALSE(readLitmus(text, problem)) << text;
    EXPECT_NE(problem, "") << text;
  }
}

}  // namespace
}  // namespace heddle
