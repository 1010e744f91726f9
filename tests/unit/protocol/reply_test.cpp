// Cancellation, superseding, replies from other threads, and calls to the client.
#include "protocol/reply.h"

#include <atomic>
#include <map>
#include <stdexcept>
#include <thread>

#include "protocol/hover.h"
#include "protocol/progress.h"
#include "tests/unit/protocol/session.h"

namespace heddle::lsp {
namespace {

class ReplyTest : public ::testing::Test {
 protected:
  ReplyTest() { session.initialize(); }

  HandlerTable table() {
    HandlerTable bind;
    bind.request<HoverParams, int>("textDocument/hover", [this](const HoverParams&, Reply<int> reply) {
      open.emplace(toString(reply.id()), std::move(reply));
    });
    bind.request<NoParams, int>("test/throwAfterMove", [this](const NoParams&, Reply<int> reply) {
      open.emplace("moved", std::move(reply));
      throw std::runtime_error("after the move");
    });
    return bind;
  }

  void hover(int64_t id, const std::string& uri) {
    session.request({id}, "textDocument/hover",
                    {{"textDocument", {{"uri", uri}}}, {"position", {{"line", 0}, {"character", 0}}}});
  }

  Session session{table()};
  std::map<std::string, Reply<int>> open;
};

TEST_F(ReplyTest, CancelledByTheClient) {
  hover(1, "u");
  hover(2, "u");
  session.notify("$/cancelRequest", {{"id", 1}});
  EXPECT_TRUE(session.take().empty());
  EXPECT_TRUE(open.at("1").stopToken().stop_requested());
  EXPECT_FALSE(open.at("2").stopToken().stop_requested());
  EXPECT_EQ(open.at("1").cancelReason(), CancelReason::Client);
  open.at("1").cancelled();
  EXPECT_EQ(session.takeCode(1), requestCancelled);
  session.notify("$/cancelRequest", {{"id", 2}});
  open.at("2")(9);  // a result that came in time is still welcome
  EXPECT_EQ(session.takeCode(2), 0);
}

TEST_F(ReplyTest, CancelOfNothing) {
  for (const json& params : {json{{"id", 77}}, json{{"id", "x"}}, json{{"id", nullptr}}, json::object()}) {
    session.notify("$/cancelRequest", params);
  }
  EXPECT_TRUE(session.take().empty());
}

TEST_F(ReplyTest, SupersededByDocument) {
  hover(1, "file:///a.c");
  hover(2, "file:///a.c");
  hover(3, "file:///b.c");
  session.dispatcher->supersede("file:///a.c");
  EXPECT_TRUE(open.at("1").stopToken().stop_requested());
  EXPECT_FALSE(open.at("3").stopToken().stop_requested());
  open.at("1").cancelled();
  EXPECT_EQ(session.takeCode(1), contentModified);
  open.at("2")(5);  // the result is for a text that is gone
  EXPECT_EQ(session.takeCode(2), contentModified);
  open.at("3")(5);
  EXPECT_EQ(session.takeCode(3), 0);
}

TEST_F(ReplyTest, FirstReasonStays) {
  hover(1, "u");
  session.notify("$/cancelRequest", {{"id", 1}});
  session.dispatcher->supersede("u");
  open.at("1").cancelled();
  EXPECT_EQ(session.takeCode(1), requestCancelled);
}

TEST_F(ReplyTest, DroppedAfterCancellation) {
  hover(1, "u");
  hover(2, "u");
  hover(3, "u");
  session.notify("$/cancelRequest", {{"id", 1}});
  open.erase("1");
  EXPECT_EQ(session.takeCode(1), requestCancelled);
  session.dispatcher->cancelAll();
  open.erase("2");
  EXPECT_EQ(session.takeCode(2), serverCancelled);
  open.at("3").cancelled();
  EXPECT_EQ(session.takeCode(3), serverCancelled);
  EXPECT_FALSE(session.logged("bug"));
}

TEST_F(ReplyTest, StopCallbackMayAnswer) {
  hover(1, "u");
  Reply<int>& reply = open.at("1");
  std::stop_callback wake(reply.stopToken(), [&] { reply.cancelled(); });
  session.notify("$/cancelRequest", {{"id", 1}});
  EXPECT_EQ(session.takeCode(1), requestCancelled);
}

TEST_F(ReplyTest, ThrowsAfterTheReplyMovedAway) {
  session.request({1}, "test/throwAfterMove");
  EXPECT_EQ(session.takeCode(1), internalError);
  open.at("moved")(1);
  EXPECT_TRUE(session.take().empty());
  EXPECT_TRUE(session.logged("second reply"));
}

TEST_F(ReplyTest, AssignmentAbandonsTheOldRequest) {
  hover(1, "u");
  hover(2, "u");
  open.at("1") = std::move(open.at("2"));
  EXPECT_EQ(session.takeCode(1), internalError);
  open.at("1")(4);
  EXPECT_EQ(session.takeOne()["id"], 2);
  open.clear();
  EXPECT_TRUE(session.take().empty());
}

TEST_F(ReplyTest, AfterTheDispatcherIsGone) {
  hover(1, "u");
  hover(2, "u");
  session.dispatcher.reset();
  open.at("1")(1);
  open.clear();
  EXPECT_TRUE(session.take().empty());
}

// Worker threads answer, lose and double replies while the main thread cancels: each request is answered
// once.
TEST_F(ReplyTest, FromManyThreads) {
  constexpr int count = 2000;
  for (int id = 0; id < count; ++id) hover(id, "u" + std::to_string(id % 7));
  std::vector<Reply<int>> replies;
  for (auto& [id, reply] : open) replies.push_back(std::move(reply));
  std::atomic<size_t> next{0};
  std::vector<std::jthread> workers;
  for (int w = 0; w < 4; ++w) {
    workers.emplace_back([&] {
      for (size_t i = next++; i < replies.size(); i = next++) {
        Reply<int> mine = std::move(replies[i]);
        if (i % 4 == 1) continue;
        if (i % 4 == 2) mine.cancelled();
        mine(1);
      }
    });
  }
  for (int id = 0; id < count; id += 3) session.notify("$/cancelRequest", {{"id", id}});
  for (int d = 0; d < 7; ++d) session.dispatcher->supersede("u" + std::to_string(d));
  workers.clear();
  std::map<int64_t, int> answers;
  for (const json& answer : session.take()) ++answers[answer["id"].get<int64_t>()];
  EXPECT_EQ(answers.size(), static_cast<size_t>(count));
  for (const auto& [id, times] : answers) EXPECT_EQ(times, 1) << id;
  EXPECT_EQ(session.dispatcher->openRequests(), 0u);
}

TEST_F(ReplyTest, CallsToTheClient) {
  OutgoingCalls& client = session.dispatcher->client();
  std::vector<Decoded<NoParams>> answers;
  const auto collect = [&](Decoded<NoParams> answer) { answers.push_back(std::move(answer)); };
  const RequestId first = client.request<NoParams>("window/workDoneProgress/create",
                                                   WorkDoneProgressCreateParams{{"t"}}, collect);
  const RequestId second = client.request<NoParams>("client/registerCapability", json::object(), collect);
  EXPECT_NE(first, second);
  const std::vector<json> sent = session.take();
  ASSERT_EQ(sent.size(), 2u);
  EXPECT_EQ(sent[0]["method"], "window/workDoneProgress/create");
  EXPECT_EQ(sent[0]["params"], json::parse(R"({"token":"t"})"));
  EXPECT_EQ(sent[0]["id"], writeValue(first));

  session.dispatcher->handle(makeError(second, {ErrorCode::MethodNotFound, "no", {}}));
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(std::get<ResponseError>(answers[0]).message, "no");
  session.dispatcher->handle(makeResult(first, nullptr));
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[1].index(), 0u);
  session.dispatcher->handle(makeResult(first, nullptr));
  EXPECT_EQ(answers.size(), 2u);
  EXPECT_TRUE(session.logged("not open"));
  session.dispatcher->handle(makeError(std::nullopt, {ErrorCode::ParseError, "client could not read", {}}));
  EXPECT_TRUE(session.logged("client could not read"));
  EXPECT_TRUE(session.take().empty());  // a response is never answered

