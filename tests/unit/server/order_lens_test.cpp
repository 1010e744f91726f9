// Memory orders in an editor: asked for by a lens, found, shown and written; not known of another text.
#include "fixes_fixture.h"
#include "scripted_engine.h"

namespace heddle::testing {
namespace {

std::string published(const std::string& store, const std::string& load) {
  return "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
         "int data;\natomic_int ready;\n"
         "void *writer(void *p) {\n  data = 7;\n  atomic_store_explicit(&ready, 1, " +
         store +
         ");\n  return p;\n}\n"
         "int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, writer, 0);\n"
         "  if (atomic_load_explicit(&ready, " +
         load +
         ")) assert(data == 7);\n"
         "  pthread_join(t, 0);\n  return 0;\n}\n";
}

class OrderLens : public Fixes {
 protected:
  static std::string lenses(LspClient& client, const std::string& uri) {
    return client.call("textDocument/codeLens", {{"textDocument", {{"uri", uri}}}})["result"].dump();
  }
  static json execute(LspClient& client, const std::string& command, const std::string& uri) {
    return client.call("workspace/executeCommand",
                       {{"command", command}, {"arguments", {json{{"uri", uri}}}}});
  }
};

TEST_F(OrderLens, SaysWhatCanBeWeakerAndWritesIt) {
  const std::string text = published("memory_order_seq_cst", "memory_order_seq_cst");
  const std::string path = write("publish.c", text), uri = lsp::uriFromPath(path);
  LspClient client(optionsWith(pipelineEngine()));
  client.initialize(withFixes(), kSettings);
  client.open(uri, text);
  EXPECT_TRUE(finalDiagnostics(client, uri).empty());
  EXPECT_NE(lenses(client, uri).find("can memory orders be weaker?"), std::string::npos);
  EXPECT_TRUE(execute(client, "heddle.server.applyOrders", uri).contains("error")) << "nothing is known yet";

  const json found = execute(client, "heddle.server.relax", uri);
  ASSERT_TRUE(found.contains("result")) << found;
  EXPECT_EQ(found["result"], (json{{"named", 2}, {"changed", 2}}));
  EXPECT_NE(lenses(client, uri).find("2 of 2 memory orders can be weaker: write them"), std::string::npos);
  client.send(
      lsp::makeRequest(lsp::RequestId{900}, "workspace/executeCommand",
                       {{"command", "heddle.server.applyOrders"}, {"arguments", {json{{"uri", uri}}}}}));
  const std::string edit = client.waitForMethod("workspace/applyEdit").dump();
  EXPECT_NE(edit.find("memory_order_release"), std::string::npos) << edit;
  EXPECT_NE(edit.find("memory_order_acquire"), std::string::npos) << edit;

  client.replaceAll(uri, published("memory_order_release", "memory_order_acquire"), 2);
  EXPECT_TRUE(finalDiagnostics(client, uri).empty());
  EXPECT_EQ(lenses(client, uri).find("2 of 2"), std::string::npos) << "of another text nothing is known";
  EXPECT_EQ(execute(client, "heddle.server.relax", uri)["result"]["changed"], 0);
  EXPECT_NE(lenses(client, uri).find("none of 2 memory orders can be weaker"), std::string::npos);
}

TEST_F(OrderLens, IsNotThereWhereNothingIsVerifiedOrNamed) {
  const std::string racy = published("memory_order_relaxed", "memory_order_acquire");
  LspClient client(optionsWith(pipelineEngine()));
  client.initialize(withFixes(), kSettings);
  for (const std::string& text : {racy, std::string("int main(void) { return 0; }\n")}) {
    const std::string name = text == racy ? "racy.c" : "plain.c";
    const std::string uri = lsp::uriFromPath(write(name, text));
    client.open(uri, text);
    EXPECT_EQ(finalDiagnostics(client, uri).empty(), text != racy);
    EXPECT_EQ(lenses(client, uri).find("memory order"), std::string::npos) << name;
  }
}

TEST_F(OrderLens, IsNotThereWhereOrdersMakeNoDifference) {
  const std::string text = published("memory_order_release", "memory_order_acquire");
  const std::string uri = lsp::uriFromPath(write("sc.c", text));
  json settings = kSettings;
  settings["memoryModel"] = "sc";
  LspClient client(optionsWith(pipelineEngine()));
  client.initialize(withFixes(), settings);
  client.open(uri, text);
  EXPECT_TRUE(finalDiagnostics(client, uri).empty());
  EXPECT_EQ(lenses(client, uri).find("memory order"), std::string::npos);
  EXPECT_TRUE(execute(client, "heddle.server.relax", uri).contains("error"));
}

}  // namespace
}  // namespace heddle::testing
