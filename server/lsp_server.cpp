#include "server/lsp_server.h"

#include "server/version.h"

namespace heddle {

LspServer::LspServer(boost::asio::io_context& loop, ServerOptions options, lsp::Send send)
    : docs_(std::move(options.docs)),
      dispatcher_(handlers(), std::move(send), options.log),
      workspace_(loop, dispatcher_.client(), std::move(options.engine), options.workspace) {}

/// Everything runs on the main loop and is quick; explorations are what runs on the pool.
lsp::HandlerTable LspServer::handlers() {
  lsp::HandlerTable bind;
  bind.request("initialize", this, &LspServer::onInitialize);
  bind.request("shutdown", this, &LspServer::onShutdown);
  bind.request("textDocument/hover", this, &LspServer::onHover);

  bind.notify<lsp::NoParams>("initialized",
                             [this](const lsp::NoParams&) { workspace_.configure(initializationOptions_); });
  bind.notify<lsp::SetTraceParams>("$/setTrace", [](const lsp::SetTraceParams&) {});
  bind.notify("textDocument/didOpen", this, &LspServer::onDidOpen);
  bind.notify("textDocument/didChange", this, &LspServer::onDidChange);
  bind.notify("textDocument/didSave", this, &LspServer::onDidSave);
  bind.notify("textDocument/didClose", this, &LspServer::onDidClose);
  bind.notify("workspace/didChangeConfiguration", this, &LspServer::onConfiguration);
  bind.notify("workspace/didChangeWatchedFiles", this, &LspServer::onWatchedFiles);
  bind.notify("window/workDoneProgress/cancel", this, &LspServer::onCancelProgress);
  return bind;
}

void LspServer::shutDown() {
  workspace_.shutDown();
  dispatcher_.cancelAll();
}

void LspServer::onInitialize(const lsp::InitializeParams& params, lsp::Reply<lsp::InitializeResult> reply) {
  const lsp::ClientCapabilities& client = params.capabilities;
  ClientStyle style;
  style.diagnostics.encoding = chooseEncoding(client.positionEncodings);
  style.diagnostics.tags = client.diagnosticTags;
  style.diagnostics.relatedInformation = client.relatedInformation;
  style.diagnostics.docs = client.codeDescription ? docs_ : "";
  // Old clients neither announce `data` nor mind it.
  style.diagnostics.data = true;
  style.markdown = client.hoverMarkdown;
  style.progress = client.workDoneProgress;
  workspace_.setClient(style);
  initializationOptions_ = params.initializationOptions;

  lsp::InitializeResult result;
  result.serverInfo = lsp::ProgramInfo{"heddle", heddleVersion()};
  if (!client.positionEncodings.empty())
    result.capabilities.positionEncoding = toLsp(style.diagnostics.encoding);
  lsp::TextDocumentSyncOptions sync;
  sync.openClose = true;
  sync.change = lsp::TextDocumentSyncKind::Incremental;
  sync.save = lsp::SaveOptions{};
  result.capabilities.textDocumentSync = sync;
  result.capabilities.hoverProvider = true;
  reply(result);
}

void LspServer::onShutdown(const lsp::NoParams&, lsp::Reply<std::nullptr_t> reply) {
  workspace_.shutDown();
  reply(nullptr);
}

void LspServer::onDidOpen(const lsp::DidOpenTextDocumentParams& params) {
  workspace_.opened(params.textDocument);
}

void LspServer::onDidChange(const lsp::DidChangeTextDocumentParams& params) {
  dispatcher_.supersede(params.textDocument.uri);
  workspace_.changed(params);
}

void LspServer::onDidSave(const lsp::DidSaveTextDocumentParams& params) {
  workspace_.saved(params.textDocument.uri);
}

void LspServer::onDidClose(const lsp::DidCloseTextDocumentParams& params) {
  workspace_.closed(params.textDocument.uri);
}

void LspServer::onHover(const lsp::HoverParams& params, lsp::Reply<std::optional<lsp::Hover>> reply) {
  reply(workspace_.hover(params));
}

void LspServer::onConfiguration(const lsp::DidChangeConfigurationParams& params) {
  workspace_.configure(params.settings);
}

void LspServer::onWatchedFiles(const lsp::DidChangeWatchedFilesParams&) {
  workspace_.filesChanged();
}

void LspServer::onCancelProgress(const lsp::WorkDoneProgressCancelParams& params) {
  workspace_.cancelProgress(params.token);
}

}  // namespace heddle
