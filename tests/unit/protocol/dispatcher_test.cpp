// The life cycle, the rules of JSON-RPC, and batches.
#include "protocol/dispatcher.h"

#include <stdexcept>

#include "protocol/hover.h"
#include "protocol/text_sync.h"
#include "tests/unit/protocol/session.h"

namespace heddle::lsp {
namespace {

class Handlers {
 public:
  void onHover(const HoverParams& params, Reply<std::optional<Hover>> reply) {
    if (params.position.line == 0) return reply(std::nullopt);
    reply(Hover{{MarkupKind::PlainText, params.textDocument.uri}, std::nullopt});
  }
  void onOpen(const DidOpenTextDocumentParams& params) { opened.push_back(params.textDocument.uri); }

  HandlerTable table() {
    HandlerTable bind;
    bind.request("textDocument/hover", this, &Handlers::onHover);
    bind.notify("textDocument/didOpen", this, &Handlers::onOpen);
    bind.request<NoParams, int>("test/throw",
                                [](const NoParams&, Reply<int>) { throw std::runtime_error("broken"); });
    bind.request<NoParams, int>("test/throwOdd", [](const NoParams&, Reply<int>) { throw 7; });
    bind.request<NoParams, int>("test/answerAndThrow", [](const NoParams&, Reply<int> reply) {
      reply(1);
      throw std::runtime_error("too late");
    });
    bind.request<NoParams, int>("test/lose", [](const NoParams&, Reply<int>) {});
    bind.request<NoParams, int>("test/twice", [](const NoParams&, Reply<int> reply) {
      reply(1);
      reply(2);
    });
    bind.request<NoParams, int>(
        "test/later", [this](const NoParams&, Reply<int> reply) { later.push_back(std::move(reply)); });
    bind.notify<NoParams>("test/throwNotified",
                          [](const NoParams&) { throw std::runtime_error("broken note"); });
    bind.notify<NoParams>("exit", [this](const NoParams&) { exited = true; });
    return bind;
  }

  std::vector<std::string> opened;
  std::vector<Reply<int>> later;
  bool exited = false;
};

class DispatcherTest : public ::testing::Test {
 protected:
  Handlers handlers;
  Session session{handlers.table()};

