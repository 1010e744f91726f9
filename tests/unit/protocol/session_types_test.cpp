// Round trips of the life cycle's, the window's and the workspace's structs.
#include "protocol/lifecycle.h"
#include "protocol/progress.h"
#include "protocol/window.h"
#include "protocol/workspace.h"
#include "tests/unit/protocol/round_trip.h"

namespace heddle::lsp {
namespace {

TEST(ClientCapabilitiesTest, EveryFlagHasItsOwnPlace) {
  using C = ClientCapabilities;
  bool C::*const flags[] = {&C::hoverMarkdown,
                            &C::relatedInformation,
                            &C::diagnosticVersion,
                            &C::diagnosticTags,
                            &C::codeDescription,
                            &C::diagnosticData,
                            &C::codeActionLiterals,
                            &C::codeActionResolveEdit,
                            &C::codeActionData,
                            &C::codeActionDisabled,
                            &C::codeActionIsPreferred,
                            &C::workDoneProgress,
                            &C::showDocument,
                            &C::applyEdit,
                            &C::documentChanges,
                            &C::changeAnnotations,
                            &C::configuration,
                            &C::workspaceFolders,
                            &C::codeLensRefresh,
                            &C::didChangeWatchedFilesDynamic,
                            &C::didChangeConfigurationDynamic};
  C all;
  for (bool C::*flag : flags) {
    C one;
    one.*flag = true;
    all.*flag = true;
    EXPECT_NE(writeValue(one), json::object());
    EXPECT_TRUE(mustDecode<C>(writeValue(one)) == one) << writeValue(one).dump();
  }
  EXPECT_TRUE(mustDecode<C>(writeValue(all)) == all) << writeValue(all).dump();
  expectRoundTrip(C(), "{}");
}

TEST(ClientCapabilitiesTest, ReadsWhatAClientSends) {
  const auto caps = mustDecode<ClientCapabilities>(J(R"({
    "general": {"positionEncodings": ["utf-8", "utf-7", "utf-16", 3]},
    "textDocument": {
      "hover": {"dynamicRegistration": true, "contentFormat": ["plaintext", "markdown"]},
      "publishDiagnostics": {"relatedInformation": true, "tagSupport": {"valueSet": [1]}, "versionSupport": false},
      "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
                     "resolveSupport": {"properties": ["edit"]}}},
    "window": {"workDoneProgress": true},
    "workspace": {"workspaceEdit": {"documentChanges": true}, "workspaceFolders": true}})"));
  EXPECT_EQ(caps.positionEncodings, (std::vector{PositionEncodingKind::Utf8, PositionEncodingKind::Utf16}));
  EXPECT_TRUE(caps.hoverMarkdown && caps.relatedInformation && caps.diagnosticTags &&
              caps.codeActionLiterals);
  EXPECT_TRUE(caps.codeActionResolveEdit && caps.workDoneProgress && caps.documentChanges &&
              caps.workspaceFolders);
  EXPECT_FALSE(caps.diagnosticVersion || caps.changeAnnotations || caps.applyEdit || caps.configuration);
}

TEST(ClientCapabilitiesTest, OddShapesReadAsCannot) {
  for (const char* text :
       {"null", "3", "[]", "[1]", R"({"window":true,"textDocument":[],"general":"x"})",
        R"({"window":{"workDoneProgress":"yes"},"textDocument":{"hover":{"contentFormat":"markdown"}}})",
        R"({"general":{"positionEncodings":{}}})"}) {
    EXPECT_TRUE(mustDecode<ClientCapabilities>(J(text)) == ClientCapabilities()) << text;
  }
}

TEST(Lifecycle, InitializeParams) {
  InitializeParams p;
  expectRoundTrip(p, R"({"processId":null,"rootUri":null,"capabilities":{}})");
  p.processId = 42;
  p.clientInfo = ProgramInfo{"nvim", "0.7"};
  p.locale = "en";
  p.rootPath = "/w";
  p.rootUri = "file:///w";
  p.initializationOptions = J(R"({"budget":10})");
  p.capabilities.workDoneProgress = true;
  p.capabilities.positionEncodings = {PositionEncodingKind::Utf32};
  p.trace = TraceValue::Messages;
  p.workspaceFolders.emplace().push_back({"file:///w", "w"});
  p.workDoneToken = ProgressToken{"t"};
  const std::string text = R"({"processId":42,"clientInfo":{"name":"nvim","version":"0.7"},"locale":"en",)"
                           R"("rootPath":"/w","rootUri":"file:///w","initializationOptions":{"budget":10},)"
                           R"("capabilities":{"window":{"workDoneProgress":true},)"
                           R"("general":{"positionEncodings":["utf-32"]}},"trace":"messages",)"
                           R"("workspaceFolders":[{"uri":"file:///w","name":"w"}],"workDoneToken":"t"})";
  expectRoundTrip(p, text);
  expectOptional<InitializeParams>(text, {"clientInfo", "locale", "rootPath", "initializationOptions",
                                          "trace", "workspaceFolders", "workDoneToken"});
  EXPECT_TRUE(mustDecode<InitializeParams>(J("{}")) == InitializeParams());
}

TEST(Lifecycle, InitializeResult) {
  InitializeResult r;
  expectRoundTrip(r, R"({"capabilities":{}})");
  ServerCapabilities& c = r.capabilities;
  c.positionEncoding = PositionEncodingKind::Utf8;
  c.textDocumentSync = TextDocumentSyncOptions{true, TextDocumentSyncKind::Incremental, SaveOptions{false}};
  c.hoverProvider = true;
  c.codeActionProvider = CodeActionOptions{{{"quickfix"}}, true};
  c.codeLensProvider = CodeLensOptions{false};
  c.executeCommandProvider = ExecuteCommandOptions{{"heddle.stop"}};
  c.workspace = WorkspaceServerCapabilities{WorkspaceFoldersServerCapabilities{true, true}};
  c.experimental = 1;
  c.views = {{"inlayHintProvider", true}};
  r.serverInfo = ProgramInfo{"heddle", std::nullopt};
  expectRoundTrip(
      r,
      R"({"capabilities":{"positionEncoding":"utf-8",)"
      R"("textDocumentSync":{"openClose":true,"change":2,"save":{"includeText":false}},)"
      R"("hoverProvider":true,"codeActionProvider":{"codeActionKinds":["quickfix"],"resolveProvider":true},)"
      R"("codeLensProvider":{"resolveProvider":false},"executeCommandProvider":{"commands":["heddle.stop"]},)"
      R"("workspace":{"workspaceFolders":{"supported":true,"changeNotifications":true}},"experimental":1,)"
      R"("inlayHintProvider":true},"serverInfo":{"name":"heddle"}})");
}

TEST(Lifecycle, TraceAndCancel) {
  expectRoundTrip(SetTraceParams{TraceValue::Verbose}, R"({"value":"verbose"})");
  expectRoundTrip(SetTraceParams{TraceValue::Off}, R"({"value":"off"})");
  EXPECT_EQ(mustDecode<SetTraceParams>(J(R"({"value":"compact"})")).value, TraceValue::Off);
  expectRoundTrip(LogTraceParams{"m", "v"}, R"({"message":"m","verbose":"v"})");
  expectRoundTrip(CancelParams{RequestId{int64_t{9}}}, R"({"id":9})");
  expectRoundTrip(CancelParams{RequestId{"nine"}}, R"({"id":"nine"})");
  EXPECT_NE(decodeFailure<CancelParams>(J(R"({"id":null})")), "(decoded)");
}

TEST(Progress, Kinds) {
  expectRoundTrip(
      ProgressParams{{"t"}, WorkDoneProgressBegin{"Exploring", true, "m", 5}},
      R"({"token":"t","value":{"kind":"begin","title":"Exploring","cancellable":true,"message":"m","percentage":5}})");
  expectRoundTrip(ProgressParams{{int64_t{1}}, WorkDoneProgressReport{std::nullopt, "m", std::nullopt}},
                  R"({"token":1,"value":{"kind":"report","message":"m"}})");
  expectRoundTrip(ProgressParams{{"t"}, WorkDoneProgressReport{false, std::nullopt, 100}},
                  R"({"token":"t","value":{"kind":"report","cancellable":false,"percentage":100}})");
  expectRoundTrip(ProgressParams{{"t"}, WorkDoneProgressEnd{}}, R"({"token":"t","value":{"kind":"end"}})");
  EXPECT_NE(decodeFailure<ProgressParams>(J(R"({"token":1,"value":{"kind":"middle"}})")), "(decoded)");
  EXPECT_NE(decodeFailure<ProgressParams>(J(R"({"token":1,"value":3})")), "(decoded)");
  expectRoundTrip(WorkDoneProgressCreateParams{{"t"}}, R"({"token":"t"})");
  expectRoundTrip(WorkDoneProgressCancelParams{{int64_t{2}}}, R"({"token":2})");
}

TEST(Window, Messages) {
  expectRoundTrip(ShowMessageParams{MessageType::Warning, "m"}, R"({"type":2,"message":"m"})");
  expectRoundTrip(LogMessageParams{MessageType::Log, "m"}, R"({"type":4,"message":"m"})");
  const std::string request = R"({"type":1,"message":"m","actions":[{"title":"a"}]})";
  expectRoundTrip(ShowMessageRequestParams{MessageType::Error, "m", {{{"a"}}}}, request);
  expectOptional<ShowMessageRequestParams>(request, {"actions"});
  const std::string show =
      R"({"uri":"u","external":false,"takeFocus":true,)"
      R"("selection":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}})";
  expectRoundTrip(ShowDocumentParams{"u", false, true, Range{{0, 0}, {0, 1}}}, show);
  expectOptional<ShowDocumentParams>(show, {"external", "takeFocus", "selection"});
  expectRoundTrip(ShowDocumentResult{true}, R"({"success":true})");
}

TEST(Workspace, Configuration) {
  expectRoundTrip(DidChangeConfigurationParams{J(R"({"heddle":{}})")}, R"({"settings":{"heddle":{}}})");
  EXPECT_TRUE(mustDecode<DidChangeConfigurationParams>(J(R"({"settings":null})")).settings.is_null());
  expectRoundTrip(ConfigurationParams{{{"u", "heddle"}, {std::nullopt, std::nullopt}}},
                  R"({"items":[{"scopeUri":"u","section":"heddle"},{}]})");
}

TEST(Workspace, WatchedFilesAndRegistration) {
  expectRoundTrip(DidChangeWatchedFilesParams{{{"u", FileChangeType::Deleted}}},
                  R"({"changes":[{"uri":"u","type":3}]})");
  const json options = writeValue(
      DidChangeWatchedFilesRegistrationOptions{{{"**/compile_commands.json", 7}, {"*", std::nullopt}}});
  EXPECT_EQ(options,
            J(R"({"watchers":[{"globPattern":"**/compile_commands.json","kind":7},{"globPattern":"*"}]})"));
  EXPECT_EQ(mustDecode<DidChangeWatchedFilesRegistrationOptions>(options).watchers.size(), 2u);
  expectRoundTrip(
      RegistrationParams{{{"1", "workspace/didChangeWatchedFiles", json{{"watchers", json::array()}}}}},
      R"({"registrations":[{"id":"1","method":"workspace/didChangeWatchedFiles",)"
      R"("registerOptions":{"watchers":[]}}]})");
  expectRoundTrip(UnregistrationParams{{{"1", "m"}}}, R"({"unregisterations":[{"id":"1","method":"m"}]})");
}

TEST(Workspace, FoldersEditsCommands) {
  expectRoundTrip(DidChangeWorkspaceFoldersParams{{{{"a", "A"}}, {{"b", "B"}}}},
                  R"({"event":{"added":[{"uri":"a","name":"A"}],"removed":[{"uri":"b","name":"B"}]}})");
  expectRoundTrip(ApplyWorkspaceEditParams{"l", {}}, R"({"label":"l","edit":{}})");
  const std::string result = R"({"applied":false,"failureReason":"r","failedChange":2})";
  expectRoundTrip(ApplyWorkspaceEditResult{false, "r", 2}, result);
  expectOptional<ApplyWorkspaceEditResult>(result, {"failureReason", "failedChange"});
  expectRoundTrip(ExecuteCommandParams{"c", std::vector<json>{1}}, R"({"command":"c","arguments":[1]})");
}

}  // namespace
}  // namespace heddle::lsp
