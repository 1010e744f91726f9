// PendingRequest and PendingRequests: requests of the client that are not answered yet, and their
// cancellation.
//
// A PendingRequest is shared by the table and by the ReplyOnce that the handler got. All members are
// thread-safe: replies and cancellations race by nature, and the first to take the answer wins.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "protocol/jsonrpc.h"
#include "protocol/outbox.h"

namespace heddle::lsp {

enum class CancelReason : uint8_t {
  None,
  Client,      // $/cancelRequest: RequestCancelled
  Superseded,  // the document changed: ContentModified
  Server,      // the server gives up on it, as at shutdown: ServerCancelled
};

ResponseError cancelError(CancelReason reason);

class PendingRequest {
 public:
  using Outcome = std::variant<json, ResponseError>;

  struct Callbacks {
    std::function<void(json response)> send;       // exactly once
    std::function<void(bool succeeded)> answered;  // exactly once, before send
    LogSink log;
  };

  PendingRequest(RequestId id, std::string method, std::string documentUri, Callbacks callbacks);

  const RequestId& id() const { return id_; }
  const std::string& method() const { return method_; }
  const std::string& documentUri() const { return documentUri_; }
  std::stop_token stopToken() const { return stop_.get_token(); }
  CancelReason reason() const { return reason_.load(); }

  /// The first call answers; a later one is logged and dropped. The result of a superseded request is for a
  /// text that is gone: it is answered with ContentModified instead.
  void answer(Outcome outcome);

  /// Requests the stop. The first reason stays. Does not answer: the handler does, through ReplyOnce.
  void cancel(CancelReason reason);

  /// The reply object is gone. If the request is still unanswered then, that is a bug (InternalError), unless
  /// the request was cancelled.
  void abandon();

  /// Around the handler's call on the dispatching thread: an abandon() in between waits for endDispatch, so
  /// that an exception, which destroys the reply object first, can still be answered with its own message.
  void beginDispatch();
  void endDispatch(std::optional<ResponseError> thrown);

 private:
  bool takeAnswer();
  void deliver(Outcome outcome);
  ResponseError lostError() const;

  const RequestId id_;
  const std::string method_;
  const std::string documentUri_;
  const Callbacks callbacks_;
  std::stop_source stop_;
  std::atomic<CancelReason> reason_{CancelReason::None};
  std::mutex mutex_;  // guards the three flags
  bool answered_ = false;
  bool dispatching_ = false;
  bool abandoned_ = false;
};

class PendingRequests {
 public:
  /// False: a request with this id is still open.
  bool add(const std::shared_ptr<PendingRequest>& request);
  void remove(const RequestId& id);
  std::shared_ptr<PendingRequest> find(const RequestId& id) const;

  void cancel(const RequestId& id, CancelReason reason);
  void cancelDocument(std::string_view uri, CancelReason reason);
  void cancelAll(CancelReason reason);
  size_t size() const;

 private:
  std::vector<std::shared_ptr<PendingRequest>> all() const;

  mutable std::mutex mutex_;  // guards open_; never held while a stop callback or a send runs
  std::map<RequestId, std::shared_ptr<PendingRequest>> open_;
};

}  // namespace heddle::lsp
