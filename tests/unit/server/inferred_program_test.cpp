// Programs of a project that nobody has built: what their switches and made headers decide of their verdict.
#include "project_fixture.h"

namespace heddle {
namespace {

TEST_F(ProjectCommands, FilesOfOneProgramHaveTheSameSwitches) {
  write("pool.h", R"(#include <pthread.h>
struct pool {
#ifdef USE_LOCKS
  pthread_mutex_t lock;
#endif
  int count;
};
void pool_add(struct pool *pool);
void pool_lock(struct pool *pool);
void pool_unlock(struct pool *pool);
)");
  // All of it lies within the switch; the other two files only ask for it.
  write("lock.c", R"(#include "pool.h"
#ifdef USE_LOCKS
static int taken;
void pool_lock(struct pool *pool) {
  pthread_mutex_lock(&pool->lock);
  taken++;
}
void pool_unlock(struct pool *pool) {
  taken--;
  pthread_mutex_unlock(&pool->lock);
}
#endif
)");
  const std::string begin = "#include \"pool.h\"\nvoid pool_add(struct pool *pool) {\n#ifdef USE_LOCKS\n  ",
                    end = "  pool->count++;\n#ifdef USE_LOCKS\n  pool_unlock(pool);\n#endif\n}\n";
  write("pool.c", begin + "pool_lock(pool);\n#endif\n" + end);
  write("wrong.c", begin + "pool->count++;\n  pool_lock(pool);\n#endif\n" + end);
  write("main.c", R"(#include "pool.h"
static struct pool pool;
static void *run(void *unused) {
  pool_add(&pool);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
)");
  EXPECT_EQ(check({"check", path("main.c"), path("pool.c"), path("lock.c")}), kExitNoBug) << out_.str();
  EXPECT_EQ(check({"check", path("main.c"), path("wrong.c"), path("lock.c")}), kExitBug) << out_.str();
}

TEST_F(ProjectCommands, WhatConfigureFindsByCompilingDecidesWhetherDataIsOfEachThread) {
  write("configure.ac", R"(AC_INIT([x], [1])
AC_CONFIG_HEADERS([config.h])
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[static __thread int x;]], [[x = 1;]])], [own_tls=yes], [own_tls=no])
AS_IF([test "$own_tls" = yes], [AC_DEFINE([EACH_ITS_OWN], [1], [x])])
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[]], [[no_such_keyword int x;]])], [AC_DEFINE([ONLY_ELSEWHERE], [1], [x])])
)");
  write("config.h.in", "#undef EACH_ITS_OWN\n#undef ONLY_ELSEWHERE\n");
  const auto program = [](const char* macro) {
    return "#include <pthread.h>\n#include \"config.h\"\n#ifdef " + std::string(macro) +
           "\nstatic __thread int own;\n#else\nstatic int own;\n#endif\n"
           "static void *run(void *unused) {\n  own++;\n  return unused;\n}\n"
           "int main(void) {\n  pthread_t a;\n  pthread_create(&a, 0, run, 0);\n  own++;\n"
           "  pthread_join(a, 0);\n  return 0;\n}\n";
  };
  write("own.c", program("EACH_ITS_OWN"));
  write("shared.c", program("ONLY_ELSEWHERE"));
  EXPECT_EQ(check({"check", path("own.c")}), kExitNoBug) << out_.str();
  EXPECT_EQ(check({"check", path("shared.c")}), kExitBug) << out_.str();
}

}  // namespace
}  // namespace heddle
