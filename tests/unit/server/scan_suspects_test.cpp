// `heddle scan`: what it tells of what a look at the text suspects.
#include <map>
#include <set>

#include "project_fixture.h"

namespace heddle {
namespace {

TEST_F(ProjectCommands, WhatALookSuspectsIsRefutedByExplorations) {
  write("counter.c", R"(#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, data;
void put(void) {
  data = 1;
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_mutex_unlock(&lock);
}
int get(void) {
  pthread_mutex_lock(&lock);
  const int is = ready;
  pthread_mutex_unlock(&lock);
  return is ? data : 0;
}
)");
  scan({"--format", "json"});
  const Json told = Json::parse(out_.str());
  std::map<std::string, std::string> states;
  for (const Json& suspect : told["suspects"])
    states[suspect["data"].get<std::string>()] = suspect["state"].get<std::string>();
  // put || put races for it, if no caller holds a lock of its own; put || get does not.
  EXPECT_EQ(states, (std::map<std::string, std::string>{{"data", "possible"}})) << out_.str();

  write("counter.c", R"(#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int taken, data;
void use(void) {
  pthread_mutex_lock(&lock);
  const int mine = !taken;
  taken = 1;
  pthread_mutex_unlock(&lock);
  if (mine) data++;
}
)");
  scan({"--format", "json"});
  const Json refuted = Json::parse(out_.str());
  ASSERT_EQ(refuted["suspects"].size(), 1u);
  EXPECT_EQ(refuted["suspects"][0]["data"], "data");
  EXPECT_EQ(refuted["suspects"][0]["state"], "refuted");

  // What no execution comes to is not refuted by them.
  write("counter.c", R"(#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int taken, data, limit = 2;
void use(void) {
  pthread_mutex_lock(&lock);
  taken = 1;
  pthread_mutex_unlock(&lock);
  if (limit > 2) data++;
}
)");
  scan({"--format", "json"});
  const Json open = Json::parse(out_.str());
  ASSERT_EQ(open["suspects"].size(), 1u);
  EXPECT_EQ(open["suspects"][0]["data"], "data");
  EXPECT_EQ(open["suspects"][0]["state"], "open");
}

TEST_F(ProjectCommands, TwoFilesThatTakeTwoLocksInBothOrdersAreSuspected) {
  write("counter.h",
        "#include <pthread.h>\nstruct from { pthread_mutex_t lock; int n; };\n"
        "struct to { pthread_mutex_t lock; int n; };\nstruct pair { struct from *a; struct to *b; };\n");
  const auto move = [](const std::string& name, const std::string& first, const std::string& second) {
    return "#include \"counter.h\"\nvoid " + name + "(struct pair *p) {\n  pthread_mutex_lock(&p->" + first +
           "->lock);\n  pthread_mutex_lock(&p->" + second + "->lock);\n  p->a->n--;\n  p->b->n++;\n" +
           "  pthread_mutex_unlock(&p->" + second + "->lock);\n  pthread_mutex_unlock(&p->" + first +
           "->lock);\n}\n";
  };
  write("counter.c", move("give", "a", "b"));
  const auto told = [&] {
    scan({"--format", "json"});
    std::vector<std::string> all;
    const Json report = Json::parse(out_.str());
    for (const Json& suspect : report["suspects"])
      if (suspect["why"].get<std::string>().starts_with("is locked under"))
        all.push_back(suspect["data"].get<std::string>() + ' ' + suspect["why"].get<std::string>());
    return all;
  };
  write("moved.c", move("take", "a", "b"));
  EXPECT_EQ(told(), std::vector<std::string>());
  write("moved.c", move("take", "b", "a"));
  EXPECT_EQ(told(), std::vector<std::string>{
                        "from.lock is locked under 'to.lock' here, and 'to.lock' is locked under it in " +
                        path("counter.c") + ":4 ('give')"});
}

TEST_F(ProjectCommands, ALockThatAllFilesHoldAndOneLeavesOutIsSuspected) {
  write("counter.h",
        "#include <pthread.h>\nstruct tally { pthread_mutex_t lock; int n; };\nint tally_get(struct tally "
        "*t);\n");
  const auto guarded = [](const std::string& name, const std::string& what) {
    return "void " + name + "(struct tally *t) {\n  pthread_mutex_lock(&t->lock);\n  " + what +
           ";\n  pthread_mutex_unlock(&t->lock);\n}\n";
  };
  const std::string include = "#include \"counter.h\"\n";
  write("counter.c", include + guarded("add", "t->n++") + guarded("take", "t->n--"));
  write("clear.c", include + guarded("clear", "t->n = 0"));
  write("get.c", include + "int tally_get(struct tally *t) { return t->n; }\n");
  const auto broken = [&] {
    scan({"--format", "json"});
    std::vector<std::string> all;
    const Json report = Json::parse(out_.str());
    for (const Json& suspect : report["suspects"])
      if (suspect["why"].get<std::string>().starts_with("read without"))
        all.push_back(suspect["file"].get<std::string>() + ' ' + suspect["data"].get<std::string>());
    return all;
  };
  EXPECT_EQ(broken(), std::vector<std::string>{path("get.c") + " tally.n"});
  // Its only caller, in another file, holds the lock.
  write("clear.c", include + guarded("clear", "t->n = 0") + guarded("halve", "t->n = tally_get(t) / 2"));
  EXPECT_EQ(broken(), std::vector<std::string>());
}

}  // namespace
}  // namespace heddle
