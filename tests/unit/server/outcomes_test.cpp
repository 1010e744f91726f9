// `heddle outcomes`: what it prints, and how it compares with sequential consistency.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "server/driver/cli_options.h"
#include "server/driver/outcomes.h"

namespace heddle {
namespace {

/// Store buffering with `order` for all accesses, under `model`.
std::string outcomesOf(const std::string& order, const std::string& model) {
  const std::string path = ::testing::TempDir() + "/store_buffering_" + std::to_string(getpid()) + ".c";
  std::ofstream(path) << "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y;\nint a, b;\n"
                      << "#define SET(v) atomic_store_explicit(&v, 1, memory_order_" << order << ")\n"
                      << "#define GET(v) atomic_load_explicit(&v, memory_order_" << order << ")\n"
                      << "void *other(void *p) { SET(x); a = GET(y); return p; }\n"
                      << "int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, other, 0);\n"
                      << "  SET(y);\n  b = GET(x);\n  pthread_join(t, 0);\n  return 0;\n}\n";
  const Command command =
      parseCommandLine({"outcomes", path, "--final", "a,b", "--memory-model", model, "--format", "text"});
  std::ostringstream out, err;
  EXPECT_EQ(runOutcomes(std::get<OutcomesCommand>(command), pipelineEngine(), {out, err}, {}), kExitNoBug)
      << err.str();
  return out.str();
}

TEST(Outcomes, SayWhatSequentialConsistencyDoesNotAllow) {
  const std::string relaxed = outcomesOf("relaxed", "c11");
  EXPECT_EQ(relaxed.find("c11: 4 outcomes\n  a=0 b=0   ["), 0u) << relaxed;
  EXPECT_EQ(relaxed.find("not under sc"), relaxed.rfind("not under sc")) << relaxed;
  EXPECT_LT(relaxed.find("not under sc"), relaxed.find("a=0 b=1")) << relaxed;
  EXPECT_EQ(relaxed.find("the same outcomes"), std::string::npos) << relaxed;

  const std::string ordered = outcomesOf("seq_cst", "c11");
  EXPECT_EQ(ordered.find("c11: 3 outcomes\n"), 0u) << ordered;
  EXPECT_EQ(ordered.find("not under sc"), std::string::npos) << ordered;
  EXPECT_NE(ordered.find("\nthe same outcomes as under sc\n"), std::string::npos) << ordered;

  EXPECT_EQ(outcomesOf("relaxed", "sc").find("under sc"), std::string::npos);
}

}  // namespace
}  // namespace heddle
