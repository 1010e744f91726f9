// Guesses from the text about pointers that may be null, each beside text that is right.
#include <gtest/gtest.h>

#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

/// "line value", or with what is said of it, for each guess about null; lines count from the text's own
/// first.
std::string guessed(const std::string& text, bool isWhole = false) {
  const std::string before =
      "#include <ifaddrs.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
      "struct node { int n; struct node *next; char name[8]; };\nstruct node *find(int key);\nvoid "
      "note(void);\n"
      "int bad(const char *why);\nint reg_error(int code);\n";
  std::string told;
  for (const LockGuess& guess : harnessesOf(before + text).guesses)
    if (guess.why.find("null") != std::string::npos)
      told += std::to_string(guess.line - 9) + " " + guess.lock + (isWhole ? " " + guess.why : "") + "\n";
  return told;
}

const std::string kTested =
    "int other(void) {\nchar *q = malloc(4);\nif (!q) return 1;\n*q = 0;\nfree(q);\nreturn 0;\n}\n";

TEST(NullGuesses, AnAllocationThatNobodyTests) {
  const auto use = [](const std::string& body) {
    return guessed(kTested + "int use(int i) {\n" + body + "\nreturn i;\n}\n");
  };
  EXPECT_EQ(use("struct node *p = malloc(sizeof *p);\np->n = i;"), "10 p\n");
  EXPECT_EQ(use("struct node *p = malloc(sizeof *p);\nif (!p) return 1;\np->n = i;"), "");
  EXPECT_EQ(use("struct node *p = malloc(sizeof *p);\nmemset(p, 0, sizeof *p);"), "10 p\n");
  EXPECT_EQ(use("struct node *p = malloc(sizeof *p);\nif (i) return 1;\np->n = i;"), "11 p\n")
      << "the other way says nothing of it";
  EXPECT_EQ(use("struct node *p;\nif ((p = malloc(sizeof *p)) == NULL) return 1;\np->n = i;"), "");
  EXPECT_EQ(use("struct node *p = malloc(sizeof *p), *q = p;\nif (!q) return 1;\np->n = i;"), "");
  EXPECT_EQ(use("struct node *p = malloc(sizeof *p);\nint *n = &p->n;\nfree(p);\ni = n != 0;"), "");
  EXPECT_EQ(use("strcpy(strdup(\"x\"), \"y\");"), "9 strdup(\"x\")\n");
}

TEST(NullGuesses, WhoNeverTestsAllocationsOrOnlyTriesThings) {
  EXPECT_EQ(guessed("int use(int i) {\nchar *p = malloc(4);\n*p = i;\nreturn i;\n}\n"), "");
  EXPECT_EQ(guessed(kTested + "int test_use(int i) {\nchar *p = malloc(4);\n*p = i;\nreturn i;\n}\n"), "");
  EXPECT_EQ(guessed("#define ASSERT(x) ((void)0)\n" + kTested +
                    "int use(int i) {\nchar *p = malloc(4);\nASSERT(p != NULL);\n*p = i;\nreturn i;\n}\n"),
            "")
      << "an assertion that is left out";
}

const std::string kMake =
    "static struct node *make(int n) {\nstruct node *p = malloc(sizeof *p);\nif (!p) return NULL;\np->n = "
    "n;\n"
    "return p;\n}\nstatic int fill(struct node *p, int n) {\nstruct node *at = p;\nat->n = n;\nreturn n;\n}\n"
    "static int size(struct node *p) {\nif (!p) return 0;\nreturn p->n;\n}\n";

TEST(NullGuesses, AResultOfAFunctionThatMayFail) {
  const auto use = [](const std::string& body) {
    return guessed(kMake + "int use(int i) {\n" + body + "\nreturn i;\n}\n", true);
  };
  EXPECT_EQ(
      use("struct node *p = make(i);\nif (fill(p, i)) return 1;"),
      "18 p is what 'make' returned, may be null, and is used in 'use' without a test (returned in line "
      "26)\n");
  EXPECT_EQ(use("struct node *p = make(i);\nif (!p || fill(p, i)) return 1;"), "");
  EXPECT_EQ(use("struct node *p = make(i);\nif (size(p)) return 1;"), "") << "the callee thinks of it";
  EXPECT_EQ(use("struct node *p = make(i);\ni = p->n;\nif (p) return 1;"),
            "18 p is used in 'use' before it is compared with null (compared in line 28)\n")
      << "told as tested late";
  EXPECT_EQ(guessed(kMake + "int use(int i) {\nstruct node *p = make(i);\nfill(p, i);\nif (p) free(p);\n"
                            "return i;\n}\n"),
            "18 p\n");
}

