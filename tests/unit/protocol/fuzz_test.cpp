// Random and mutated messages against a dispatcher with real handlers: no crash, and every request with an id
// is answered exactly once. What must be answered is decided here, from the text alone and independently of
// the dispatcher.
#include <map>
#include <random>
#include <thread>

#include "protocol/code_action.h"
#include "protocol/framing.h"
#include "protocol/hover.h"
#include "protocol/text_sync.h"
#include "protocol/workspace.h"
#include "tests/unit/protocol/session.h"

namespace heddle::lsp {
namespace {

using Answers = std::map<std::string, int>;  // printed id → how often

class Fuzz {
 public:
  explicit Fuzz(unsigned seed) : random_(seed) {}

  size_t below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[below(from.size())];
  }

  json value(int depth = 0) {
    switch (below(depth > 4 ? 6 : 8)) {
      case 0:
        return nullptr;
      case 1:
        return below(2) == 0;
      case 2:
        return static_cast<int64_t>(random_()) - static_cast<int64_t>(random_());
      case 3:
        return below(100) / 8.0;
      case 4:
        return pick<std::string>({"", "file:///a.c", "2.0", "initialize", "ä", "\x01"});
      case 5:
        return below(5);
      case 6: {
        json array = json::array();
        for (size_t i = below(4); i > 0; --i) array.push_back(value(depth + 1));
        return array;
      }
      default: {
        json object = json::object();
        for (size_t i = below(4); i > 0; --i) object[pick(keys_)] = value(depth + 1);
        return object;
      }
    }
  }

  json message(int64_t id) {
    json m = pick(seeds_);
    if (m["method"] == "shutdown" && below(10) != 0) m = pick(seeds_);  // else most messages come after it
    if (m["method"].is_null()) m.erase("method");
    if (m.contains("id")) m["id"] = id;
    return m;
  }

  /// Replaces, removes or adds something somewhere inside.
  void mutate(json& at) {
    if (at.is_structured() && !at.empty() && below(4) != 0) {
      auto it = at.begin();
      std::advance(it, static_cast<std::ptrdiff_t>(below(at.size())));
      if (below(8) == 0) {
        at.erase(it);
      } else {
        mutate(*it);
      }
    } else if (at.is_object() && below(2) == 0) {
      at[pick(keys_)] = value();
    } else {
      at = value();
    }
  }

  void mutateText(std::string& text) {
    for (size_t i = 1 + below(3); i > 0 && !text.empty(); --i) {
      const size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text.erase(at, 1 + below(5));
          break;
        case 2:
          text.insert(at, 1, pick<char>({'"', '{', '}', '[', ']', ',', ':', '0', '\\'}));
          break;
        default:
          text.insert(at, text.substr(at, 1 + below(20)));
          break;
      }
    }
  }

 private:
  std::mt19937 random_;
  const std::vector<std::string> keys_ = {"jsonrpc",  "id",           "method", "params", "result",
                                          "error",    "textDocument", "uri",    "range",  "token",
                                          "position", "line",         "text",   "zzz"};
  const std::vector<json> seeds_ = {
      json::parse(
          R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"processId":1,"rootUri":"file:///w",
          "capabilities":{"general":{"positionEncodings":["utf-8"]},"window":{"workDoneProgress":true}},
          "workspaceFolders":[{"uri":"file:///w","name":"w"}]}})"),
      json::parse(R"({"jsonrpc":"2.0","method":"initialized","params":{}})"),
      json::parse(R"({"jsonrpc":"2.0","id":0,"method":"textDocument/hover","params":{
          "textDocument":{"uri":"file:///a.c"},"position":{"line":1,"character":2}}})"),
      json::parse(R"({"jsonrpc":"2.0","id":0,"method":"textDocument/codeAction","params":{
          "textDocument":{"uri":"file:///a.c"},"range":{"start":{"line":1,"character":2},"end":{"line":1,"character":9}},
          "context":{"diagnostics":[{"range":{"start":{"line":1,"character":2},"end":{"line":1,"character":9}},
          "message":"m","code":7,"tags":[1]}],"only":["quickfix"]}}})"),
      json::parse(R"({"jsonrpc":"2.0","method":"textDocument/didOpen","params":{
          "textDocument":{"uri":"file:///a.c","languageId":"c","version":1,"text":"int x;"}}})"),
      json::parse(R"({"jsonrpc":"2.0","method":"textDocument/didChange","params":{
          "textDocument":{"uri":"file:///a.c","version":2},"contentChanges":[{"text":"y","range":{
          "start":{"line":0,"character":4},"end":{"line":0,"character":5}}}]}})"),
      json::parse(R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":3}})"),
      json::parse(R"({"jsonrpc":"2.0","id":0,"method":"workspace/executeCommand","params":{"command":"c"}})"),
      json::parse(R"({"jsonrpc":"2.0","id":0,"method":"test/throw"})"),
      json::parse(R"({"jsonrpc":"2.0","id":0,"method":"test/lose","params":[]})"),
      json::parse(R"({"jsonrpc":"2.0","id":0,"method":"no/such"})"),
      json::parse(R"({"jsonrpc":"2.0","id":0,"result":null})"),
      json::parse(R"({"jsonrpc":"2.0","id":0,"method":"shutdown"})"),
  };
};

