// What a program cannot know of the outside: values that nobody gives, the environment, limits of the system,
// and functions that are defined elsewhere. Each program that is right has a twin whose error is still told.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

/// What is told as an error, by its kind and message; empty: nothing is.
std::string told(const Report& report) {
  std::string all = report.problem.starts_with("not reached") ? "" : report.problem;
  for (const Finding& finding : report.findings) all += finding.message + "\n";
  return all;
}

std::string told(const std::string& text) {
  return told(check(text));
}

bool assumes(const Report& report, const std::string& text) {
  return std::any_of(report.assumptions.begin(), report.assumptions.end(),
                     [&](const auto& assumption) { return assumption.text.find(text) != std::string::npos; });
}

/// A thread whose function comes to its end without a return statement, and what main does.
std::string withoutValue(const std::string& then) {
  return "int n;\nvoid *run(void *arg) { n++; }\n"
         "int main(void) { pthread_t t; void *r; pthread_create(&t, 0, run, 0);\n" +
         then + "\n return 0; }\n";
}

TEST(Outside, AThreadMayEndWithoutAValueThatNobodyUses) {
  EXPECT_EQ(told(withoutValue("pthread_join(t, 0);")), "");
  EXPECT_EQ(told(withoutValue("pthread_detach(t);")), "");
  EXPECT_EQ(told(withoutValue("pthread_join(t, &r); void *copy = r; (void)copy;")), "");
  const Report used = check(withoutValue("pthread_join(t, &r);\n if (r) n = 2;"));
  EXPECT_EQ(told(used), "use of a value that was never written as a condition\n");
  ASSERT_FALSE(used.findings.empty());
  EXPECT_EQ(used.findings[0].place.line, kHeaderLines + 5);
}

TEST(Outside, AFunctionMayEndWithoutAValueThatNobodyUses) {
  const std::string function = "int count; int add(int by) { count += by; if (by > 1) return count; }\n";
  EXPECT_EQ(told(function + "int main(void) { add(1); return 0; }"), "");
  EXPECT_NE(told(function + "int main(void) { return add(1) ? 1 : 0; }"), "");
}

/// main asks for `first`, and reads `second` as a number where that is set, after `between`.
std::string asks(const std::string& first, const std::string& second, const std::string& between = "") {
  return "int main(void) { int n = 0; if (getenv(\"" + first + "\")) { " + between + " n = atoi(getenv(\"" +
         second + "\")); } return n; }\n";
}

TEST(Outside, AVariableOfTheEnvironmentStaysSetOrNot) {
  EXPECT_EQ(told(asks("LEVEL", "LEVEL")), "");
  EXPECT_EQ(told("int main(void) { if (!getenv(\"A\")) assert(!getenv(\"A\")); else "
                 "assert(getenv(\"A\") == getenv(\"A\")); return 0; }"),
            "");
  EXPECT_EQ(told(asks("LEVEL", "LEVELS")), "null pointer dereference\n");
  EXPECT_EQ(told(asks("LEVEL", "LEVEL", "unsetenv(\"LEVEL\");")), "null pointer dereference\n");
  // Others are set, or it is set by nobody else.
  EXPECT_EQ(told(asks("LEVEL", "LEVEL", "setenv(\"MODE\", \"1\", 1); putenv(\"HOME=/\");")), "");
  EXPECT_EQ(told(asks("HOME", "HOME", "putenv(\"HOME=/\");")), "null pointer dereference\n");
  EXPECT_EQ(told(asks("LEVEL", "LEVEL", "char name[] = \"LEVEL\"; setenv(name, \"1\", 1);")),
            "null pointer dereference\n");
  const std::string beside =
      "void *run(void *p) { SET; return p; } int main(void) { pthread_t t; int n = 0;\n"
      "  pthread_create(&t, 0, run, 0); if (getenv(\"A\")) n = atoi(getenv(\"A\"));\n"
      "  pthread_join(t, 0); return n; }\n";
  const auto setBeside = [&](const std::string& call) {
    std::string program = beside;
    return program.replace(program.find("SET"), 3, call);
  };
  EXPECT_EQ(told(setBeside("setenv(\"B\", \"1\", 1)")), "");
  EXPECT_EQ(told(setBeside("unsetenv(\"A\")")), "null pointer dereference\n");
  // Each thread by itself.
  EXPECT_EQ(
      told("void *run(void *p) { if (getenv(\"A\")) atoi(getenv(\"A\")); return p; }\n"
           "int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); run(0); pthread_join(t, 0); }"),
      "");
}