TEST(NullGuesses, AFailureIsKnownFromAnyReturnOfIt) {
  const auto use = [](const std::string& make) {
    return guessed(make + "int use(int i) {\nstruct node *p = make();\np->n = i;\nreturn i;\n}\n");
  };
  EXPECT_EQ(use("static struct node *make(void) {\nreturn calloc(1, 8);\n}\n"), "6 p\n");
  EXPECT_EQ(
      use("static struct node *make(void) {\nstruct node *p = malloc(8);\nif (p) p->n = 1;\nreturn p;\n}\n"),
      "8 p\n");
  EXPECT_EQ(
      use("static struct node *make(void) {\nstruct node *p = malloc(8);\nif (!p) abort();\nreturn p;\n}\n"),
      "");
  EXPECT_EQ(use("static void (*end)(void);\nstatic struct node *make(void) {\nstruct node *p = malloc(8);\n"
                "if (!p) end();\nreturn p;\n}\n"),
            "")
      << "what is called there may not return";
  EXPECT_EQ(use("static struct node first;\nstatic struct node *make(void) {\nif (first.n) return NULL;\n"
                "return &first;\n}\n"),
            "")
      << "the caller may know that";
}

/// Of others, the same call, word for word, is tested in most places.
TEST(NullGuesses, AResultThatOthersTest) {
  const auto use = [](const std::string& key, const std::string& body) {
    std::string text;
    for (const char* name : {"a", "b", "c"})
      text += std::string("int ") + name + "(int key) { struct node *p = find(" + key +
              "); if (!p) return 0; return p->n; }\n";
    return guessed(text + "int use(int key) {\n" + body + "\n}\n");
  };
  EXPECT_EQ(use("0", "return find(0)->n;"), "5 find(0)\n");
  EXPECT_EQ(use("0", "struct node *p = find(0);\nreturn p->n;"), "6 p\n");
  EXPECT_EQ(use("0", "struct node *p = find(0);\nreturn p ? p->n : 0;"), "");
  EXPECT_EQ(use("0", "return find(1)->n;"), "") << "another one, which may be there";
  EXPECT_EQ(use("0", "if (!find(0)) return 0;\nreturn find(0)->n;"), "");
  EXPECT_EQ(guessed("int use(int key) {\nreturn find(0)->n;\n}\n"), "");
}

TEST(NullGuesses, APlaceThatIsSearchedFor) {
  const std::string sibling =
      "int first(const char *text) {\nconst char *at = strchr(text, '=');\n"
      "if (!at) return 0;\nreturn at[1];\n}\n";
  const auto use = [&](const std::string& body) {
    return guessed(sibling + "int use(const char *text, const char *more) {\n" + body + "\n}\n");
  };
  EXPECT_EQ(use("return atoi(strchr(text, '=') + 1);"), "7 strchr(text, '=')\n");
  EXPECT_EQ(use("const char *at = strchr(text, '=');\nreturn *at;"), "8 at\n");
  EXPECT_EQ(use("if (!strchr(text, '=')) return 0;\nreturn atoi(strchr(text, '=') + 1);"), "");
  EXPECT_EQ(use("return atoi(strchr(text, ':') + 1);"), "") << "nobody says that it may be missing";
  EXPECT_EQ(use("return atoi(strchr(more, '=') + 1);"), "");
}

