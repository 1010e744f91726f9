// `heddle annotate`: guards that executions keep to are written down, read again, and those who break them
// are named.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "lsp_client.h"
#include "server/driver/annotate.h"

namespace heddle {
namespace {

const char* const kHead =
    "#include <pthread.h>\n"
    "#ifdef __HEDDLE__\n"
    "#define GUARDED_BY(lock) __attribute__((guarded_by(lock)))\n"
    "#else\n"
    "#define GUARDED_BY(lock)\n"
    "#endif\n";

struct Annotation {
  int code = 0;
  std::string out, err;
};

/// `annotate` of a file with that text.
Annotation annotated(const std::string& text) {
  const auto folder =
      std::filesystem::path(::testing::TempDir()) /
      ("annotate-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "a.c").string();
  std::ofstream(path) << text;
  const Command command = parseCommandLine({"annotate", path});
  std::ostringstream out, err;
  Annotation result;
  result.code = runAnnotate(std::get<AnnotateCommand>(command), pipelineEngine(), {out, err}, {});
  result.out = out.str();
  result.err = err.str();
  std::filesystem::remove_all(folder);
  return result;
}

/// Two threads call `add` once each, which calls `grow`.
std::string program(const std::string& head, const std::string& fields, const std::string& add,
                    const std::string& more = "") {
  return head + "struct pool { " + fields +
         " };\nstatic struct pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER};\n" +
         "static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;\n" + more +
         "static void grow(struct pool *p) {\n  p->size += 1;\n}\n"
         "static void *add(void *p) {\n  struct pool *q = p;\n" +
         add +
         "  return 0;\n}\n"
         "int main(void) {\n  pthread_t a, b;\n  pthread_create(&a, 0, add, &pool);\n"
         "  pthread_create(&b, 0, add, &pool);\n  pthread_join(a, 0);\n  pthread_join(b, 0);\n"
         "  return pool.size == 2 ? 0 : 1;\n}\n";
}

const char* const kInclude = "#include <pthread.h>\n";
const char* const kUnderLock =
    "  pthread_mutex_lock(&q->lock);\n  grow(q);\n  pthread_mutex_unlock(&q->lock);\n";
const char* const kUnderOther =
    "  pthread_mutex_lock(&other);\n  grow(q);\n  pthread_mutex_unlock(&other);\n";

TEST(Annotate, WritesDownWhatAllExecutionsKeepTo) {
  const Annotation found = annotated(program(kInclude, "int size; pthread_mutex_t lock;", kUnderLock));
  EXPECT_EQ(found.code, kExitNoBug) << found.err;
  EXPECT_NE(found.out.find("+struct pool { int size GUARDED_BY(lock); pthread_mutex_t lock; };"),
            std::string::npos)
      << found.out;
  EXPECT_NE(found.out.find("+static void grow(struct pool *p) REQUIRES(p->lock);\n"), std::string::npos);
  EXPECT_NE(found.out.find("+#define GUARDED_BY(lock) __attribute__((guarded_by(lock)))\n"),
            std::string::npos);
  EXPECT_NE(found.out.find("# 1 guard and 1 need to write down, 0 written, broken at 0 places; "),
            std::string::npos);
}

TEST(Annotate, WritesNothingOfWhatARaceOrAnotherFunctionBreaks) {
  const Annotation races = annotated(program(kInclude, "int size; pthread_mutex_t lock;", "  grow(q);\n"));
  EXPECT_EQ(races.code, kExitBug);
  EXPECT_EQ(races.out.find("+"), std::string::npos) << races.out;
  // Nobody calls it here, but the header may offer it.
  const Annotation other = annotated(program(kInclude, "int size; pthread_mutex_t lock;", kUnderLock,
                                             "int peek(struct pool *p) { return p->size; }\n"));
  EXPECT_EQ(other.code, kExitNoBug) << other.err;
  EXPECT_EQ(other.out.find("+"), std::string::npos) << other.out;
  const Annotation locked =
      annotated(program(kInclude, "int size; pthread_mutex_t lock;", kUnderLock,
                        "int peek(struct pool *p) {\n  pthread_mutex_lock(&p->lock);\n  int n = p->size;\n"
                        "  pthread_mutex_unlock(&p->lock);\n  return n;\n}\n"));
  EXPECT_NE(locked.out.find("int size GUARDED_BY(lock);"), std::string::npos) << locked.out;
}

TEST(Annotate, NamesWhoBreaksWhatIsWritten) {
  const std::string fields = "int size GUARDED_BY(lock); pthread_mutex_t lock;";
  const Annotation kept = annotated(program(kHead, fields, kUnderLock));
  EXPECT_EQ(kept.code, kExitNoBug) << kept.err;
  EXPECT_NE(kept.out.find("1 written, broken at 0 places"), std::string::npos) << kept.out;
  // Without a race, but not under the lock that the text names.
  const Annotation broken = annotated(program(kHead, fields, kUnderOther));
  EXPECT_EQ(broken.code, kExitBug) << broken.err;
  EXPECT_NE(broken.out.find(": 'size' is written by add without 'lock', which guards it (line 7)"),
            std::string::npos)
      << broken.out;
}

TEST(Annotate, TellsTheLocksOfTwoObjectsApart) {
  const std::string wrongObject =
      "  (void)q;\n  pthread_mutex_lock(&q[1].lock);\n  grow(q);\n  pthread_mutex_unlock(&q[1].lock);\n";
  std::string text = program(kInclude, "int size; pthread_mutex_t lock;", wrongObject);
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  };
  replace("static struct pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER};",
          "static struct pool pools[2] = {{.lock = PTHREAD_MUTEX_INITIALIZER}, {.lock = "
          "PTHREAD_MUTEX_INITIALIZER}};");
  replace("&pool)", "pools)");
  replace("pool.size", "pools[0].size");
  const Annotation found = annotated(text);
  EXPECT_EQ(found.code, kExitNoBug) << found.err;
  EXPECT_EQ(found.out.find("GUARDED_BY"), std::string::npos) << found.out;
}

TEST(Annotate, AnEditorWritesDownTheSame) {
  ServerOptions options;
  options.engine = pipelineEngine();
  testing::LspClient client(std::move(options));
  client.initialize(testing::LspClient::fullCapabilities(), {{"budget", 0}, {"workers", 1}});
  const std::string uri = lsp::uriFromPath("/annotate-test/a.c");
  client.open(uri, program(kInclude, "int size; pthread_mutex_t lock;", kUnderLock));
  using Json = nlohmann::json;
  const auto titlesAt = [&](int line) {
    const Json range = {{"start", {{"line", line}, {"character", 0}}},
                        {"end", {{"line", line}, {"character", 0}}}};
    return client.call("textDocument/codeAction", {{"textDocument", {{"uri", uri}}},
                                                   {"range", range},
                                                   {"context", {{"diagnostics", Json::array()}}}})["result"];
  };
  Json offered;
  for (int round = 0; round < 200 && !offered.is_object(); ++round) {
    for (const Json& action : titlesAt(1))
      if (action["title"] == "Heddle: write down which lock guards 'size'") offered = action;
    if (!offered.is_object()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  ASSERT_TRUE(offered.is_object());
  EXPECT_NE(offered["edit"].dump().find("int size GUARDED_BY(lock);"), std::string::npos) << offered;
  EXPECT_NE(titlesAt(5).dump().find("which lock guards"), std::string::npos) << "an access in grow";
  EXPECT_EQ(titlesAt(2).dump().find("which lock guards"), std::string::npos) << "something else";
  // Once a comment stands above it, nothing is written where the text was.
  client.replaceAll(uri, "// a pool\n" + program(kInclude, "int size; pthread_mutex_t lock;", kUnderLock), 2);
  for (const Json& action : titlesAt(2)) {
    if (action["title"] != "Heddle: write down which lock guards 'size'") continue;
    EXPECT_EQ(action["edit"].dump().find("// a pool"), std::string::npos) << action;
    EXPECT_NE(action["edit"].dump().find("\"line\":2"), std::string::npos) << action;
  }
  EXPECT_EQ(client.exit(), 0);
}

}  // namespace
}  // namespace heddle