/// The handlers of a server in small: some answer at once, some later or from another thread, some are
/// broken.
class Server {
 public:
  HandlerTable table() {
    HandlerTable bind;
    bind.request<InitializeParams, InitializeResult>(
        "initialize", [](const InitializeParams&, Reply<InitializeResult> reply) { reply({}); });
    bind.request<HoverParams, std::optional<Hover>>(
        "textDocument/hover",
        [this](const HoverParams&, Reply<std::optional<Hover>> reply) { later.push_back(std::move(reply)); });
    bind.request<CodeActionParams, std::vector<CodeAction>>(
        "textDocument/codeAction", [](const CodeActionParams& params, Reply<std::vector<CodeAction>> reply) {
          std::thread([&params, reply = std::move(reply)]() mutable {
            CodeAction action;
            action.title = params.textDocument.uri;
            action.diagnostics = params.context.diagnostics;
            reply({action});
          }).join();
        });
    bind.request<ExecuteCommandParams, json>("workspace/executeCommand",
                                             [](const ExecuteCommandParams& params, Reply<json> reply) {
                                               reply(json(params.command));
                                               reply(json("again"));
                                             });
    bind.request<NoParams, int>("test/throw",
                                [](const NoParams&, Reply<int>) { throw std::runtime_error("x"); });
    bind.request<NoParams, int>("test/lose", [](const NoParams&, Reply<int>) {});
    bind.notify<DidOpenTextDocumentParams>("textDocument/didOpen",
                                           [this](const DidOpenTextDocumentParams&) { ++notified; });
    bind.notify<DidChangeTextDocumentParams>("textDocument/didChange",
                                             [this](const DidChangeTextDocumentParams& params) {
                                               ++notified;
                                               if (dispatcher) dispatcher->supersede(params.textDocument.uri);
                                             });
    return bind;
  }

  /// Answers some of what is open.
  void work(Fuzz& fuzz) {
    while (later.size() > fuzz.below(8)) {
      Reply<std::optional<Hover>> reply = std::move(later.back());
      later.pop_back();
      if (fuzz.below(3) == 0) continue;  // loses it
      if (reply.stopToken().stop_requested()) {
        reply.cancelled();
      } else {
        reply(std::nullopt);
      }
    }
  }

  std::vector<Reply<std::optional<Hover>>> later;
  Dispatcher* dispatcher = nullptr;
  size_t notified = 0;
};

bool isIntegral(const json& id) {
  if (id.is_number_unsigned()) return id.get<uint64_t>() <= INT64_MAX;
  return id.is_number_integer() ||
         (id.is_number_float() && id.get<double>() == static_cast<int64_t>(id.get<double>()));
}

/// One answer for a call or for nonsense, none for notifications and responses.
void expectAnswer(const json& message, Answers& expected) {
  std::string id = "null";
  if (message.is_object()) {
    const bool proper = message.value("jsonrpc", json()) == "2.0";
    const bool call = message.contains("method");
    if (proper && !call && (message.contains("result") || message.contains("error"))) return;
    const json given = message.value("id", json());
    if (given.is_string()) id = given.dump();
    if (given.is_number() && isIntegral(given)) id = std::to_string(given.get<int64_t>());
    const json params = message.value("params", json());
    const bool wellFormed =
        message.value("method", json()).is_string() && (params.is_null() || params.is_structured());
    if (proper && call && !message.contains("id") && wellFormed) return;
  }
  ++expected[id];
}