TEST(NullGuesses, ResultsOfTheLibrary) {
  const auto use = [](const std::string& body) {
    return guessed("int use(const char *name) {\n" + body + "\nreturn 0;\n}\n");
  };
  EXPECT_EQ(use("FILE *f = fopen(name, \"r\");\nfclose(f);"), "3 f\n");
  EXPECT_EQ(use("FILE *f = fopen(name, \"r\");\nif (f) fclose(f);"), "");
  EXPECT_EQ(use("return atoi(getenv(name));"), "2 getenv(name)\n");
  EXPECT_EQ(use("const char *v = getenv(name);\nreturn v ? atoi(v) : 0;"), "");
  EXPECT_EQ(use("struct ifaddrs *all, *p;\nif (getifaddrs(&all)) return 0;\n"
                "for (p = all; p; p = p->ifa_next)\nif (p->ifa_addr->sa_family) return 1;"),
            "5 p->ifa_addr\n");
  EXPECT_EQ(use("struct ifaddrs *all, *p;\nif (getifaddrs(&all)) return 0;\n"
                "for (p = all; p; p = p->ifa_next)\nif (p->ifa_addr && p->ifa_addr->sa_family) return 1;"),
            "");
}

TEST(NullGuesses, NullIsGivenToAFunctionThatUsesIt) {
  const auto use = [](const std::string& next) {
    return guessed(next +
                       "int a(struct node *p) { int n; return next(p, &n); }\n"
                       "int use(struct node *p) {\nreturn next(p, NULL);\n}\n",
                   true);
  };
  const std::string told = "out is null in the call of 'next' in 'use', which uses it\n";
  EXPECT_EQ(
      use("static int next(struct node *p, int *out) {\nif (p->n) return -1;\n*out = 1;\nreturn 0;\n}\n"),
      "8 " + told);
  EXPECT_EQ(use("static int next(struct node *p, int *out) {\n*out = p->n;\nreturn 0;\n}\n"), "7 " + told);
  EXPECT_EQ(use("static int next(struct node *p, int *out) {\nif (out) *out = p->n;\nreturn 0;\n}\n"), "");
  EXPECT_EQ(use("static int next(struct node *p, int *out) {\nif (p->n) *out = 1;\nreturn 0;\n}\n"), "")
      << "who calls it may know that it is not used";
  EXPECT_EQ(guessed("static int next(int n, int *out) {\n*out = n;\nreturn 0;\n}\nint use(void) {\n"
                    "return next(1, NULL);\n}\n"),
            "")
      << "nobody gives it anything else";
}

TEST(NullGuesses, AUseThatNoWayFromTheTestAvoids) {
  const auto use = [](const std::string& body) {
    return guessed(
        "static void put(struct node *p) { p->n = 1; }\n"
        "int use(struct node *p, struct node *q, int i) {\n" +
            body + "\nreturn i;\n}\n",
        true);
  };
  const std::string told = " p is used in 'use' on a way on which it is null (compared in line ";
  EXPECT_EQ(use("if (p == NULL || q == NULL) {\nfree(q);\n}\nput(p);"), "6" + told + "12)\n");
  EXPECT_EQ(use("if (p == NULL || i) {\nnote();\n}\ni = p->n;"), "6" + told + "12)\n");
  EXPECT_EQ(use("if (p) i = p->n;\nnote();\ni += p->n;"), "5" + told + "12)\n");
  EXPECT_EQ(use("if (p == NULL || q == NULL) {\nfree(q);\nreturn 1;\n}\nput(p);"), "");
  EXPECT_EQ(use("if (p == NULL || i) {\np = find(i);\n}\nput(p);"), "");
  EXPECT_EQ(use("if (p == NULL || i) abort();\nput(p);"), "");
  EXPECT_EQ(use("if (p == NULL) reg_error(1);\nput(p);"), "") << "it may not return";
  EXPECT_EQ(use("if (p == NULL) i = 0;\nwhile (i--) put(p);"), "");
  EXPECT_EQ(use("if (!p && !q) return 0;\nif (!p && q) return 1;\nif (p && !q) return 2;\ni = p->n + q->n;"),
            "");
  EXPECT_EQ(use("i = p->n;\nif (p && i) note();\nput(p);"),
            "3 p is used in 'use' before it is compared with null (compared in line 13)\n")
      << "told as tested late";
  EXPECT_EQ(use("if (!p) {\nreturn 1;\n}\nif (p && i) note();\nput(p);"), "") << "tested for nothing";
}

}  // namespace
}  // namespace heddle::testing
