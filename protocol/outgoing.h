// OutgoingCalls: requests and notifications from the server to the client, and how their answers come back.
//
// request(), notify() and cancel() from any thread. Answers run on the thread that feeds the dispatcher. A
// call that the end of the session leaves open is answered by failAll (the dispatcher calls it after `exit`).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "protocol/decode.h"
#include "protocol/outbox.h"

namespace heddle::lsp {

class OutgoingCalls {
 public:
  using RawAnswer = std::function<void(std::variant<json, ResponseError>)>;

  OutgoingCalls(std::shared_ptr<Outbox> outbox, LogSink log)
      : outbox_(std::move(outbox)), log_(std::move(log)) {}

  void notify(std::string_view method, json params);

  template <class Params>
  void notify(std::string_view method, const Params& params) {
    notify(method, writeValue(params));
  }

  /// `onAnswer` may be empty: then an error is only logged.
  RequestId requestRaw(std::string_view method, json params, RawAnswer onAnswer);

  /// A result that does not decode arrives as InvalidParams.
  template <class Result, class Params>
  RequestId request(std::string method, const Params& params, std::function<void(Decoded<Result>)> onAnswer) {
    return requestRaw(method, writeValue(params),
                      [method, onAnswer = std::move(onAnswer)](std::variant<json, ResponseError> outcome) {
                        if (!onAnswer) return;
                        if (auto* error = std::get_if<ResponseError>(&outcome))
                          return onAnswer(std::move(*error));
                        onAnswer(decode<Result>(std::get<json>(outcome), method));
                      });
  }

  /// Sends $/cancelRequest if the call is still open; its answer arrives as usual.
  void cancel(const RequestId& id);

  /// For the dispatcher: a response of the client. One that answers nothing is logged.
  void route(ResponseMessage response);
  void failAll(const ResponseError& error);
  size_t open() const;

 private:
  struct Call {
    std::string method;
    RawAnswer onAnswer;
  };

  void finish(Call call, std::variant<json, ResponseError> outcome);

  std::shared_ptr<Outbox> outbox_;
  LogSink log_;
  mutable std::mutex mutex_;  // guards nextId_ and calls_; never held while a callback or a send runs
  int64_t nextId_ = 1;
  std::map<RequestId, Call> calls_;
};

}  // namespace heddle::lsp
