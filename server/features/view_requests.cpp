#include "server/features/view_requests.h"

#include <utility>

#include "server/features/inlay_hints.h"
#include "server/features/shared_data.h"

namespace heddle {

namespace {

struct ViewRequest {
  const char* method;
  const char* provider;  // the member of the capabilities that announces it
  void (*bind)(const char* method, lsp::HandlerTable& bind, const FileViewOf& viewOf);
};

template <class Params, class Result>
using ViewAnswer = Result (*)(const Params&, const FileView&);

template <class Params, class Result>
void bindAnswer(const char* method, lsp::HandlerTable& bind, const FileViewOf& viewOf,
                ViewAnswer<Params, Result> answer) {
  bind.request<Params, Result>(method, [=](const Params& params, lsp::Reply<Result> reply) {
    const std::optional<FileView> view = viewOf(params.textDocument.uri);
    reply(view ? answer(params, *view) : Result());
  });
}

template <auto answer>
void bindRow(const char* method, lsp::HandlerTable& bind, const FileViewOf& viewOf) {
  bindAnswer(method, bind, viewOf, answer);
}

constexpr ViewRequest kRequests[] = {
    {"textDocument/documentHighlight", "documentHighlightProvider", bindRow<highlightsAt>},
    {"textDocument/inlayHint", "inlayHintProvider", bindRow<inlayHintsIn>},
};

}  // namespace

void announceViewRequests(lsp::ServerCapabilities& capabilities) {
  for (const ViewRequest& request : kRequests) capabilities.views[request.provider] = true;
}

void bindViewRequests(lsp::HandlerTable& bind, const FileViewOf& viewOf) {
  for (const ViewRequest& request : kRequests) request.bind(request.method, bind, viewOf);
}

}  // namespace heddle
