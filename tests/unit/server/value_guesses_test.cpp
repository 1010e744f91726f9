// Guesses from the text about values: what is tested only behind its use, each beside text that is right.
#include <gtest/gtest.h>

#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

std::string guessed(const std::string& body) {
  std::string text;
  for (const LockGuess& guess :
       harnessesOf("#include <stdlib.h>\nstruct node { int n; struct node *next; int list[4]; struct { char "
                   "name[8]; struct { int n; } more[2]; } in; };\n"
                   "struct node *make(void);\nint get(struct node **to);\nint other[8];\n"
                   "#define STEP(p) ((p) ? (p)->n : 0)\n#define likely(x) __builtin_expect(!!(x), 1)\n"
                   "int use(struct node *p, int i, int most) {\n" +
                   body + "\n}\n")
           .guesses)
    text += std::to_string(guess.line - 8) + " " + guess.lock + " " + guess.why + "\n";
  return text;
}

TEST(ValueGuesses, APointerThatIsComparedBehindItsUse) {
  const std::string late = "1 p is used in 'use' before it is compared with null (compared in line 10)\n";
  EXPECT_EQ(guessed("i += p->n;\nif (p == NULL) return 1;\nreturn p->n;"), late);
  EXPECT_EQ(guessed("i += *p->list;\nif (!p) return 1;\nreturn 0;"), late);
  EXPECT_EQ(guessed("i += p[0].n;\nif (likely(p)) return 1;\nreturn 0;"), late);
  EXPECT_EQ(guessed("if (p == NULL) return 1;\ni += p->n;\nif (p) return i;\nreturn p->n;"), "");
  EXPECT_EQ(guessed("i += p->n;\np = p->next;\nif (!p) return 1;\nreturn p->n;"), "") << "another one";
  EXPECT_EQ(guessed("if (i) most = p->n;\nif (!p) return 1;\nreturn most;"), "") << "on one way only";
  EXPECT_EQ(guessed("int *at = &p->n;\nif (!p) return 1;\nreturn *at;"), "") << "an address is no use";
  EXPECT_EQ(guessed("int *at = p->list;\nif (!p) return 1;\nreturn *at;"), "");
  EXPECT_EQ(guessed("i = p->n;\nreturn i + STEP(p);"), "") << "a macro tests for all its users";
  EXPECT_EQ(guessed("int ok = p != NULL;\nif (!ok) return 1;\ni = p->n;\nif (p) i++;\nreturn i;"), "");
  EXPECT_EQ(guessed("i = p->n;\nget(&p);\nif (!p) return 1;\nreturn i;"), "") << "another function set it";
  EXPECT_EQ(guessed("while (p) { i += p->n; p = p->next; }\nreturn i;"), "");
  EXPECT_EQ(guessed("do { i += p->n; p = p->next; } while (p);\nreturn i;"), "");
}

TEST(ValueGuesses, AddressesAndOtherWritesAreNoUses) {
  EXPECT_EQ(guessed("const char *s = p->in.name;\nif (!p) return 1;\nreturn *s;"), "");
  EXPECT_EQ(guessed("int *s = &p->in.more[1].n;\nif (!p) return 1;\nreturn *s;"), "");
  EXPECT_EQ(guessed("i = p->in.more[1].n;\nif (!p) return 1;\nreturn i;"),
            "1 p is used in 'use' before it is compared with null (compared in line 10)\n");
  EXPECT_EQ(guessed("p->n = i;\nif (!p) return 1;\nreturn i;"),
            "1 p is used in 'use' before it is compared with null (compared in line 10)\n");
  EXPECT_EQ(guessed("struct node **at = &p;\ni += p->n;\n*at = p->next;\nif (!p) return 1;\nreturn i;"), "");
  EXPECT_EQ(guessed("int ok = i && p;\nif (!ok) return 1;\ni = p->n;\nif (p) i++;\nreturn i;"), "");
  EXPECT_EQ(guessed("_Bool ok = p;\nif (!ok) return 1;\ni = p->n;\nif (p) i++;\nreturn i;"), "");
}

/// A function is followed to its end, however many ways meet there.
TEST(ValueGuesses, ManyWaysOutAreFollowed) {
  std::string body, ways;
  for (int i = 0; i < 12; ++i) {
    const std::string own = "p" + std::to_string(i);
    body += "struct node *" + own + " = make();\n";
    ways += "if (!" + own + ") goto fail;\n";
  }
  EXPECT_EQ(guessed(body + ways + "i = p->n;\nif (!p) goto fail;\nreturn i;\nfail: return -1;"),
            "25 p is used in 'use' before it is compared with null (compared in line 34)\n");
}

TEST(ValueGuesses, APointerThatIsUsedWhereItIsNull) {
  EXPECT_EQ(guessed("return p != NULL || !p->n;"),
            "1 p is used in 'use' on a way on which it is null (compared in line 9)\n");
  EXPECT_EQ(guessed("return !p && p->n;"),
            "1 p is used in 'use' on a way on which it is null (compared in line 9)\n");
  EXPECT_EQ(guessed("if (p) i = 1;\nelse i = p->n;\nreturn i;"),
            "2 p is used in 'use' on a way on which it is null (compared in line 9)\n");
  EXPECT_EQ(guessed("return p == NULL || !p->n;"), "");
  EXPECT_EQ(guessed("if (!p) p = make();\nreturn p->n;"), "");
  EXPECT_EQ(guessed("if (!p && !(p = make())) return 1;\nreturn p->n;"), "");
  EXPECT_EQ(guessed("if (!p) p = malloc(sizeof(*p));\nreturn i;"), "") << "sizeof reads nothing";
}

