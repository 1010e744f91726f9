// HandlerTable: method names to handlers, typed at registration, raw inside. Filled once, before the
// dispatcher gets it.
//
//   bind.request("textDocument/hover", this, &Server::onHover);
//     void onHover(const HoverParams&, Reply<optional<Hover>>)
//   bind.notify("textDocument/didOpen", this, &Server::onOpen);
//     void onOpen(const DidOpenTextDocumentParams&)
//   bind.request<NoParams, std::nullptr_t>(
//       "x/y", [](const NoParams&, Reply<std::nullptr_t> reply) { reply(nullptr); });
//
// Handlers run on the dispatching thread. Parameters that do not decode never reach them: the request is
// answered with InvalidParams, the notification is logged. A bound object must outlive the dispatcher.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "protocol/decode.h"
#include "protocol/reply.h"

namespace heddle::lsp {

class HandlerTable {
 public:
  using RawRequest = std::function<void(const json& params, ReplyOnce reply)>;
  /// The error is for the log.
  using RawNotification = std::function<std::optional<ResponseError>(const json& params)>;

  template <class Params, class Result>
  void request(const std::string& method,
               std::type_identity_t<std::function<void(const Params&, Reply<Result>)>> handler) {
    requestRaw(method, [method, handler = std::move(handler)](const json& params, ReplyOnce reply) {
      Decoded<Params> decoded = decode<Params>(params, method);
      if (auto* error = std::get_if<ResponseError>(&decoded)) return reply.error(std::move(*error));
      handler(std::get<Params>(decoded), Reply<Result>(std::move(reply)));
    });
  }

  template <class Object, class Params, class Result>
  void request(const std::string& method, Object* object,
               void (Object::*handler)(const Params&, Reply<Result>)) {
    request<Params, Result>(method, [object, handler](const Params& params, Reply<Result> reply) {
      (object->*handler)(params, std::move(reply));
    });
  }

  template <class Params>
  void notify(const std::string& method, std::type_identity_t<std::function<void(const Params&)>> handler) {
    notifyRaw(method,
              [method, handler = std::move(handler)](const json& params) -> std::optional<ResponseError> {
                Decoded<Params> decoded = decode<Params>(params, method);
                if (auto* error = std::get_if<ResponseError>(&decoded)) return std::move(*error);
                handler(std::get<Params>(decoded));
                return std::nullopt;
              });
  }

  template <class Object, class Params>
  void notify(const std::string& method, Object* object, void (Object::*handler)(const Params&)) {
    notify<Params>(method, [object, handler](const Params& params) { (object->*handler)(params); });
  }

  void requestRaw(const std::string& method, RawRequest handler) { requests_[method] = std::move(handler); }
  void notifyRaw(const std::string& method, RawNotification handler) {
    notifications_[method] = std::move(handler);
  }

  /// Null when there is none.
  const RawRequest* findRequest(const std::string& method) const;
  const RawNotification* findNotification(const std::string& method) const;

 private:
  std::map<std::string, RawRequest> requests_;
  std::map<std::string, RawNotification> notifications_;
};

}  // namespace heddle::lsp
