#include "server/lsp_server.h"

#include "server/features/code_lens.h"
#include "server/features/view_requests.h"
#include "server/version.h"

namespace heddle {
namespace {

/// Diagnostics are pushed unless the client asks for the other way: with both, some show everything twice.
bool wantsPull(const lsp::json& options) {
  if (!options.is_object()) return false;
  const auto own = options.find("heddle");
  const lsp::json& settings = own != options.end() && own->is_object() ? *own : options;
  return settings.value("diagnostics", lsp::json()) == "pull";
}

}  // namespace

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
  bind.request("textDocument/codeAction", this, &LspServer::onCodeAction);
  bind.request("textDocument/codeLens", this, &LspServer::onCodeLens);
  bindViewRequests(bind, [this](const lsp::DocumentUri& uri) { return workspace_.viewOf(uri); });
  bind.request("textDocument/diagnostic", this, &LspServer::onDiagnostic);
  bind.request("workspace/executeCommand", this, &LspServer::onExecuteCommand);
  bind.request("heddle/interleaving", this, &LspServer::onInterleaving);
  bind.request("codeAction/resolve", this, &LspServer::onResolveAction);

  bind.notify<lsp::NoParams>("initialized", [this](const lsp::NoParams&) {
    watchFiles();
    workspace_.configure(initializationOptions_);
  });
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
  style.heddle = lsp::heddleClientOf(client.experimental);
  style.showDocument = client.showDocument;
  style.configuration = client.configuration;
  style.documentChanges = client.documentChanges;
  style.codeLensRefresh = client.codeLensRefresh;
  watchesFiles_ = client.didChangeWatchedFilesDynamic;
  style.inlayHintRefresh = client.inlayHintRefresh;
  style.pullDiagnostics = client.diagnosticPull && wantsPull(params.initializationOptions);
  style.diagnosticRefresh = client.diagnosticRefresh;
  style.fixes = {style.diagnostics.encoding, client.codeActionResolveEdit && client.codeActionData,
                 client.codeActionDisabled,  client.codeActionIsPreferred,
                 client.documentChanges,     client.changeAnnotations};
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
  // Clients without literals could only be offered commands.
  if (client.codeActionLiterals)
    result.capabilities.codeActionProvider = lsp::CodeActionOptions{
        std::vector<std::string>{lsp::code_action_kind::quickFix, lsp::code_action_kind::refactor},
        style.fixes.resolve};
  result.capabilities.codeLensProvider = lsp::CodeLensOptions{};
  announceViewRequests(result.capabilities);
  result.capabilities.executeCommandProvider = lsp::ExecuteCommandOptions{
      {command::kVerify, command::kStop, command::kClear, command::kInterleaving, command::kHarness,
       command::kReproduce, command::kConstrain, command::kBuild, command::kRelax, command::kApplyOrders,
       command::kCover, command::kShow}};
  if (style.pullDiagnostics) result.capabilities.diagnosticProvider = lsp::DiagnosticOptions{};
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

void LspServer::onCodeAction(const lsp::CodeActionParams& params,
                             lsp::Reply<std::vector<lsp::CodeAction>> reply) {
  workspace_.codeActions(params, std::move(reply));
}

void LspServer::onResolveAction(const lsp::CodeAction& action, lsp::Reply<lsp::CodeAction> reply) {
  workspace_.resolveAction(action, std::move(reply));
}

void LspServer::onCodeLens(const lsp::CodeLensParams& params, lsp::Reply<std::vector<lsp::CodeLens>> reply) {
  reply(workspace_.codeLenses(params.textDocument));
}

void LspServer::onDiagnostic(const lsp::DocumentDiagnosticParams& params,
                             lsp::Reply<lsp::DocumentDiagnosticReport> reply) {
  reply(workspace_.diagnostics(params));
}

void LspServer::onExecuteCommand(const lsp::ExecuteCommandParams& params, lsp::Reply<lsp::json> reply) {
  if (Workspace::answersLater(params.command)) return workspace_.executeLater(params, std::move(reply));
  std::variant<lsp::json, lsp::ResponseError> outcome = workspace_.execute(params);
  if (auto* error = std::get_if<lsp::ResponseError>(&outcome)) return reply.error(std::move(*error));
  reply(std::get<lsp::json>(std::move(outcome)));
}

void LspServer::onInterleaving(const lsp::InterleavingParams& params,
                               lsp::Reply<std::optional<lsp::Interleaving>> reply) {
  reply(workspace_.interleaving(params));
}

void LspServer::onConfiguration(const lsp::DidChangeConfigurationParams& params) {
  workspace_.configure(params.settings);
}

void LspServer::onWatchedFiles(const lsp::DidChangeWatchedFilesParams& params) {
  workspace_.filesChanged(params);
}

/// What runs read beside the open files.
void LspServer::watchFiles() {
  if (!watchesFiles_) return;
  lsp::DidChangeWatchedFilesRegistrationOptions options;
  for (const char* pattern : {"**/compile_commands.json", "**/compile_flags.txt", "**/.heddle.yaml",
                              "**/.heddle-baseline", "**/*.h", "**/*.c"})
    options.watchers.push_back({pattern, std::nullopt});
  lsp::RegistrationParams params;
  params.registrations.push_back({"watched-files", "workspace/didChangeWatchedFiles", lsp::json(options)});
  dispatcher_.client().request<lsp::json>("client/registerCapability", params, {});
}

void LspServer::onCancelProgress(const lsp::WorkDoneProgressCancelParams& params) {
  workspace_.cancelProgress(params.token);
}

}  // namespace heddle