  const json hoverAt0 = {{"textDocument", {{"uri", "u"}}}, {"position", {{"line", 0}, {"character", 0}}}};
  const json hoverAt1 = {{"textDocument", {{"uri", "u"}}}, {"position", {{"line", 1}, {"character", 0}}}};
  const json open = {{"textDocument", {{"uri", "u"}, {"languageId", "c"}, {"version", 1}, {"text", ""}}}};
};

TEST_F(DispatcherTest, BeforeInitialize) {
  session.request({1}, "textDocument/hover", hoverAt0);
  EXPECT_EQ(session.takeCode(1), notInitialized);
  session.request({2}, "no/such");
  EXPECT_EQ(session.takeCode(2), notInitialized);
  session.request({3}, "shutdown");
  EXPECT_EQ(session.takeCode(3), notInitialized);
  session.notify("textDocument/didOpen", open);
  EXPECT_TRUE(handlers.opened.empty());
  EXPECT_TRUE(session.take().empty());
}

TEST_F(DispatcherTest, Session) {
  session.request({1}, "initialize");
  EXPECT_EQ(session.takeOne(), json::parse(R"({"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}})"));
  session.notify("initialized");
  session.notify("textDocument/didOpen", open);
  EXPECT_EQ(handlers.opened, std::vector<std::string>{"u"});
  session.request(RequestId{"h"}, "textDocument/hover", hoverAt1);
  EXPECT_EQ(
      session.takeOne(),
      json::parse(R"({"jsonrpc":"2.0","id":"h","result":{"contents":{"kind":"plaintext","value":"u"}}})"));
  session.request({2}, "textDocument/hover", hoverAt0);
  EXPECT_EQ(session.takeOne(), json::parse(R"({"jsonrpc":"2.0","id":2,"result":null})"));
  session.request({3}, "initialize");
  EXPECT_EQ(session.takeCode(3), invalidRequest);
  session.request({4}, "shutdown", nullptr);
  EXPECT_EQ(session.takeOne(), json::parse(R"({"jsonrpc":"2.0","id":4,"result":null})"));
  session.request({5}, "textDocument/hover", hoverAt0);
  EXPECT_EQ(session.takeCode(5), invalidRequest);
  session.request({6}, "shutdown");
  EXPECT_EQ(session.takeCode(6), invalidRequest);
  session.notify("textDocument/didOpen", open);
  EXPECT_EQ(handlers.opened.size(), 1u);
  EXPECT_EQ(session.dispatcher->exitCode(), std::nullopt);
  session.notify("exit", nullptr);
  EXPECT_TRUE(handlers.exited);
  EXPECT_EQ(session.dispatcher->exitCode(), 0);
  EXPECT_TRUE(session.take().empty());
}

TEST_F(DispatcherTest, ExitWithoutShutdown) {
  session.initialize();
  session.notify("exit");
  EXPECT_EQ(session.dispatcher->exitCode(), 1);
  session.notify("exit");
  EXPECT_EQ(session.dispatcher->exitCode(), 1);
}

TEST_F(DispatcherTest, ExitBeforeInitialize) {
  session.notify("exit");
  EXPECT_EQ(session.dispatcher->exitCode(), 1);
}

TEST_F(DispatcherTest, UnknownMethods) {
  session.initialize();
  session.request({1}, "no/such");
  EXPECT_EQ(session.takeCode(1), methodNotFound);
  session.request({2}, "$/noSuch");
  EXPECT_EQ(session.takeCode(2), methodNotFound);
  session.request({3}, "textDocument/didOpen", open);  // a notification's name
  EXPECT_EQ(session.takeCode(3), methodNotFound);
  session.notify("no/suchNote");
  session.notify("$/noSuchNote");
  EXPECT_TRUE(session.take().empty());
  EXPECT_TRUE(session.logged("no/suchNote"));
  EXPECT_FALSE(session.logged("$/noSuchNote"));
}

TEST_F(DispatcherTest, BadParams) {
  session.initialize();
  session.request({1}, "textDocument/hover", json{{"textDocument", 3}});
  const json answer = session.takeOne();
  EXPECT_EQ(answer["error"]["code"], invalidParams);
  EXPECT_NE(answer["error"]["message"].get<std::string>().find("failed to decode textDocument/hover: "),
            std::string::npos);
  session.text(R"({"jsonrpc":"2.0","id":2,"method":"textDocument/hover"})");
  EXPECT_EQ(session.takeCode(2), invalidParams);
  session.notify("textDocument/didOpen", json{{"textDocument", 3}});
  EXPECT_TRUE(session.take().empty());
  EXPECT_TRUE(session.logged("failed to decode textDocument/didOpen: (/textDocument)"));
}

TEST_F(DispatcherTest, InvalidMessages) {
  session.initialize();
  session.text("{\"jsonrpc\"");
  EXPECT_EQ(session.takeCode(nullptr), parseError);
  session.text("");
  EXPECT_EQ(session.takeCode(nullptr), parseError);
  struct Case {
    const char* text;
    json id;
  };
  for (const Case& c : {Case{"3", nullptr},
                        {"{}", nullptr},
                        {R"({"jsonrpc":"2.0","id":7})", 7},
                        {R"({"id":7,"method":"test/twice"})", 7},
                        {R"({"jsonrpc":"1.0","id":"x","method":"test/twice"})", "x"},
                        {R"({"jsonrpc":"2.0","id":7,"method":3})", 7},
                        {R"({"jsonrpc":"2.0","method":3})", nullptr},
                        {R"({"jsonrpc":"2.0","id":null,"method":"test/twice"})", nullptr},
                        {R"({"jsonrpc":"2.0","id":{},"method":"test/twice"})", nullptr},
                        {R"({"jsonrpc":"2.0","id":1.5,"method":"test/twice"})", nullptr},
                        {R"({"jsonrpc":"2.0","id":18446744073709551615,"method":"test/twice"})", nullptr},
                        {R"({"jsonrpc":"2.0","id":7,"method":"test/twice","params":"p"})", 7}}) {
    session.text(c.text);
    EXPECT_EQ(session.takeCode(c.id), invalidRequest) << c.text;
  }
  session.text(R"({"jsonrpc":"2.0","id":2.0,"method":"textDocument/hover"})");
  EXPECT_EQ(session.takeCode(2), invalidParams);
}

TEST_F(DispatcherTest, ThrowingHandlers) {
  session.initialize();
  session.request({1}, "test/throw");
  const json answer = session.takeOne();
  EXPECT_EQ(answer["error"]["code"], internalError);
  EXPECT_EQ(answer["error"]["message"], "test/throw failed: broken");
  session.request({2}, "test/throwOdd");
  EXPECT_EQ(session.takeCode(2), internalError);
  session.request({3}, "test/answerAndThrow");
  EXPECT_EQ(session.takeCode(3), 0);
  EXPECT_TRUE(session.logged("too late"));
  session.notify("test/throwNotified");
  EXPECT_TRUE(session.logged("broken note"));
  session.request({4}, "textDocument/hover", hoverAt0);
  EXPECT_EQ(session.takeCode(4), 0);
  EXPECT_EQ(session.dispatcher->openRequests(), 0u);
}

TEST_F(DispatcherTest, OneReply) {
  session.initialize();
  session.request({1}, "test/twice");
  EXPECT_EQ(session.takeOne()["result"], 1);
  EXPECT_TRUE(session.logged("second reply to test/twice (1)"));
  session.request({2}, "test/lose");
  EXPECT_EQ(session.takeCode(2), internalError);
  EXPECT_TRUE(session.logged("no reply to test/lose (2)"));
}

TEST_F(DispatcherTest, IdInUse) {
  session.initialize();
  session.request({1}, "test/later");
  session.request({1}, "test/later");
  EXPECT_EQ(session.takeCode(1), invalidRequest);
  session.request(RequestId{"1"}, "test/later");  // another id
  EXPECT_TRUE(session.take().empty());
  handlers.later[0](10);
  EXPECT_EQ(session.takeOne()["result"], 10);
  session.request({1}, "test/later");
  EXPECT_TRUE(session.take().empty());
  EXPECT_EQ(session.dispatcher->openRequests(), 2u);
  handlers.later.clear();
  EXPECT_EQ(session.take().size(), 2u);
  EXPECT_EQ(session.dispatcher->openRequests(), 0u);
}

TEST_F(DispatcherTest, Batch) {
  session.initialize();
  session.text("[]");
  EXPECT_EQ(session.takeCode(nullptr), invalidRequest);
  session.text(R"([{"jsonrpc":"2.0","method":"initialized"},{"jsonrpc":"2.0","method":"$/x"}])");
  EXPECT_TRUE(session.take().empty());
  session.text(
      R"([1, {"jsonrpc":"2.0","id":1,"method":"test/later"}, {"jsonrpc":"2.0","method":"initialized"},
                   {"jsonrpc":"2.0","id":2,"method":"test/twice"}, [], {"jsonrpc":"2.0","id":3,"method":"no/such"}])");
  EXPECT_TRUE(session.take().empty());  // one is still open
  handlers.later[0](5);
  const json answers = session.takeOne();
  ASSERT_TRUE(answers.is_array());
  ASSERT_EQ(answers.size(), 5u);
  size_t nullIds = 0;
  for (const json& answer : answers) {
    if (answer["id"].is_null()) {
      ++nullIds;
      EXPECT_EQ(answer["error"]["code"], invalidRequest);
    }
    const json& id = answer["id"];
    if (id == 1 || id == 2) {
      EXPECT_EQ(answer["result"], id == 1 ? 5 : 1);
    } else if (id == 3) {
      EXPECT_EQ(answer["error"]["code"], methodNotFound);
    }
  }
  EXPECT_EQ(nullIds, 2u);
}

TEST(DispatcherInitialize, FailsAndMayBeTriedAgain) {
  std::vector<Reply<InitializeResult>> replies;
  HandlerTable bind;
  bind.request<InitializeParams, InitializeResult>(
      "initialize",
      [&](const InitializeParams&, Reply<InitializeResult> reply) { replies.push_back(std::move(reply)); });
  Session session(std::move(bind));
  session.request({1}, "initialize", json{{"rootUri", 3}});
  EXPECT_EQ(session.takeCode(1), invalidParams);
  session.request({2}, "initialize");
  session.request({3}, "shutdown");
  EXPECT_EQ(session.takeCode(3), notInitialized);
  session.request({4}, "initialize");
  EXPECT_EQ(session.takeCode(4), invalidRequest);
  replies[0].error(ErrorCode::RequestFailed, "no");
  EXPECT_EQ(session.takeCode(2), static_cast<int>(ErrorCode::RequestFailed));
  session.request({5}, "initialize");
  replies[1](InitializeResult());
  EXPECT_EQ(session.takeCode(5), 0);
  EXPECT_TRUE(session.dispatcher->running());
}

}  // namespace
}  // namespace heddle::lsp