Answers expectedAnswers(const std::string& text) {
  Answers expected;
  const json message = json::parse(text, nullptr, false);
  if (message.is_discarded() || (message.is_array() && message.empty())) {
    ++expected["null"];
  } else if (message.is_array()) {
    for (const json& element : message) expectAnswer(element, expected);
  } else {
    expectAnswer(message, expected);
  }
  return expected;
}

void countAnswers(const json& sent, Answers& answers) {
  if (sent.is_array()) {
    for (const json& one : sent) countAnswers(one, answers);
    return;
  }
  EXPECT_EQ(sent.at("jsonrpc"), "2.0");
  EXPECT_NE(sent.contains("result"), sent.contains("error")) << sent.dump();
  ++answers[sent.at("id").dump()];
}

std::string randomBody(Fuzz& fuzz, int64_t id) {
  json message = fuzz.message(id);
  const size_t kind = fuzz.below(10);
  if (kind == 0) {
    message = fuzz.value();
  } else if (kind == 1) {
    message = json::array({message, fuzz.message(id + 1'000'000), fuzz.value()});
  }
  if (kind >= 4) {
    for (size_t i = fuzz.below(3); i > 0; --i) fuzz.mutate(message);
  }
  std::string text = printJson(message);
  if (fuzz.below(4) == 0) fuzz.mutateText(text);
  return text;
}

TEST(ProtocolFuzz, TenThousandMessages) {
  Fuzz fuzz(20);
  Answers expected, answers;
  std::map<int, size_t> codes;
  size_t notified = 0;
  for (int round = 0; round < 200; ++round) {  // sessions: a shutdown closes each sooner or later
    Server server;
    Session session(server.table());
    server.dispatcher = session.dispatcher.get();
    if (round % 4 != 0) session.initialize();
    for (int i = 0; i < 50; ++i) {
      const std::string text = randomBody(fuzz, round * 1000 + i);
      SCOPED_TRACE(text);
      // Ids that mutation makes equal to an open one are answered too, so counting suffices.
      for (const auto& [id, times] : expectedAnswers(text)) expected[id] += times;
      session.text(text);
      if (fuzz.below(3) == 0) server.work(fuzz);
      if (::testing::Test::HasFailure()) return;
    }
    server.later.clear();
    EXPECT_EQ(session.dispatcher->openRequests(), 0u);
    for (const json& sent : session.take()) {
      countAnswers(sent, answers);
      if (sent.is_object()) ++codes[sent.contains("error") ? sent["error"]["code"].get<int>() : 0];
    }
    notified += server.notified;
  }
  EXPECT_EQ(answers, expected);
  // The run means something only if it reached everything.
  for (int code : {0, parseError, invalidRequest, methodNotFound, invalidParams, internalError,
                   notInitialized, contentModified}) {
    EXPECT_GT(codes[code], 20u) << code;
  }
  EXPECT_GT(codes[requestCancelled] + codes[contentModified], 20u);
  EXPECT_GT(notified, 200u);
}

TEST(ProtocolFuzz, MutatedStreams) {
  Fuzz fuzz(21);
  size_t bodies = 0;
  for (int round = 0; round < 1000; ++round) {
    Server server;
    Session session(server.table());
    session.initialize();
    std::string stream;
    for (int i = 0; i < 5; ++i) stream += frameBody(randomBody(fuzz, i));
    if (round % 2 == 0) fuzz.mutateText(stream);
    FrameReader reader;
    Answers expected, answers;
    for (size_t at = 0; at < stream.size();) {
      const size_t length = 1 + fuzz.below(200);
      reader.feed(std::string_view(stream).substr(at, length));
      at += length;
      for (FrameReader::Result r = reader.next(); auto* body = std::get_if<std::string>(&r);
           r = reader.next()) {
        ++bodies;
        for (const auto& [id, times] : expectedAnswers(*body)) expected[id] += times;
        session.text(*body);
      }
    }
    server.later.clear();
    for (const json& sent : session.take()) countAnswers(sent, answers);
    ASSERT_EQ(answers, expected) << stream;
  }
  EXPECT_GT(bodies, 3000u);
}

}  // namespace
}  // namespace heddle::lsp
