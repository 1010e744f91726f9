// Outbox: where messages to the client leave, from any thread; and the log callback of this folder.
//
// Replies may outlive the dispatcher on worker threads, so they share the outbox, and close() cuts them off.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include "protocol/json.h"

namespace heddle::lsp {

enum class LogLevel : uint8_t { Error, Warning, Info, Debug };

/// Called from any thread, must not throw.
using LogSink = std::function<void(LogLevel, const std::string& message)>;

/// Called from any thread, one call at a time, must not throw and must not call back into this folder:
/// typically frame(message) and a post to the thread that writes.
using Send = std::function<void(json message)>;

class Outbox {
 public:
  explicit Outbox(Send send) : send_(std::move(send)) {}

  void send(json message);

  /// Later messages are dropped. After the return no call of the Send callback is running.
  void close();

 private:
  std::mutex mutex_;  // guards send_ and orders messages
  Send send_;
};

}  // namespace heddle::lsp
