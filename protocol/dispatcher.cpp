#include "protocol/dispatcher.h"

#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include "protocol/lifecycle.h"

namespace heddle::lsp {
namespace {

/// The answers of one batch, from any thread, sent together when the last is there.
class BatchAnswers {
 public:
  BatchAnswers(size_t expected, std::shared_ptr<Outbox> outbox)
      : missing_(expected), outbox_(std::move(outbox)) {}

  void add(json response) {
    json complete;
    {
      std::lock_guard lock(mutex_);
      answers_.push_back(std::move(response));
      if (--missing_ > 0) return;
      complete = std::move(answers_);
    }
    outbox_->send(std::move(complete));
  }

 private:
  std::mutex mutex_;  // guards missing_ and answers_
  size_t missing_;
  json answers_ = json::array();
  std::shared_ptr<Outbox> outbox_;
};

bool wantsAnswer(const Message& message) {
  return std::holds_alternative<RequestMessage>(message) || std::holds_alternative<InvalidMessage>(message);
}

std::string documentUriOf(const json& params) {
  const json& uri = valueAt(params, "textDocument/uri");
  return uri.is_string() ? uri.get<std::string>() : std::string();
}

/// Runs `call`; what it throws comes back as the error to answer or to log.
template <class Call>
std::optional<ResponseError> guarded(const std::string& method, Call&& call) {
  try {
    call();
    return std::nullopt;
  } catch (const std::exception& e) {
    return ResponseError{ErrorCode::InternalError, method + " failed: " + e.what(), {}};
  } catch (...) {
    return ResponseError{ErrorCode::InternalError, method + " failed", {}};
  }
}

}  // namespace

Dispatcher::Dispatcher(HandlerTable handlers, Send send, LogSink log)
    : handlers_(std::move(handlers)),
      log_(std::move(log)),
      outbox_(std::make_shared<Outbox>(std::move(send))),
      pending_(std::make_shared<PendingRequests>()),
      shared_(std::make_shared<Shared>()),
      outgoing_(outbox_, log_) {
  if (!handlers_.findRequest("shutdown")) {
    handlers_.request<NoParams, std::nullptr_t>(
        "shutdown", [](const NoParams&, Reply<std::nullptr_t> reply) { reply(nullptr); });
  }
}

Dispatcher::~Dispatcher() {
  outbox_->close();
}

void Dispatcher::handleText(std::string_view body) {
  std::variant<json, JsonError> parsed = parseJson(body);
  if (auto* error = std::get_if<JsonError>(&parsed)) {
    log(LogLevel::Error, "invalid JSON from the client: " + error->message);
    outbox_->send(makeError(std::nullopt, {ErrorCode::ParseError, "invalid JSON: " + error->message, {}}));
    return;
  }
  handle(std::move(std::get<json>(parsed)));
}

void Dispatcher::handle(json message) {
  if (message.is_array()) return handleBatch(message);
  handleOne(sortMessage(std::move(message)),
            [outbox = outbox_](json response) { outbox->send(std::move(response)); });
}

void Dispatcher::handleBatch(json& batch) {
  if (batch.empty()) {
    outbox_->send(makeError(std::nullopt, {ErrorCode::InvalidRequest, "empty batch", {}}));
    return;
  }
  std::vector<Message> messages;
  messages.reserve(batch.size());
  size_t expected = 0;
  for (json& element : batch) {
    messages.push_back(sortMessage(std::move(element)));
    expected += wantsAnswer(messages.back()) ? 1 : 0;
  }
  auto answers = std::make_shared<BatchAnswers>(expected, outbox_);
  for (Message& message : messages) {
    handleOne(std::move(message), [answers](json response) { answers->add(std::move(response)); });
  }
}

void Dispatcher::handleOne(Message message, const Respond& respond) {
  if (auto* request = std::get_if<RequestMessage>(&message)) {
    onRequest(std::move(*request), respond);
  } else if (auto* notification = std::get_if<NotificationMessage>(&message)) {
    onNotification(std::move(*notification));
  } else if (auto* response = std::get_if<ResponseMessage>(&message)) {
    const auto thrown = guarded("a response handler", [&] { outgoing_.route(std::move(*response)); });
    if (thrown) log(LogLevel::Error, thrown->message);
  } else {
    const auto& invalid = std::get<InvalidMessage>(message);
    log(LogLevel::Error, "invalid message from the client: " + invalid.reason);
    respond(makeError(invalid.id, {ErrorCode::InvalidRequest, invalid.reason, {}}));
  }
}

/// What the life cycle has against this request.
std::optional<ResponseError> Dispatcher::refusal(const RequestMessage& request) const {
  const bool initialize = request.method == "initialize";
  switch (shared_->state.load()) {
    case State::New:
      if (initialize) return std::nullopt;
      return ResponseError{ErrorCode::ServerNotInitialized, "initialize must come first", {}};
    case State::Initializing:
      if (initialize) return ResponseError{ErrorCode::InvalidRequest, "second initialize", {}};
      return ResponseError{ErrorCode::ServerNotInitialized, "initialize is not answered yet", {}};
    case State::Running:
      if (initialize) return ResponseError{ErrorCode::InvalidRequest, "second initialize", {}};
      return std::nullopt;
    case State::ShutDown:
    case State::Exited:
      break;
  }
  return ResponseError{ErrorCode::InvalidRequest, "the server is shut down", {}};
}

void Dispatcher::onRequest(RequestMessage request, const Respond& respond) {
  if (const auto error = refusal(request)) return respond(makeError(request.id, *error));
  const HandlerTable::RawRequest* handler = handlers_.findRequest(request.method);
  if (!handler) {
    log(LogLevel::Warning, "unknown request " + request.method);
    return respond(
        makeError(request.id, {ErrorCode::MethodNotFound, "unknown method " + request.method, {}}));
  }
  runRequest(*handler, std::move(request), respond);
}

void Dispatcher::runRequest(const HandlerTable::RawRequest& handler, RequestMessage request,
                            const Respond& respond) {
  const bool initialize = request.method == "initialize";
  PendingRequest::Callbacks callbacks;
  callbacks.send = respond;
  callbacks.log = log_;
  callbacks.answered = [table = std::weak_ptr(pending_), shared = shared_, id = request.id,
                        initialize](bool succeeded) {
    if (auto open = table.lock()) open->remove(id);
    State initializing = State::Initializing;
    if (initialize)
      shared->state.compare_exchange_strong(initializing, succeeded ? State::Running : State::New);
  };
  auto pending = std::make_shared<PendingRequest>(request.id, request.method, documentUriOf(request.params),
                                                  std::move(callbacks));
  if (!pending_->add(pending)) {
    return respond(makeError(request.id, {ErrorCode::InvalidRequest, "a request with this id is open", {}}));
  }
  if (initialize) shared_->state = State::Initializing;
  if (request.method == "shutdown") shared_->state = State::ShutDown;

  pending->beginDispatch();
  auto thrown = guarded(request.method, [&] { handler(request.params, ReplyOnce(pending)); });
  if (thrown) log(LogLevel::Error, thrown->message);
  pending->endDispatch(std::move(thrown));
}

void Dispatcher::onNotification(NotificationMessage notification) {
  const std::string& method = notification.method;
  if (method == "$/cancelRequest") return onCancel(notification.params);

  const bool exit = method == "exit";
  const State before = shared_->state.load();
  if (exit && before != State::Exited) {
    exitCode_ = before == State::ShutDown ? 0 : 1;
    shared_->state = State::Exited;
  } else if (before != State::Running) {
    log(LogLevel::Warning, method + " ignored: the session is not initialized or shut down");
    return;
  }

  if (const HandlerTable::RawNotification* handler = handlers_.findNotification(method)) {
    std::optional<ResponseError> undecoded;
    const auto thrown = guarded(method, [&] { undecoded = (*handler)(notification.params); });
    if (thrown) log(LogLevel::Error, thrown->message);
    if (undecoded) log(LogLevel::Error, undecoded->message);
  } else if (!exit && !method.starts_with("$/")) {
    log(LogLevel::Warning, "unknown notification " + method);
  }
  if (exit) {
    const auto thrown = guarded(method, [&] {
      outgoing_.failAll({ErrorCode::ServerCancelled, "the session ended", {}});
    });
    if (thrown) log(LogLevel::Error, thrown->message);
  }
}

void Dispatcher::onCancel(const json& params) {
  const Decoded<CancelParams> decoded = decode<CancelParams>(params, "$/cancelRequest");
  if (const auto* error = std::get_if<ResponseError>(&decoded)) return log(LogLevel::Error, error->message);
  pending_->cancel(std::get<CancelParams>(decoded).id, CancelReason::Client);
}

void Dispatcher::supersede(std::string_view uri) {
  pending_->cancelDocument(uri, CancelReason::Superseded);
}

void Dispatcher::cancelAll() {
  pending_->cancelAll(CancelReason::Server);
}

void Dispatcher::log(LogLevel level, const std::string& message) const {
  if (log_) log_(level, message);
}

}  // namespace heddle::lsp
