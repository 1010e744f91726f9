// Dispatcher: from message bodies to handlers, by the rules of JSON-RPC and of LSP's life cycle. JSON only.
//
// It answers by itself: invalid JSON (ParseError, id null), invalid messages and a reused open id
// (InvalidRequest), unknown methods (MethodNotFound), requests before initialize (ServerNotInitialized) and
// after shutdown or a second initialize (InvalidRequest), handlers that throw (InternalError). It drops and
// logs notifications outside initialize…shutdown (but `exit`) and unknown ones; unknown `$/…` notifications
// silently. $/cancelRequest and the answers to outgoing requests are handled here. Batches are handled as
// JSON-RPC has it: one array of answers when all are there.
//
// The session is initialized when the `initialize` handler has answered with a result (on any thread); until
// then further requests get ServerNotInitialized. `shutdown` without a handler answers null.
//
// One thread calls handle…(); the rest may be called from any thread. Destroying the dispatcher closes the
// outbox.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/handler_table.h"
#include "protocol/outgoing.h"
#include "protocol/pending.h"

namespace heddle::lsp {

class Dispatcher {
 public:
  Dispatcher(HandlerTable handlers, Send send, LogSink log);
  ~Dispatcher();
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  /// One message body, as FrameReader gives it.
  void handleText(std::string_view body);
  void handle(json message);

  /// Requests and notifications to the client.
  OutgoingCalls& client() { return outgoing_; }

  /// The document changed: stops the open requests whose params.textDocument.uri is `uri`; they answer
  /// ContentModified.
  void supersede(std::string_view uri);
  /// Stops every open request (they answer ServerCancelled), as before the end of the session.
  void cancelAll();
  size_t openRequests() const { return pending_->size(); }

  /// After `exit` (on the dispatching thread): 0 when shutdown came before, else 1.
  std::optional<int> exitCode() const { return exitCode_; }
  bool running() const { return shared_->state == State::Running; }

 private:
  enum class State : uint8_t { New, Initializing, Running, ShutDown, Exited };

  struct Shared {  // outlives the dispatcher with the replies that refer to it
    std::atomic<State> state{State::New};
  };

  using Respond = std::function<void(json response)>;

  void handleBatch(json& batch);
  void handleOne(Message message, const Respond& respond);
  void onRequest(RequestMessage request, const Respond& respond);
  void onNotification(NotificationMessage notification);
  void onCancel(const json& params);
  void runRequest(const HandlerTable::RawRequest& handler, RequestMessage request, const Respond& respond);
  std::optional<ResponseError> refusal(const RequestMessage& request) const;
  void log(LogLevel level, const std::string& message) const;

  HandlerTable handlers_;
  LogSink log_;
  std::shared_ptr<Outbox> outbox_;
  std::shared_ptr<PendingRequests> pending_;
  std::shared_ptr<Shared> shared_;
  OutgoingCalls outgoing_;
  std::optional<int> exitCode_;
};

}  // namespace heddle::lsp