TEST(ValueGuesses, AnAllocationThatNobodyChecks) {
  const auto text = [](const std::string& test) {
    return "struct node *q = malloc(8);\nif (!q) return 1;\np->next = malloc(8);\n" + test +
           "q->n = i;\nreturn i;";
  };
  EXPECT_EQ(guessed(text("")),
            "3 node.next is what 'malloc' returns in 'use', and nothing compares it with null, as other "
            "results are\n");
  EXPECT_EQ(guessed(text("if (!p->next) return 1;\n")), "");
  EXPECT_EQ(guessed("p->next = malloc(8);\nreturn i;"), "") << "no result is ever compared";
}

TEST(ValueGuesses, AGlobalVariableThatOtherFunctionsTest) {
  const auto guesses = [](const std::string& last) {
    std::string text = "struct item { int n; };\nstruct item *table;\nint size;\nstatic struct item some;\n";
    text += "int size_of(struct item *t);\nvoid item_free(struct item *t);\n";
    for (const std::string name : {"one", "two", "three"})
      text += "int " + name + "(void) { if (!table) return 0; return table->n; }\n";
    text += "void fill(void) { table = &some; }\nint last(void) { " + last + " }\n";
    std::string told;
    for (const LockGuess& guess : harnessesOf(text).guesses) told += guess.lock + ' ' + guess.why + '\n';
    return told;
  };
  const std::string told =
      "table is used in 'last' without a test, and 3 other functions of the file compare it with null\n";
  EXPECT_EQ(guesses("return table->n;"), told);
  EXPECT_EQ(guesses("struct item *t = table; return t->n;"), told);
  EXPECT_EQ(guesses("return size_of(table);"), told);
  EXPECT_EQ(guesses("if (table->n > 1) return 1; return 0;"), told);
  EXPECT_EQ(guesses("item_free(table); return 0;"), "") << "null may be freed";
  EXPECT_EQ(guesses("if (!table) return 0; return table->n;"), "");
  EXPECT_EQ(guesses("struct item *t = table; return t ? t->n : 0;"), "");
  EXPECT_EQ(guesses("if (size == 0) return 0; return table->n;"), "") << "a count may go with it";
  EXPECT_EQ(guesses("table = &some; return table->n;"), "");
  EXPECT_EQ(guesses("fill(); return table->n;"), "");
}

TEST(ValueGuesses, AParameterThatOtherFunctionsTest) {
  const auto guesses = [](const std::string& body) {
    std::string text = "struct box { int n, m; };\n";
    for (const std::string name : {"one", "two", "three"})
      text += "int " + name + "(struct box *b) { if (!b) return 0; return b->n; }\n";
    text += "int last(struct box *b) { " + body + " }\nvoid box_free(struct box *b) { b->m = 0; }\n";
    std::string told;
    for (const LockGuess& guess : harnessesOf(text).guesses) told += guess.lock + ' ' + guess.why + '\n';
    return told;
  };
  EXPECT_EQ(
      guesses("return b->m;"),
      "b is used in 'last' without a test, and 3 other functions of the file compare theirs with null\n");
  EXPECT_EQ(guesses("return b ? b->m : 0;"), "");
  EXPECT_EQ(guesses("return 0;"), "");
  EXPECT_EQ(guesses("/* assert(b) */ return b->m;"), "") << "it says what it takes for granted";
}

TEST(ValueGuesses, AThreadThatMayNotBeCreated) {
  const auto guesses = [](const std::string& body) {
    return harnessesOf(
               "#include <pthread.h>\nstatic void *run(void *p) { return p; }\nint start(pthread_t *t) {\n" +
               body + "\n}\n")
        .guesses.size();
  };
  EXPECT_EQ(guesses("pthread_create(t, 0, run, 0);\nreturn 0;"), 1u);
  EXPECT_EQ(guesses("return pthread_create(t, 0, run, 0);"), 0u);
}

TEST(ValueGuesses, AnIndexThatIsComparedBehindItsUse) {
  EXPECT_EQ(guessed("return i >= 0 && other[i] && i < most;"),
            "1 i is an index in 'use' before it is compared with its bound (compared in line 9)\n");
  EXPECT_EQ(guessed("return i >= 0 && i < most && other[i];"), "");
  EXPECT_EQ(guessed("return i < most && other[i] && i < 8;"), "");
  EXPECT_EQ(guessed("for (i = 0; i < most; i++)\n  if (other[i] && i < most - 1) return i;\nreturn 0;"), "")
      << "it is below another bound";
  EXPECT_EQ(guessed("return get((struct node **)&other[i]) && i < most;"), "");
  EXPECT_EQ(guessed("const char *text = (char *)p;\nreturn text[i] && i < most;"), "") << "a text ends";
}

TEST(ValueGuesses, AVariableThatOneSideOfABranchDoesNotSet) {
  EXPECT_EQ(guessed("int x;\nif (i) x = 1;\nreturn x;"),
            "3 x may be read in 'use' without a value (which depends on the 'if' in line 10)\n");
  EXPECT_EQ(guessed("int x;\nif (i) x = 1; else x = 2;\nreturn x;"), "");
  EXPECT_EQ(guessed("int x;\nfor (i = 0; i < most; ++i) x = i;\nreturn x;"), "") << "a loop is entered";
}

}  // namespace
}  // namespace heddle::testing
