// The workspace's commands for memory orders that can be weaker: what the user asked for, and nothing by
// itself.
#include <utility>

#include "server/features/code_lens.h"
#include "server/features/order_lens.h"
#include "server/state/workspace.h"

namespace heddle {

using lsp::json;

void Workspace::executeOrders(const FileCommand& given, lsp::Reply<json> reply) {
  const auto& [name, argument, document, session] = given;
  const auto refuse = [&](const std::string& why) { reply.error(lsp::ErrorCode::InvalidParams, why); };
  if (name == command::kApplyOrders) {
    if (!session.orders || session.orders->map != document.map)
      return refuse("no memory orders are known for this text");
    client_.request<json>(
        "workspace/applyEdit",
        editOfOrders(*session.orders, document, style_.diagnostics.encoding, style_.documentChanges), {});
    return reply(json());
  }
  NativeDesk::Request request = nativeRequest(document, session);
  // Orders are written into this text, so they must be found in it, and not in a program that uses the file.
  if (request.textFromDisk || request.snapshot.text != document.map->text())
    return refuse("the file is explored through another text; ask for the orders there");
  request.relaxes = true;
  auto answer = std::make_shared<lsp::Reply<json>>(std::move(reply));
  native_.start(request,
                [this, answer, key = document.key, map = document.map](const NativeDesk::Outcome& outcome) {
                  if (!outcome.problem.empty())
                    return answer->error(lsp::ErrorCode::RequestFailed, "heddle: " + outcome.problem);
                  (*answer)({{"named", outcome.orders.named}, {"changed", outcome.orders.changed}});
                  const auto [latest, current] = settledKey(key);
                  if (current == nullptr || latest->map != map) return;
                  current->orders = FoundOrders{map, outcome.orders};
                  say(lsp::MessageType::Info, "heddle: " + toString(outcome.orders));
                  refreshLenses();
                });
}

}  // namespace heddle
