#include "protocol/pending.h"

#include <utility>

namespace heddle::lsp {

ResponseError cancelError(CancelReason reason) {
  switch (reason) {
    case CancelReason::Client:
      return {ErrorCode::RequestCancelled, "cancelled by the client", {}};
    case CancelReason::Superseded:
      return {ErrorCode::ContentModified, "the document changed", {}};
    case CancelReason::Server:
    case CancelReason::None:
      break;
  }
  return {ErrorCode::ServerCancelled, "cancelled by the server", {}};
}

PendingRequest::PendingRequest(RequestId id, std::string method, std::string documentUri, Callbacks callbacks)
    : id_(std::move(id)),
      method_(std::move(method)),
      documentUri_(std::move(documentUri)),
      callbacks_(std::move(callbacks)) {}

void PendingRequest::answer(Outcome outcome) {
  if (!takeAnswer()) {
    if (callbacks_.log) {
      callbacks_.log(LogLevel::Error, "bug: second reply to " + method_ + " (" + toString(id_) + ") dropped");
    }
    return;
  }
  if (reason() == CancelReason::Superseded && std::holds_alternative<json>(outcome)) {
    outcome = cancelError(CancelReason::Superseded);
  }
  deliver(std::move(outcome));
}

void PendingRequest::cancel(CancelReason reason) {
  CancelReason none = CancelReason::None;
  reason_.compare_exchange_strong(none, reason);
  stop_.request_stop();
}

void PendingRequest::abandon() {
  {
    std::lock_guard lock(mutex_);
    if (answered_) return;
    abandoned_ = true;
    if (dispatching_) return;
    answered_ = true;
  }
  deliver(lostError());
}

void PendingRequest::beginDispatch() {
  std::lock_guard lock(mutex_);
  dispatching_ = true;
}

void PendingRequest::endDispatch(std::optional<ResponseError> thrown) {
  {
    std::lock_guard lock(mutex_);
    dispatching_ = false;
    if (answered_ || (!abandoned_ && !thrown)) return;
    answered_ = true;
  }
  deliver(thrown ? std::move(*thrown) : lostError());
}

bool PendingRequest::takeAnswer() {
  std::lock_guard lock(mutex_);
  return !std::exchange(answered_, true);
}

void PendingRequest::deliver(Outcome outcome) {
  const auto* error = std::get_if<ResponseError>(&outcome);
  if (callbacks_.answered) callbacks_.answered(error == nullptr);
  callbacks_.send(error ? makeError(id_, *error) : makeResult(id_, std::move(std::get<json>(outcome))));
}

ResponseError PendingRequest::lostError() const {
  if (reason() != CancelReason::None) return cancelError(reason());
  if (callbacks_.log)
    callbacks_.log(LogLevel::Error, "bug: no reply to " + method_ + " (" + toString(id_) + ")");
  return {ErrorCode::InternalError, "the server lost its reply to " + method_, {}};
}

bool PendingRequests::add(const std::shared_ptr<PendingRequest>& request) {
  std::lock_guard lock(mutex_);
  return open_.emplace(request->id(), request).second;
}

void PendingRequests::remove(const RequestId& id) {
  std::lock_guard lock(mutex_);
  open_.erase(id);
}

std::shared_ptr<PendingRequest> PendingRequests::find(const RequestId& id) const {
  std::lock_guard lock(mutex_);
  const auto it = open_.find(id);
  return it == open_.end() ? nullptr : it->second;
}

void PendingRequests::cancel(const RequestId& id, CancelReason reason) {
  if (auto request = find(id)) request->cancel(reason);
}

void PendingRequests::cancelDocument(std::string_view uri, CancelReason reason) {
  for (const auto& request : all()) {
    if (request->documentUri() == uri) request->cancel(reason);
  }
}

void PendingRequests::cancelAll(CancelReason reason) {
  for (const auto& request : all()) request->cancel(reason);
}

size_t PendingRequests::size() const {
  std::lock_guard lock(mutex_);
  return open_.size();
}

std::vector<std::shared_ptr<PendingRequest>> PendingRequests::all() const {
  std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<PendingRequest>> out;
  out.reserve(open_.size());
  for (const auto& [id, request] : open_) out.push_back(request);
  return out;
}

}  // namespace heddle::lsp