TEST(Outside, AClockHasAYearOfFourDigits) {
  const std::string prints =
      "#include <time.h>\nint main(void) { time_t now = time(0); struct tm at; char day[SIZE];\n"
      "  if (!gmtime_r(&now, &at)) return 1;\n"
      "  return sprintf(day, \"%d-%02d-%02d\", at.tm_year + 1900, at.tm_mon + 1, at.tm_mday); }\n";
  const auto with = [&](const std::string& size) {
    std::string program = prints;
    return told(program.replace(program.find("SIZE"), 4, size));
  };
  EXPECT_EQ(with("11"), "");
  EXPECT_NE(with("10"), "");
}

/// A thread calls what `made` gives.
std::string callsWhat(const std::string& made) {
  return "void *dlsym(void *handle, const char *name); static int (*closes)(int);\n"
         "void *run(void *p) { closes(3); return p; }\n"
         "int main(void) { pthread_t t; closes = " +
         made + ";\n if (!closes) return 1; pthread_create(&t, 0, run, 0); pthread_join(t, 0); return 0; }\n";
}

TEST(Outside, AnAddressThatAnUnknownFunctionReturnedMayBeAFunction) {
  const Report report = check(callsWhat("dlsym((void *)-1, \"close\")"));
  EXPECT_EQ(told(report), "");
  EXPECT_TRUE(assumes(report, "'dlsym()', defined elsewhere, changes nothing that the program can see"));
  EXPECT_EQ(told(callsWhat("(int (*)(int))malloc(8)")), "call of an address that is not a function\n");
  EXPECT_EQ(
      told("void *dlsym(void *handle, const char *name);\nint main(void) { void *(*get)(unsigned long);\n"
           " get = (void *(*)(unsigned long))dlsym(0, \"malloc\"); int *p = get(4); *p = 1; return *p; }"),
      "");
  // A thread that begins there cannot be followed; that is no error.
  const Report started = check(
      "void *dlsym(void *handle, const char *name);\nint main(void) { pthread_t t;\n"
      " pthread_create(&t, 0, (void *(*)(void *))dlsym(0, \"run\"), 0); pthread_join(t, 0); return 0; }");
  EXPECT_TRUE(started.findings.empty());
}

TEST(Outside, TheNameOfTheSystemIsWritten) {
  const std::string text =
      "#include <sys/utsname.h>\nint main(void) { char line[400]; struct utsname u; %s\n"
      " snprintf(line, sizeof line, \"%%s %%s\", u.release, u.machine); return line[0] == 0; }\n";
  const auto with = [&](const std::string& call) {
    std::string whole = text;
    whole.replace(whole.find("%s"), 2, call);
    for (size_t at = 0; (at = whole.find("%%", at)) != std::string::npos; ++at) whole.erase(at, 1);
    return check(whole);
  };
  const Report known = with("uname(&u);");
  EXPECT_EQ(told(known), "");
  EXPECT_TRUE(assumes(known, "the system is Linux"));
  EXPECT_EQ(told(with("")), "use of a value that was never written by 'snprintf'\n");
}

/// An unknown function is given `argument`, and `used` is looked at.
std::string handsOut(const std::string& argument, const std::string& used) {
  return "struct table { long first; long row[100]; char name[40]; };\nvoid fill(void *); void look(const "
         "long *);\n"
         "int main(void) { struct table t; " +
         argument + "; return " + used + " == 3 ? 1 : 0; }\n";
}

TEST(Outside, MemoryThatAnUnknownFunctionWasGivenCountsAsWritten) {
  const Report far = check(handsOut("fill(&t)", "t.name[30]"));
  EXPECT_EQ(told(far), "");
  EXPECT_TRUE(assumes(far, "'fill', defined elsewhere, leaves 0 in the rest of what it is given"));
  EXPECT_EQ(told(handsOut("fill(t.row)", "t.row[99]")), "");
  const std::string error = "use of a value that was never written as a condition\n";
  EXPECT_EQ(told(handsOut("fill(t.row)", "t.first")), error);  // it lies before what was given
  EXPECT_EQ(told(handsOut("look(t.row)", "t.row[99]")), error);
}

