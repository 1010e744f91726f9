// LspServer: the list of what the server answers, its capabilities and its life cycle. Bodies of messages in,
// messages out.
//
// Threading: main loop only; `send` is called on the main loop too. Destroy it before the loop's context.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/dispatcher.h"
#include "protocol/lifecycle.h"
#include "protocol/workspace.h"
#include "server/engine.h"
#include "server/state/workspace.h"

namespace heddle {

struct ServerOptions {
  Engine engine;
  WorkspaceOptions workspace;
  std::string docs;  // URI of docs/diagnostics.md; empty: diagnostics carry no link
  /// How long workers may take to stop when the session is over; then the process ends without them. 0: as
  /// long as they need.
  std::chrono::seconds exitWithin{0};
  lsp::LogSink log = [](lsp::LogLevel, const std::string&) {};
};

class LspServer {
 public:
  LspServer(boost::asio::io_context& loop, ServerOptions options, lsp::Send send);

  void handleBody(std::string_view body) { dispatcher_.handleText(body); }

  /// After `exit`.
  std::optional<int> exitCode() const { return dispatcher_.exitCode(); }

  /// The stream has ended or the session is over: stops all work.
  void shutDown();

  const DocumentStore& documents() const { return workspace_.documents(); }

 private:
  lsp::HandlerTable handlers();

  void onInitialize(const lsp::InitializeParams& params, lsp::Reply<lsp::InitializeResult> reply);
  void onShutdown(const lsp::NoParams& params, lsp::Reply<std::nullptr_t> reply);
  void onDidOpen(const lsp::DidOpenTextDocumentParams& params);
  void onDidChange(const lsp::DidChangeTextDocumentParams& params);
  void onDidSave(const lsp::DidSaveTextDocumentParams& params);
  void onDidClose(const lsp::DidCloseTextDocumentParams& params);
  void onHover(const lsp::HoverParams& params, lsp::Reply<std::optional<lsp::Hover>> reply);
  void onCodeAction(const lsp::CodeActionParams& params, lsp::Reply<std::vector<lsp::CodeAction>> reply);
  void onCodeLens(const lsp::CodeLensParams& params, lsp::Reply<std::vector<lsp::CodeLens>> reply);
  void onDiagnostic(const lsp::DocumentDiagnosticParams& params,
                    lsp::Reply<lsp::DocumentDiagnosticReport> reply);
  void onExecuteCommand(const lsp::ExecuteCommandParams& params, lsp::Reply<lsp::json> reply);
  void onInterleaving(const lsp::InterleavingParams& params,
                      lsp::Reply<std::optional<lsp::Interleaving>> reply);
  void onResolveAction(const lsp::CodeAction& action, lsp::Reply<lsp::CodeAction> reply);
  void onConfiguration(const lsp::DidChangeConfigurationParams& params);
  void onWatchedFiles(const lsp::DidChangeWatchedFilesParams& params);
  void onCancelProgress(const lsp::WorkDoneProgressCancelParams& params);

  void watchFiles();

  std::string docs_;
  bool watchesFiles_ = false;  // the client watches files when asked to
  lsp::json initializationOptions_;
  lsp::Dispatcher dispatcher_;
  Workspace workspace_;  // after the dispatcher: it speaks to the client until its end
};

}  // namespace heddle
