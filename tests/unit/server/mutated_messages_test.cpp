// 10,000 random or mutated messages through a whole session, and 1,000 edits by message: every request is
// answered once, nothing crashes or hangs, the document is the client's.
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <random>

#include "client_buffer.h"
#include "lsp_client.h"
#include "protocol/json.h"
#include "scripted_engine.h"

namespace heddle {
namespace {

using lsp::json;
using testing::ClientBuffer;
using testing::LspClient;

using Random = std::mt19937;

uint32_t number(Random& random, uint32_t most) {
  return std::uniform_int_distribution<uint32_t>(0, most)(random);
}

json randomValue(Random& random, int depth = 0) {
  switch (number(random, depth > 3 ? 5 : 7)) {
    case 0:
      return nullptr;
    case 1:
      return number(random, 1) == 1;
    case 2:
      return static_cast<int64_t>(number(random, 1000)) - 500;
    case 3:
      return 1e300;
    case 4:
      return "file:///p/a.c";
    case 5:
      return std::string(number(random, 20), 'x');
    case 6: {
      json array = json::array();
      for (uint32_t i = number(random, 3); i > 0; i--) array.push_back(randomValue(random, depth + 1));
      return array;
    }
    default: {
      json object = json::object();
      for (const char* key : {"textDocument", "position", "uri", "line", "text", "version"})
        if (number(random, 2) == 0) object[key] = randomValue(random, depth + 1);
      return object;
    }
  }
}

json randomMessage(Random& random, int64_t id) {
  static const std::vector<std::string> kUris = {"file:///p/a.c", "file:///p/b.c", "file:///p/a.h",
                                                 "untitled:1", "file:///p/%zz"};
  const std::string uri = kUris[number(random, static_cast<uint32_t>(kUris.size()) - 1)];
  const json position = {{"line", number(random, 4)}, {"character", number(random, 9)}};
  const json document = {{"uri", uri}, {"version", number(random, 100)}};
  switch (number(random, 9)) {
    case 0:
      return lsp::makeNotification("textDocument/didOpen",
                                   {{"textDocument",
                                     {{"uri", uri},
                                      {"languageId", "c"},
                                      {"version", 1},
                                      {"text", number(random, 1) == 1 ? "a\nBUG\n" : "TWICE\nODD"}}}});
    case 1: {
      json change = {{"text", std::string(number(random, 3), 'z')}};
      if (number(random, 3) != 0)
        change["range"] = {{"start", position},
                           {"end", {{"line", number(random, 4)}, {"character", number(random, 9)}}}};
      return lsp::makeNotification("textDocument/didChange",
                                   {{"textDocument", document}, {"contentChanges", {change}}});
    }
    case 2:
      return lsp::makeNotification("textDocument/didSave", {{"textDocument", document}});
    case 3:
      return lsp::makeNotification("textDocument/didClose", {{"textDocument", document}});
    case 4:
      return lsp::makeNotification("workspace/didChangeConfiguration", {{"settings", randomValue(random)}});
    case 5:
      return lsp::makeNotification("window/workDoneProgress/cancel", {{"token", randomValue(random)}});
    case 6:
      return lsp::makeRequest(lsp::RequestId{id}, "no/" + std::to_string(number(random, 9)),
                              randomValue(random));
    case 7:
      return lsp::makeRequest(lsp::RequestId{id}, "textDocument/hover", randomValue(random));
    case 8:
      return lsp::makeRequest(lsp::RequestId{"s" + std::to_string(id)}, "initialize", randomValue(random));
    default:
      return lsp::makeRequest(lsp::RequestId{id}, "textDocument/hover",
                              {{"textDocument", document}, {"position", position}});
  }
}

std::string mutate(Random& random, std::string body) {
  for (uint32_t edits = number(random, 3); edits > 0 && !body.empty(); edits--) {
    const size_t at = number(random, static_cast<uint32_t>(body.size()) - 1);
    switch (number(random, 4)) {
      case 0:
        body[at] = static_cast<char>(number(random, 255));
        break;
      case 1:
        body.erase(at, 1 + number(random, 8));
        break;
      case 2:
        body.insert(at, 1, "{}[]\",:0-e\\"[number(random, 10)]);
        break;
      case 3:
        body.insert(at, body.substr(at, number(random, 12)));
        break;
      default:
        body.resize(at);
        break;
    }
  }
  return body;
}

/// How often each answer must come, by the printed id ("null" when it cannot be read).
class Expected {
 public:
  int requests = 0;  // well-formed ones
  int damaged = 0;   // to be answered with an error

  void add(const std::string& body) {
    auto parsed = lsp::parseJson(body);
    const json* value = std::get_if<json>(&parsed);
    if (value == nullptr) {
      counts_["null"]++;
      damaged++;
      return;
    }
    if (value->is_array()) return addBatch(*value);
    addOne(*value);
  }
  void answered(const json& response) {
    if (response.is_array()) {
      for (const json& one : response) answered(one);
      return;
    }
    counts_[response["id"].dump()]--;
  }
  std::vector<std::string> unbalanced() const {
    std::vector<std::string> ids;
    for (const auto& [id, count] : counts_)
      if (count != 0) ids.push_back(id + ": " + std::to_string(count));
    return ids;
  }