  client.notify("$/progress", ProgressParams{{"t"}, WorkDoneProgressEnd{}});
  EXPECT_EQ(session.takeOne(),
            json::parse(
                R"({"jsonrpc":"2.0","method":"$/progress","params":{"token":"t","value":{"kind":"end"}}})"));
}

TEST_F(ReplyTest, ClientAnswersBadly) {
  OutgoingCalls& client = session.dispatcher->client();
  std::optional<Decoded<Position>> answer;
  const auto keep = [&](Decoded<Position> a) { answer = std::move(a); };
  const RequestId a = client.request<Position>("x/y", json(), keep);
  session.dispatcher->handle(makeResult(a, {{"line", "no"}}));
  EXPECT_NE(std::get<ResponseError>(answer.value()).message.find("failed to decode x/y: (/line)"),
            std::string::npos);
  const RequestId b = client.request<Position>("x/y", json(), keep);
  session.dispatcher->handle(json{{"jsonrpc", "2.0"}, {"id", writeValue(b)}, {"error", 3}});
  EXPECT_EQ(answer->index(), 1u);
  const RequestId c =
      client.request<Position>("x/y", json(), [](Decoded<Position>) { throw std::runtime_error("cb"); });
  session.dispatcher->handle(makeResult(c, nullptr));
  EXPECT_TRUE(session.logged("cb"));
  EXPECT_EQ(client.open(), 0u);
}

TEST_F(ReplyTest, CallsEndWithTheSession) {
  OutgoingCalls& client = session.dispatcher->client();
  std::optional<Decoded<NoParams>> answer;
  const RequestId id =
      client.request<NoParams>("x/y", json(), [&](Decoded<NoParams> a) { answer = std::move(a); });
  session.take();
  client.cancel(id);
  EXPECT_EQ(session.takeOne()["method"], "$/cancelRequest");
  EXPECT_FALSE(answer);
  session.notify("exit");
  ASSERT_TRUE(answer);
  EXPECT_EQ(std::get<ResponseError>(*answer).code, ErrorCode::ServerCancelled);
  client.cancel(id);
  EXPECT_TRUE(session.take().empty());
}

}  // namespace
}  // namespace heddle::lsp