TEST(Outside, AnAddressThatAnUnknownFunctionMayHaveSetIsOnlyPossiblyNull) {
  const std::string holder = "struct holder { int *p; int n; }; void fill(void *);\n";
  const Report set = check(holder + "int main(void) { struct holder h; fill(&h); return *h.p; }");
  EXPECT_EQ(told(set), "");
  ASSERT_EQ(set.warnings.size(), 1u);
  EXPECT_TRUE(set.warnings[0].possible);
  EXPECT_NE(told(holder + "int main(void) { struct holder h, g = {0, 1}; fill(&h); return *g.p; }"), "");
}

/// The errors, by their messages.
std::string errors(const Report& report) {
  std::string all;
  for (const Finding& finding : report.findings) all += finding.message + "\n";
  return all;
}

/// What is only possible, by its message.
std::string warned(const Report& report) {
  std::string all;
  for (const Finding& warning : report.warnings)
    if (warning.possible) all += warning.message + "\n";
  return all;
}

TEST(Outside, ANullThatAnUnknownFunctionLeavesDeepInMemoryIsOnlyPossible) {
  const std::string types =
      "struct calls { int (*get)(void); int *at; }; struct kit { const struct calls *calls; };\n"
      "struct kit *make_kit(void);\n";
  const std::string called = "int main(void) { struct kit *k = make_kit(); return k->calls->get(); }\n";
  const Report left = check(types + called);
  EXPECT_EQ(errors(left), "");
  EXPECT_EQ(warned(left), "call through a null function pointer\n");
  EXPECT_EQ(errors(check(types +
                         "const struct calls none; struct kit kit = {&none};\n"
                         "struct kit *make_kit(void) { return &kit; }\n" +
                         called)),
            "call through a null function pointer\n");
  // Another thread looks at it, through memory that they share.
  const auto shared = [&](const std::string& between) {
    return check(types +
                 "struct kit *k; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                 "void *run(void *p) { pthread_mutex_lock(&m); if (k) { int *at = k->calls->at;\n *at = 1; } "
                 "pthread_mutex_unlock(&m); return p; }\n"
                 "int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_mutex_lock(&m); k = "
                 "make_kit(); " +
                 between + " pthread_mutex_unlock(&m); pthread_join(t, 0); return 0; }\n");
  };
  const Report beside = shared("");
  EXPECT_EQ(errors(beside), "");
  EXPECT_EQ(warned(beside), "null pointer dereference\n");
  EXPECT_EQ(errors(shared("struct calls *own = malloc(sizeof *own); own->at = 0; k->calls = own;")),
            "null pointer dereference\n");
}

TEST(Outside, AValueThatIsNotWrittenOnAWayThatAnUnknownFunctionChoseIsOnlyPossible) {
  const auto chosen = [](const std::string& by) {
    return check(
        "int same(int a, int b); void set(int *kind) { *kind = 1; }\n"
        "int main(int argc, char **argv) { int kind; (void)argv; if (" +
        by + ") set(&kind);\n return kind ? 1 : 0; }\n");
  };
  const Report left = chosen("same(argc, 1)");
  EXPECT_EQ(errors(left), "");
  EXPECT_EQ(warned(left), "use of a value that was never written as a condition\n");
  EXPECT_EQ(errors(chosen("argc > 1")), "use of a value that was never written as a condition\n");
}

TEST(Outside, AWaitThatACallbackMayEndIsOnlyPossiblyForEver) {
  const auto waits = [](const std::string& declared, const std::string& call) {
    return check(
        declared +
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
        "int done; void run(void) { pthread_mutex_lock(&m); done = 1; pthread_cond_signal(&c);\n"
        " pthread_mutex_unlock(&m); }\n"
        "int main(void) { " +
        call +
        "\n pthread_mutex_lock(&m); while (!done) pthread_cond_wait(&c, &m);\n"
        " pthread_mutex_unlock(&m); return 0; }\n");
  };
  const Report given = waits("void add(void (*what)(void));\n", "add(run);");
  EXPECT_EQ(errors(given), "");
  EXPECT_NE(warned(given).find("deadlock: "), std::string::npos) << warned(given);
  EXPECT_NE(errors(waits("void add(int what);\n", "add(1);")).find("deadlock: "), std::string::npos);
}

TEST(Outside, ABlockBeyondAnObjectSaysHowLongItIs) {
  EXPECT_EQ(told("char t[31]; int main(void) { memcpy(t, \"0123456789\", 31); return t[0]; }\n"),
            "out-of-bounds read of 'string literal' (index 0 of 11, 31 bytes from there)\n");
}

TEST(Outside, WhatBecomesOfAnInputAndAnUnwrittenValueReplays) {
  const Report report = check(
      "int most(void);\n"
      "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
      "unsigned long size(int n) { unsigned log;\n return 1ul << (log - (n > 4 ? 0u : 3u)); }\n"
      "void *run(void *p) { unsigned long n = size(most()); pthread_mutex_lock(&m);\n"
      " return n > 4 ? p : 0; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_mutex_destroy(&m);\n"
      " pthread_join(t, 0); return 0; }\n");
  EXPECT_EQ(report.problem.find("internal"), std::string::npos) << report.problem;
  EXPECT_NE(errors(report).find("as the distance of a shift\n"), std::string::npos) << errors(report);
  EXPECT_NE(errors(report).find("destroyed\n"), std::string::npos) << errors(report);
}

TEST(Outside, AnUnknownFunctionThatNeverReturnsEndsTheProcess) {
  const std::string unknown = "void version(int code) __attribute__((noreturn));\n";
  const std::string main =
      "int main(int argc, char **argv) { (void)argv; if (argc > 1) version(2); return 0; }\n";
  const Report report = check(unknown + main);
  EXPECT_EQ(told(report), "");
  EXPECT_TRUE(assumes(report, "'version', defined elsewhere, ends the process"));
  EXPECT_EQ(told(unknown + "void version(int code) { (void)code; }\n" + main),
            "unreachable code is reached\n");
  // Who waits then waits no longer.
  const std::string waits =
      "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
      "void *run(void *p) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return p; }\n"
      "int main(void) { pthread_t t; pthread_mutex_lock(&m); pthread_create(&t, 0, run, 0); ";
  EXPECT_EQ(told(unknown + waits + "version(1); }"), "");
  EXPECT_NE(told(unknown + waits + "pthread_join(t, 0); version(1); }").find("deadlock"), std::string::npos);
}

TEST(Outside, AStreamIsAtNoNegativePosition) {
  const auto asserted = [](const std::string& claim) {
    return told("#include <stdio.h>\nint main(void) { long at = ftell(stdin); assert(" + claim +
                "); return 0; }\n");
  };
  EXPECT_EQ(asserted("at >= -1"), "");
  EXPECT_NE(asserted("at > 0"), "");
  EXPECT_NE(asserted("at < 100000"), "");
}

TEST(Outside, ALargeItemIsReadInTime) {
  const std::string read =
      "#include <stdio.h>\nstatic char buffer[1 << 20];\n"
      "int main(void) { size_t n = fread(buffer, sizeof buffer, 1, stdin); if (n != 1) return 0;\n ";
  const Report whole = check(read + "assert(buffer[1000] == 0); return 0; }\n");
  EXPECT_EQ(told(whole), "");
  EXPECT_TRUE(assumes(whole, "what is read at once is 0 behind 256 bytes"));
  EXPECT_NE(told(read + "assert(buffer[10] == 0); return 0; }\n"), "");
}

TEST(Outside, PerrorTakesNoText) {
  EXPECT_EQ(told("#include <stdio.h>\nint main(void) { perror(0); return 0; }"), "");
  EXPECT_EQ(told("#include <stdio.h>\nint main(void) { fputs(0, stdout); return 0; }"),
            "null pointer dereference\n");
}

TEST(Outside, LimitsOfTheSystemAreWhatPosixGuarantees) {
  const auto asserted = [](const std::string& claim) {
    return told(
        "#include <unistd.h>\nint main(void) { long threads = sysconf(_SC_THREAD_THREADS_MAX), files = "
        "sysconf(_SC_OPEN_MAX), other = sysconf(_SC_VERSION);\n (void)threads; (void)files; (void)other;\n "
        "assert(" +
        claim + "); return 0; }\n");
  };
  EXPECT_EQ(asserted("threads == -1 || threads >= 64"), "");
  EXPECT_EQ(asserted("files == -1 || files >= 20"), "");
  EXPECT_EQ(asserted("other >= -1"), "");
  EXPECT_NE(asserted("threads != -1"), "");
  EXPECT_NE(asserted("threads != 64"), "");
  EXPECT_NE(asserted("files < 100000"), "");
}

TEST(Outside, AClockThatNeverGoesBackDoesSoOnlyPossibly) {
  const std::string clock =
      "#include <assert.h>\n#include <time.h>\n"
      "static long now(clockid_t c) { struct timespec t; clock_gettime(c, &t);"
      " return t.tv_sec * 1000000000 + t.tv_nsec; }\n";
  const auto asked = [&](const std::string& clockName, const std::string& relation) {
    return check(clock + "int main(void) { long a = now(" + clockName + "), b = now(" + clockName +
                 "); assert(b " + relation + " a); return 0; }");
  };
  const Report back = asked("CLOCK_MONOTONIC", ">=");
  EXPECT_EQ(errors(back), "");
  EXPECT_EQ(warned(back), "assertion 'b >= a' failed\n");
  EXPECT_NE(errors(asked("CLOCK_REALTIME", ">=")), "");  // it can be set
  EXPECT_NE(errors(asked("CLOCK_MONOTONIC", ">")), "");  // it may stand still
}

TEST(Outside, ClocksShowATimeBehindTheirStart) {
  const auto asked = [](const std::string& what) {
    return errors(check("#include <assert.h>\n#include <time.h>\nint main(void) { struct timespec t;\n" +
                        what + "return 0; }"));
  };
  EXPECT_EQ(asked("assert(time(0) != 0);"), "");
  EXPECT_EQ(asked("clock_gettime(CLOCK_REALTIME, &t); assert(t.tv_sec > 0);"), "");
  EXPECT_NE(asked("assert(time(0) != 1);"), "");
  EXPECT_EQ(asked("clock_getres(CLOCK_REALTIME, &t); assert(t.tv_sec == 0);"), "");
}

TEST(Outside, WhatIsReadFromAFileThatTheProgramHasWrittenDecidesOnlyPossibly) {
  const auto reading = [](const std::string& name, const std::string& mode) {
    return check(
        "#include <assert.h>\n#include <stdio.h>\nint main(void) { char line[4];\n"
        "FILE *f = fopen(\"x.txt\", \"" +
        mode + "\"); if (!f) return 1;\nfputs(\"a\", f); fclose(f);\nf = fopen(\"" + name +
        "\", \"r\"); if (!f) return 1;\nif (!fgets(line, sizeof line, f)) return 2;\nfclose(f);\n"
        "assert(line[0] == 'a'); return 0; }");
  };
  const Report own = reading("x.txt", "w");
  EXPECT_EQ(errors(own), "");
  EXPECT_EQ(warned(own), "assertion 'line[0] == 'a'' failed\n");
  EXPECT_NE(errors(reading("y.txt", "w")), "");  // another one
  EXPECT_NE(errors(reading("x.txt", "r")), "");  // nothing was written
}

/// A count that is asked for again may be the same.
TEST(Outside, ABadAccessBetweenTwoResultsOfOneUnknownFunctionIsOnlyPossible) {
  const auto program = [](const std::string& again) {
    return "#include <stdlib.h>\nint count(void);\nint main(void) {\n  int n = count() & 7, *all = malloc(n "
           "* "
           "sizeof *all);\n  if (!all) return 1;\n  for (int i = 0; i < (" +
           again + "); i++)\n    all[i] = i;\n  return 0;\n}\n";
  };
  const Report asked = check(program("count() & 7")), kept = check(program("n + 1"));
  EXPECT_TRUE(asked.findings.empty());
  ASSERT_FALSE(asked.warnings.empty());
  EXPECT_TRUE(asked.warnings[0].message.starts_with("out-of-bounds write"));
  ASSERT_FALSE(kept.findings.empty()) << "one number is enough";
  EXPECT_TRUE(kept.findings[0].message.starts_with("out-of-bounds write"));
}

}  // namespace
}  // namespace heddle::test