 private:
  void addBatch(const json& batch) {
    if (batch.empty()) counts_["null"]++;
    for (const json& one : batch) addOne(one);
  }
  void addOne(const json& value) {
    const lsp::Message message = lsp::sortMessage(json(value));
    if (const auto* request = std::get_if<lsp::RequestMessage>(&message)) {
      counts_[json(request->id).dump()]++;
      requests++;
    }
    if (const auto* invalid = std::get_if<lsp::InvalidMessage>(&message))
      counts_[invalid->id ? json(*invalid->id).dump() : "null"]++;
  }

  std::map<std::string, int> counts_;
};

TEST(MutatedMessages, TenThousandAreEachAnsweredOnce) {
  ServerOptions options;
  options.engine = testing::scriptedEngine();
  LspClient client(std::move(options));
  client.initialize();
  Random random(2026);
  Expected expected;
  constexpr int64_t kMessages = 10'000;
  constexpr int64_t kBatch = 50;  // sent, then read up to a marker, so that neither side's buffer fills
  for (int64_t i = 0; i < kMessages;) {
    std::string bytes;
    for (int64_t end = std::min(i + kBatch, kMessages); i < end; i++) {
      // Ids that cannot collide with the client's own small ones.
      std::string body = lsp::printJson(randomMessage(random, 1'000'000 + i * 1000));
      if (number(random, 2) != 0) body = mutate(random, body);
      if (body.find("\"exit\"") != std::string::npos || body.find("\"shutdown\"") != std::string::npos)
        continue;
      expected.add(body);
      bytes += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    }
    client.sendBytes(bytes);
    const lsp::RequestId marker{"marker" + std::to_string(i)};
    client.send(lsp::makeRequest(marker, "marker", nullptr));
    for (bool reached = false; !reached;) {
      const std::optional<json> message = client.read();
      ASSERT_TRUE(message) << "the session ended at message " << i;
      if (message->is_object() && message->contains("method")) continue;
      reached = message->is_object() && message->value("id", json()) == json(marker);
      if (!reached) expected.answered(*message);
    }
  }
  EXPECT_EQ(expected.unbalanced(), std::vector<std::string>{});
  EXPECT_GT(expected.requests, 1000);
  EXPECT_GT(expected.damaged, 1000);
  EXPECT_EQ(client.exit(), 0);
}

TEST(MutatedMessages, RandomBytesEndTheSessionCleanly) {
  Random random(7);
  for (int round = 0; round < 100; round++) {
    ServerOptions options;
    options.engine = testing::scriptedEngine();
    LspClient client(std::move(options));
    const std::string body = lsp::printJson(randomMessage(random, round));
    std::string bytes = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    if (round % 2 == 0) {
      bytes = mutate(random, bytes);
    } else {
      bytes.resize(number(random, 200));
      for (char& byte : bytes) byte = static_cast<char>(number(random, 255));
    }
    client.sendBytes(bytes);
    EXPECT_EQ(client.hangUp(), 1);
  }
}

/// The server without its transport, so that its document can be looked at after every edit.
TEST(MutatedMessages, ThousandEditsByMessageLeaveTheClientsDocument) {
  for (const char* encodingName : {"utf-8", "utf-16"}) {
    const PositionEncoding encoding =
        encodingName == std::string("utf-8") ? PositionEncoding::Utf8 : PositionEncoding::Utf16;
    boost::asio::io_context loop;
    ServerOptions options;
    options.engine = testing::scriptedEngine();
    LspServer server(loop, std::move(options), [](const json&) {});
    const auto handle = [&](const json& message) { server.handleBody(lsp::printJson(message)); };
    handle(lsp::makeRequest(lsp::RequestId{int64_t{1}}, "initialize",
                            {{"capabilities", {{"general", {{"positionEncodings", {encodingName}}}}}}}));
    handle(lsp::makeNotification("initialized", json::object()));

    Random random(3);
    ClientBuffer client{testing::randomPoints(random, 300)};
    handle(lsp::makeNotification(
        "textDocument/didOpen",
        {{"textDocument",
          {{"uri", "file:///p/a.c"}, {"languageId", "c"}, {"version", 0}, {"text", client.text()}}}}));
    for (int version = 1; version <= 1000; version++) {
      json changes = json::array();
      for (uint32_t k = 1 + number(random, 2); k > 0; k--) {
        const std::vector<char32_t> inserted = testing::randomPoints(random, version % 40 == 0 ? 100 : 6);
        TextChange change{std::nullopt, ClientBuffer{inserted}.text()};
        json event = {{"text", change.text}};
        if (number(random, 300) != 0) {
          const TextPosition begin{number(random, 30), number(random, 12)};
          const TextPosition end{begin.line + number(random, 1), number(random, 12)};
          change.range = {begin, end};
          event["range"] = {{"start", {{"line", begin.line}, {"character", begin.character}}},
                            {"end", {{"line", end.line}, {"character", end.character}}}};
        }
        client.apply(change, inserted, encoding);
        changes.push_back(event);
      }
      handle(lsp::makeNotification(
          "textDocument/didChange",
          {{"textDocument", {{"uri", "file:///p/a.c"}, {"version", version}}}, {"contentChanges", changes}}));
      const Document* document = server.documents().find("file:///p/a.c");
      ASSERT_NE(document, nullptr);
      ASSERT_EQ(document->map->text(), client.text()) << "version " << version;
      ASSERT_EQ(document->version, version);
      if (version % 10 == 0) loop.poll();
    }
    server.shutDown();
  }
}

}  // namespace
}  // namespace heddle
