// A dispatcher with recorded output, for tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "protocol/dispatcher.h"
#include "protocol/lifecycle.h"

namespace heddle::lsp {

class Session {
 public:
  explicit Session(HandlerTable handlers) {
    if (!handlers.findRequest("initialize")) {
      handlers.request<InitializeParams, InitializeResult>(
          "initialize",
          [](const InitializeParams&, Reply<InitializeResult> reply) { reply(InitializeResult()); });
    }
    dispatcher = std::make_unique<Dispatcher>(
        std::move(handlers),
        [this](json message) {
          std::lock_guard lock(mutex_);
          sent_.push_back(std::move(message));
        },
        [this](LogLevel, const std::string& message) {
          std::lock_guard lock(mutex_);
          logged_.push_back(message);
        });
  }

  void text(const std::string& body) { dispatcher->handleText(body); }
  void request(const RequestId& id, const std::string& method, json params = json::object()) {
    dispatcher->handle(makeRequest(id, method, std::move(params)));
  }
  void notify(const std::string& method, json params = json::object()) {
    dispatcher->handle(makeNotification(method, std::move(params)));
  }
  void initialize() {
    request(RequestId{"init"}, "initialize");
    EXPECT_TRUE(dispatcher->running());
    take();
  }

  /// Everything sent since the last call.
  std::vector<json> take() {
    std::lock_guard lock(mutex_);
    return std::exchange(sent_, {});
  }
  /// The one message sent since the last call.
  json takeOne() {
    std::vector<json> all = take();
    EXPECT_EQ(all.size(), 1u) << json(all).dump();
    return all.empty() ? json() : all.front();
  }
  /// The error code of the one answer, which must be to `id`; 0 for a result.
  int takeCode(const json& id) {
    const json answer = takeOne();
    EXPECT_EQ(answer.value("id", json("none")), id) << answer.dump();
    EXPECT_EQ(answer.value("jsonrpc", ""), "2.0");
    EXPECT_NE(answer.contains("error"), answer.contains("result")) << answer.dump();
    return answer.contains("error") ? answer["error"]["code"].get<int>() : 0;
  }
  bool logged(const std::string& part) {
    std::lock_guard lock(mutex_);
    return std::any_of(logged_.begin(), logged_.end(),
                       [&](const std::string& line) { return line.find(part) != std::string::npos; });
  }

 private:
  std::mutex mutex_;
  std::vector<json> sent_;
  std::vector<std::string> logged_;

 public:
  std::unique_ptr<Dispatcher> dispatcher;  // last: destroyed before what its callbacks use
};

inline constexpr int parseError = static_cast<int>(ErrorCode::ParseError);
inline constexpr int invalidRequest = static_cast<int>(ErrorCode::InvalidRequest);
inline constexpr int methodNotFound = static_cast<int>(ErrorCode::MethodNotFound);
inline constexpr int invalidParams = static_cast<int>(ErrorCode::InvalidParams);
inline constexpr int internalError = static_cast<int>(ErrorCode::InternalError);
inline constexpr int notInitialized = static_cast<int>(ErrorCode::ServerNotInitialized);
inline constexpr int requestCancelled = static_cast<int>(ErrorCode::RequestCancelled);
inline constexpr int contentModified = static_cast<int>(ErrorCode::ContentModified);
inline constexpr int serverCancelled = static_cast<int>(ErrorCode::ServerCancelled);

}  // namespace heddle::lsp
