// LspClient: a typed fake editor. It runs a whole server session (main loop, transport and all) on a thread
// of its own, over a socket pair, and speaks real bytes with it. Waits have a deadline, so that a server that
// says nothing fails the test instead of hanging it.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <deque>
#include <functional>
#include <thread>

#include "protocol/framing.h"
#include "protocol/hover.h"
#include "protocol/jsonrpc.h"
#include "protocol/text_sync.h"
#include "server/driver/serve.h"

namespace heddle::testing {

using lsp::json;

/// A log line that is not about a run.
inline bool isAboutProject(const json& logMessage) {
  return logMessage["params"]["message"].get<std::string>().starts_with("project ");
}

class LspClient {
 public:
  explicit LspClient(ServerOptions options) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) std::abort();
    mine_ = pair[0];
    theirs_ = pair[1];
    options.workspace.debounce = {std::chrono::milliseconds(0), std::chrono::milliseconds(0),
                                  std::chrono::milliseconds(0)};
    thread_ = std::thread(
        [this, given = std::move(options)]() mutable { code_ = serve(theirs_, theirs_, std::move(given)); });
  }
  ~LspClient() {
    hangUp();
    if (mine_ >= 0) ::close(mine_);
    ::close(theirs_);
  }
  LspClient(const LspClient&) = delete;
  LspClient& operator=(const LspClient&) = delete;

  /// What was sent so far still arrives.
  int hangUp() {
    if (thread_.joinable()) {
      shutdown(mine_, SHUT_WR);
      thread_.join();
    }
    return code_;
  }

  void sendBytes(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t size = ::send(mine_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (size <= 0) return;
      bytes.remove_prefix(static_cast<size_t>(size));
    }
  }
  void send(const json& message) { sendBytes(lsp::frame(message)); }
  void notify(const std::string& method, const json& params) { send(lsp::makeNotification(method, params)); }

  /// Sends and waits for the answer: the whole response.
  json call(const std::string& method, const json& params) {
    const lsp::RequestId id{nextId_++};
    send(lsp::makeRequest(id, method, params));
    return waitFor([&](const json& message) {
      return !message.contains("method") && message.value("id", json()) == json(id);
    });
  }

  /// The first message, kept or new, that fits. Requests of the server are answered with null on the way.
  json waitFor(const std::function<bool(const json&)>& fits) {
    for (;;) {
      for (auto message = kept_.begin(); message != kept_.end(); ++message) {
        if (!fits(*message)) continue;
        json found = std::move(*message);
        kept_.erase(kept_.begin(), message + 1);  // what came before has been passed over
        return found;
      }
      std::optional<json> next = read();
      if (!next) {
        ADD_FAILURE() << "the session ended or was silent for too long";
        return json();
      }
      kept_.push_back(std::move(*next));
    }
  }

  json waitForMethod(const std::string& method) {
    return waitFor([&](const json& message) { return message.value("method", "") == method; });
  }

  /// Diagnostics of the next publish that fits.
  json waitForDiagnostics(const std::function<bool(const json& params)>& fits = [](const json&) {
    return true;
  }) {
    const json message = waitFor([&](const json& m) {
      return m.value("method", "") == "textDocument/publishDiagnostics" && fits(m["params"]);
    });
    return message.is_object() ? message["params"] : json::object();
  }

  /// nullopt: end of stream, or nothing for too long.
  std::optional<json> read() {
    for (;;) {
      lsp::FrameReader::Result next = frames_.next();
      if (auto* body = std::get_if<std::string>(&next)) {
        json message = json::parse(*body);
        if (message.contains("method") && message.contains("id") && answerRequests) {
          lsp::RequestId id;
          lsp::from_json(message["id"], id);
          send(lsp::makeResult(id, nullptr));
        }
        return message;
      }
      if (std::holds_alternative<lsp::FramingError>(next)) return std::nullopt;
      pollfd wait{mine_, POLLIN, 0};
      if (poll(&wait, 1, 30'000) <= 0) return std::nullopt;
      char buffer[65536];
      const ssize_t size = recv(mine_, buffer, sizeof buffer, 0);
      if (size <= 0) return std::nullopt;
      frames_.feed({buffer, static_cast<size_t>(size)});
    }
  }

  json initialize(const json& capabilities = fullCapabilities(), const json& options = nullptr) {
    json answer = call("initialize", {{"processId", nullptr},
                                      {"rootUri", nullptr},
                                      {"capabilities", capabilities},
                                      {"initializationOptions", options}});
    notify("initialized", json::object());
    return answer;
  }

  void open(const std::string& uri, const std::string& text, int version = 1) {
    notify("textDocument/didOpen",
           {{"textDocument", {{"uri", uri}, {"languageId", "c"}, {"version", version}, {"text", text}}}});
  }
  void replaceAll(const std::string& uri, const std::string& text, int version) {
    notify("textDocument/didChange",
           {{"textDocument", {{"uri", uri}, {"version", version}}}, {"contentChanges", {{{"text", text}}}}});
  }
  json hover(const std::string& uri, uint32_t line, uint32_t character) {
    return call("textDocument/hover",
                {{"textDocument", {{"uri", uri}}}, {"position", {{"line", line}, {"character", character}}}});
  }
  int exit() {
    const json answer = call("shutdown", nullptr);
    EXPECT_TRUE(answer.contains("result") && answer["result"].is_null()) << answer;
    notify("exit", nullptr);
    return hangUp();
  }

  static json fullCapabilities() {
    return json::parse(R"({"general": {"positionEncodings": ["utf-16"]}, "window": {"workDoneProgress": true},
      "textDocument": {"hover": {"contentFormat": ["markdown", "plaintext"]},
        "publishDiagnostics": {"relatedInformation": true, "versionSupport": true, "codeDescriptionSupport": true,
                               "dataSupport": true, "tagSupport": {"valueSet": [1, 2]}}}})");
  }

  bool answerRequests = true;

 private:
  int mine_ = -1;
  int theirs_ = -1;
  std::thread thread_;
  int code_ = -1;  // after the join
  int64_t nextId_ = 1;
  lsp::FrameReader frames_;
  std::deque<json> kept_;
};

}  // namespace heddle::testing
