// Arguments of calls that one thread makes alone, as the file itself shows them: null where it compares with
// null, texts as long as the arrays that they are copied to. Each wrong function beside a right one.
#include <gtest/gtest.h>

#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

/// What may be found where the function is called alone.
std::vector<std::string> possibleAlone(const std::string& text, const std::string& function) {
  const Report report = exploredIn(text, function);
  EXPECT_TRUE(report.findings.empty()) << text;
  std::vector<std::string> messages;
  for (const Finding& warning : report.warnings)
    if (warning.possible) messages.push_back(warning.message);
  return messages;
}

void expectPossible(const std::string& wrong, const std::string& right, const std::string& function,
                    const std::string& what) {
  const std::vector<std::string> found = possibleAlone(wrong, function);
  ASSERT_EQ(found.size(), 1u) << wrong;
  EXPECT_NE(found.front().find(what), std::string::npos) << found.front();
  EXPECT_TRUE(possibleAlone(right, function).empty()) << right;
}

TEST(LoneArguments, APointerThatACopyOfIsComparedMayBeNull) {
  const auto text = [](const std::string& test) {
    return "struct prefs { int level, flush; };\n"
           "int bound(const struct prefs *p) {\n  const struct prefs *q = (const struct prefs *)p;\n"
           "  int level = q == 0 ? 1 : q->level;\n  return level + " +
           test + "p->flush;\n}\n";
  };
  expectPossible(text(""), text("(p == 0) ? 0 : "), "bound", "null pointer dereference");
}

TEST(LoneArguments, APointerThatIsHandedToAFunctionWhichComparesItMayBeNull) {
  const auto text = [](const std::string& test) {
    return "struct options { int strategy; };\n"
           "static int normal(const struct options *o) { return o ? o->strategy : 0; }\n"
           "int describe(const struct options *o) {\n  int s = normal(o);\n" +
           test + "  return s + o->strategy;\n}\n";
  };
  expectPossible(text(""), text("  if (!o) return s;\n"), "describe", "null pointer dereference");
}

TEST(LoneArguments, APointerThatACallGivesAsNullMayBeNull) {
  const auto text = [](const std::string& test) {
    return "struct conn { int refs; };\nint protect(struct conn *c) {\n" + test +
           "  return ++c->refs;\n}\nint begin(void) { return protect(0); }\n";
  };
  expectPossible(text(""), text("  if (!c) return 0;\n"), "protect", "null pointer dereference");
}

TEST(LoneArguments, AMemberThatTheFileSetsToNullMayBeNull) {
  const auto text = [](const std::string& test, const std::string& end) {
    return "struct conn { int refs; };\nstruct client { struct conn *conn; };\nvoid client_" + end +
           "(struct client *c) { c->conn = 0; }\nint client_refs(struct client *c) {\n" + test +
           "  return c->conn->refs;\n}\n";
  };
  expectPossible(text("", "detach"), text("  if (!c->conn) return 0;\n", "detach"), "client_refs",
                 "null pointer dereference");
  EXPECT_TRUE(possibleAlone(text("", "destroy"), "client_refs").empty()) << "nothing is called behind that";
}

TEST(LoneArguments, AFunctionOfAnObjectThatTheFileComparesMayBeNull) {
  const auto text = [](const std::string& test) {
    return "struct share { void (*lock)(void *); void (*unlock)(void *); int dirty, used; };\n"
           "int share_lock(struct share *s) {\n  if (s->lock) s->lock(s);\n  return 0;\n}\n"
           "int share_end(struct share *s) {\n  " +
           test + "s->lock(s);\n  s->unlock(s);\n  return s->dirty;\n}\n";
  };
  expectPossible(text(""), text("if (s->lock) "), "share_end", "call through a null function pointer");
}

TEST(LoneArguments, AnAssertionSaysThatAPointerIsNotNull) {
  const std::string text =
      "#include <assert.h>\nstruct box { int n; };\nint get(struct box *b) {\n  assert(b);\n"
      "  return b->n;\n}\nvoid end(int) __attribute__((noreturn));\n"
      "int take(struct box *b) {\n  if (!b) end(1);\n  return b->n;\n}\n";
  EXPECT_TRUE(possibleAlone(text, "get").empty());
  EXPECT_TRUE(possibleAlone(text, "take").empty());
}

TEST(LoneArguments, ATextIsAsLongAsTheArrayItIsCopiedTo) {
  const auto text = [](const std::string& test) {
    return "int token(const char *line) {\n  char match[50];\n  int k = 0;\n  for (int i = 0; line[i]" +
           test + "; i++) match[k++] = line[i];\n  match[k] = 0;\n  return match[0];\n}\n";
  };
  expectPossible(text(""), text(" && k < 49"), "token", "out-of-bounds write to 'match'");
}

TEST(LoneArguments, ContentIsLongerThanTheArrayItIsCopiedTo) {
  const auto text = [](const std::string& test) {
    return "#include <string.h>\nint copy(const void *from, unsigned size) {\n  char to[40];\n" + test +
           "  memcpy(to, from, size);\n  return to[0];\n}\n";
  };
  expectPossible(text("  if (!size) return 0;\n"), text("  if (!size || size > sizeof to) return 0;\n"),
                 "copy", "out-of-bounds write to 'to'");
}

