#include "protocol/outgoing.h"

#include "protocol/lifecycle.h"

namespace heddle::lsp {

void OutgoingCalls::notify(std::string_view method, json params) {
  outbox_->send(makeNotification(method, std::move(params)));
}

RequestId OutgoingCalls::requestRaw(std::string_view method, json params, RawAnswer onAnswer) {
  RequestId id;
  {
    std::lock_guard lock(mutex_);
    id.value = nextId_++;
    calls_.emplace(id, Call{std::string(method), std::move(onAnswer)});
  }
  outbox_->send(makeRequest(id, method, std::move(params)));
  return id;
}

void OutgoingCalls::cancel(const RequestId& id) {
  {
    std::lock_guard lock(mutex_);
    if (!calls_.contains(id)) return;
  }
  notify("$/cancelRequest", CancelParams{id});
}

void OutgoingCalls::route(ResponseMessage response) {
  std::optional<Call> call;
  if (response.id) {
    std::lock_guard lock(mutex_);
    if (auto it = calls_.find(*response.id); it != calls_.end()) {
      call = std::move(it->second);
      calls_.erase(it);
    }
  }
  if (call) return finish(std::move(*call), std::move(response.outcome));
  if (!log_) return;
  std::string text = "the client answered a request that is not open";
  if (response.id) text += " (" + toString(*response.id) + ")";
  if (const auto* error = std::get_if<ResponseError>(&response.outcome)) text += ": " + error->message;
  log_(LogLevel::Warning, text);
}

void OutgoingCalls::failAll(const ResponseError& error) {
  std::map<RequestId, Call> calls;
  {
    std::lock_guard lock(mutex_);
    calls.swap(calls_);
  }
  for (auto& [id, call] : calls) finish(std::move(call), error);
}

size_t OutgoingCalls::open() const {
  std::lock_guard lock(mutex_);
  return calls_.size();
}

void OutgoingCalls::finish(Call call, std::variant<json, ResponseError> outcome) {
  if (call.onAnswer) return call.onAnswer(std::move(outcome));
  if (const auto* error = std::get_if<ResponseError>(&outcome); error && log_) {
    log_(LogLevel::Warning, call.method + " failed at the client: " + error->message);
  }
}

}  // namespace heddle::lsp
