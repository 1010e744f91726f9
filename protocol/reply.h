// ReplyOnce and Reply<T>: the right and the duty to answer one request exactly once.
//
// Move-only; move it to the thread that does the work and answer from there. A second answer is dropped and
// logged; a reply object that dies unanswered answers InternalError (or the cancellation, if the request was
// cancelled).
//
//   void Server::onHover(const HoverParams& params, Reply<std::optional<Hover>> reply) {
//     pool.post([reply = std::move(reply), ...]() mutable {
//       if (reply.stopToken().stop_requested()) return reply.cancelled();
//       reply(hoverAt(...));
//     });
//   }
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <utility>

#include "protocol/field.h"
#include "protocol/pending.h"

namespace heddle::lsp {

class ReplyOnce {
 public:
  explicit ReplyOnce(std::shared_ptr<PendingRequest> request) : request_(std::move(request)) {}
  ReplyOnce(ReplyOnce&&) noexcept = default;
  ReplyOnce& operator=(ReplyOnce&& other) noexcept;
  ReplyOnce(const ReplyOnce&) = delete;
  ReplyOnce& operator=(const ReplyOnce&) = delete;
  ~ReplyOnce();

  void result(json value);
  void error(ErrorCode code, std::string message);
  void error(ResponseError error);
  /// RequestCancelled, ContentModified or ServerCancelled, after the reason of the cancellation.
  void cancelled();

  const RequestId& id() const { return request_->id(); }
  const std::string& method() const { return request_->method(); }
  /// Stops when the client cancels the request or the server supersedes it.
  std::stop_token stopToken() const { return request_->stopToken(); }
  CancelReason cancelReason() const { return request_->reason(); }

 private:
  std::shared_ptr<PendingRequest> request_;  // null after a move
};

/// A ReplyOnce that takes a T. std::nullptr_t: the result is null.
template <class T>
class Reply {
 public:
  explicit Reply(ReplyOnce raw) : raw_(std::move(raw)) {}

  void operator()(const T& value) { raw_.result(writeValue(value)); }
  void error(ErrorCode code, std::string message) { raw_.error(code, std::move(message)); }
  void error(ResponseError e) { raw_.error(std::move(e)); }
  void cancelled() { raw_.cancelled(); }

  const RequestId& id() const { return raw_.id(); }
  const std::string& method() const { return raw_.method(); }
  std::stop_token stopToken() const { return raw_.stopToken(); }
  CancelReason cancelReason() const { return raw_.cancelReason(); }

 private:
  ReplyOnce raw_;
};

}  // namespace heddle::lsp