TEST(LoneArguments, NothingLiesInFrontOfAnEmptyText) {
  const auto text = [](const std::string& test) {
    return "#include <string.h>\nvoid trim(char *line) {\n  unsigned long n = strlen(line);\n  if (" + test +
           "line[n - 1] == '\\n') line[n - 1] = 0;\n}\n";
  };
  expectPossible(text(""), text("n > 0 && "), "trim", "out-of-bounds read of 'heddle_room1' (index -1 of");
  const std::string before =
      "int escaped(const char *p) { return *p == ',' && p[-1] == '\\\\'; }\n"
      "int quoted(const char *p) { return p[0] != '\"' ? p[-1] : 0; }\n";
  EXPECT_TRUE(possibleAlone(before, "escaped").empty()) << "callers pass pointers into a text";
  EXPECT_TRUE(possibleAlone(before, "quoted").empty());
}

TEST(LoneArguments, WhatPrintsMayHaveNoRoom) {
  const auto text = [](const std::string& test) {
    return "int my_snprintf(char *out, unsigned long size, const char *text) {\n  unsigned long i = 0;\n"
           "  for (; *text; text++, i++)\n    if (i < size) out[i] = *text;\n  if (i < size) out[i] = 0;\n  "
           "else " +
           test + "out[size - 1] = 0;\n  return (int)i;\n}\n";
  };
  expectPossible(text(""), text("if (size) "), "my_snprintf", "out-of-bounds write to 'heddle_bytes");
}

TEST(LoneArguments, ANumberThatSaysWhichIsNoSize) {
  const auto text = [](const std::string& test) {
    return "#include <string.h>\nint token(char *line, int numMatch) {\n  char copy[16];\n" + test +
           "  strcpy(copy, line);\n  return copy[0] + numMatch;\n}\n";
  };
  expectPossible(text(""), text("  if (strlen(line) >= sizeof copy) return 0;\n"), "token",
                 "out-of-bounds write to 'copy'");
}

TEST(LoneArguments, APointerToTheEndEndsTheText) {
  const auto text = [](const std::string& test) {
    return "int dashes(const char *s, const char *se) {\n  int n = 0;\n  for (; s < se; s++)\n    if (*s == "
           "'-' && " +
           test + "s[1] == '-') n++;\n  return n;\n}\n";
  };
  expectPossible(text(""), text("s + 1 < se && "), "dashes", "out-of-bounds read of 'heddle_bytes");
  const auto put = [](const std::string& relation) {
    return "int put(char **at, char *end) {\n  if (*at " + relation +
           " end) *(*at)++ = 'x';\n  return 0;\n}\n";
  };
  expectPossible(put("<="), put("<"), "put", "out-of-bounds write to 'heddle_bytes");
}

TEST(LoneArguments, ANumberIsAsLargeAsAnArrayOfTheFunction) {
  const auto text = [](const std::string& relation) {
    return "static int cells[351];\nint mark(unsigned width) {\n  if (width " + relation +
           " sizeof cells / sizeof *cells) return 0;\n  cells[width] = 1;\n  return cells[0];\n}\n"
           "int clear(int count) {\n  int own[40];\n  if (count " +
           relation + " 40) return 0;\n  for (int i = 0; i <= count; i++) own[i] = 0;\n  return own[0];\n}\n";
  };
  expectPossible(text(">"), text(">="), "mark", "out-of-bounds write to 'cells'");
  expectPossible(text(">"), text(">="), "clear", "out-of-bounds write to 'own'");
}

/// LZ4's way: a fast loop for all but the last bytes.
TEST(LoneArguments, ABufferIsAsLongAsTwoPointersMustBeApart) {
  const auto text = [](const std::string& test) {
    return "static int fast(const unsigned char *at, const unsigned char *end, const unsigned char *begin) "
           "{\n"
           "  int sum = 0;\n  while (at < end - 40) {\n    int back = at[0];\n    at += 8;\n" +
           test +
           "    sum += *(at - back);\n  }\n  return sum;\n}\n"
           "int decode(const unsigned char *from, unsigned long size) {\n"
           "  return fast(from, from + size, from);\n}\n";
  };
  expectPossible(text(""), text("    if (back > at - begin) return -1;\n"), "decode",
                 "out-of-bounds read of 'heddle_bytes");
  const auto difference = [](const std::string& last) {
    return "int decode(const char *from, unsigned long size) {\n  const char *end = from + size;\n"
           "  return end - from >= 50 ? from[" +
           last + "] : 0;\n}\n";
  };
  expectPossible(difference("size"), difference("size - 1"), "decode", "out-of-bounds read of 'heddle_bytes");
}

/// nng's queue of messages, which the file only declares.
TEST(LoneArguments, APointerToAnObjectThatIsOnlyDeclaredHasAPlaceOfItsOwn) {
  const std::string text =
      "struct msg;\nstruct queue { struct msg *kept[4]; int count; };\n"
      "void queue_init(struct queue *q) { q->count = 0; }\n"
      "int queue_put(struct queue *q, struct msg *m) {\n"
      "  if (q->count == 4) return -1;\n  q->kept[q->count++] = m;\n  return 0;\n}\n"
      "int queue_get(struct queue *q, struct msg **m) {\n"
      "  if (q->count == 0) return -1;\n  *m = q->kept[--q->count];\n  return 0;\n}\n";
  const Report report = exploredIn(text, "queue_put | queue_get");
  EXPECT_NE(report.verdict, Verdict::Error) << report.problem;
  EXPECT_NE(report.verdict, Verdict::Unsupported) << report.problem;
}

}  // namespace
}  // namespace heddle::testing
