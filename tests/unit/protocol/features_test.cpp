// Round trips of the feature structs.
#include "protocol/code_action.h"
#include "protocol/code_lens.h"
#include "protocol/diagnostics.h"
#include "protocol/hover.h"
#include "protocol/text_sync.h"
#include "tests/unit/protocol/round_trip.h"

namespace heddle::lsp {
namespace {

const Range someRange{{1, 2}, {3, 4}};
const std::string rangeText = R"({"start":{"line":1,"character":2},"end":{"line":3,"character":4}})";

TEST(TextSync, Open) {
  const std::string text = R"({"textDocument":{"uri":"u","languageId":"c","version":1,"text":"t"}})";
  expectRoundTrip(DidOpenTextDocumentParams{{"u", "c", 1, "t"}}, text);
  expectRequired<DidOpenTextDocumentParams>(text, {"textDocument"});
}

TEST(TextSync, ChangeIncrementalAndFull) {
  const std::string text = R"({"textDocument":{"uri":"u","version":2},"contentChanges":[{"text":"all"},)"
                           R"({"text":"part","rangeLength":9,"range":)" +
                           rangeText + "}]}";
  expectRoundTrip(
      DidChangeTextDocumentParams{{"u", 2}, {{std::nullopt, std::nullopt, "all"}, {someRange, 9, "part"}}},
      text);
  expectRequired<DidChangeTextDocumentParams>(text, {"textDocument", "contentChanges"});
  expectOptional<TextDocumentContentChangeEvent>(R"({"text":"x","rangeLength":1,"range":)" + rangeText + "}",
                                                 {"range", "rangeLength"});
}

TEST(TextSync, SaveAndClose) {
  expectRoundTrip(DidSaveTextDocumentParams{{"u"}, "t"}, R"({"textDocument":{"uri":"u"},"text":"t"})");
  expectOptional<DidSaveTextDocumentParams>(R"({"textDocument":{"uri":"u"},"text":"t"})", {"text"});
  expectRoundTrip(DidCloseTextDocumentParams{{"u"}}, R"({"textDocument":{"uri":"u"}})");
}

TEST(Diagnostics, Full) {
  Diagnostic d;
  d.range = someRange;
  d.severity = DiagnosticSeverity::Error;
  d.code = DiagnosticCode{"heddle-race"};
  d.codeDescription = CodeDescription{"https://example.org/race"};
  d.source = "heddle";
  d.message = "data race on 'x'";
  d.tags = {DiagnosticTag::Unnecessary, DiagnosticTag::Deprecated};
  d.relatedInformation.emplace().push_back({{"file:///a.c", someRange}, "the write"});
  d.data = J(R"({"id":"f1","version":3})");
  const std::string text =
      R"({"range":)" + rangeText +
      R"(,"severity":1,"code":"heddle-race","source":"heddle","message":"data race on 'x'",)"
      R"("codeDescription":{"href":"https://example.org/race"},"tags":[1,2],)"
      R"("relatedInformation":[{"location":{"uri":"file:///a.c","range":)" +
      rangeText + R"(},"message":"the write"}],"data":{"id":"f1","version":3}})";
  expectRoundTrip(d, text);
  expectRequired<Diagnostic>(text, {"range", "message"});
  expectOptional<Diagnostic>(
      text, {"severity", "code", "codeDescription", "source", "tags", "relatedInformation", "data"});

  expectRoundTrip(PublishDiagnosticsParams{"u", 5, {d}},
                  R"({"uri":"u","version":5,"diagnostics":[)" + text + "]}");
  expectRoundTrip(PublishDiagnosticsParams{"u", std::nullopt, {}}, R"({"uri":"u","diagnostics":[]})");
}

TEST(Diagnostics, NumericCodesAndEnumRange) {
  expectRoundTrip(DiagnosticCode{int64_t{-7}}, "-7");
  expectRoundTrip(DiagnosticCode{"x"}, "\"x\"");
  EXPECT_NE(decodeFailure<DiagnosticCode>(J("[]")), "(decoded)");
  for (int severity = 1; severity <= 4; ++severity) {
    expectRoundTrip(static_cast<DiagnosticSeverity>(severity), std::to_string(severity));
  }
  for (const char* bad : {"0", "5", "-1", "\"Error\"", "1.5"}) {
    EXPECT_NE(decodeFailure<DiagnosticSeverity>(J(bad)), "(decoded)") << bad;
  }
}

TEST(Hovers, ParamsAndResult) {
  const std::string text =
      R"({"textDocument":{"uri":"u"},"position":{"line":1,"character":2},"workDoneToken":"tok"})";
  expectRoundTrip(HoverParams{{"u"}, {1, 2}, ProgressToken{"tok"}}, text);
  expectRequired<HoverParams>(text, {"textDocument", "position"});
  expectOptional<HoverParams>(text, {"workDoneToken"});
  const std::string hover = R"({"contents":{"kind":"markdown","value":"v"},"range":)" + rangeText + "}";
  expectRoundTrip(Hover{{MarkupKind::Markdown, "v"}, someRange}, hover);
  expectOptional<Hover>(hover, {"range"});
  EXPECT_EQ(writeValue(std::optional<Hover>()), json());
  EXPECT_EQ(mustDecode<std::optional<Hover>>(json()), std::nullopt);
}

TEST(CodeActions, ParamsAndResult) {
  const std::string context = R"({"diagnostics":[],"only":["quickfix"],"triggerKind":2})";
  const CodeActionContext someContext{{}, {{code_action_kind::quickFix}}, CodeActionTriggerKind::Automatic};
  expectRoundTrip(someContext, context);
  expectOptional<CodeActionContext>(context, {"only", "triggerKind"});
  expectRoundTrip(CodeActionParams{{"u"}, someRange, someContext, ProgressToken{int64_t{4}}},
                  R"({"textDocument":{"uri":"u"},"range":)" + rangeText + R"(,"workDoneToken":4,"context":)" +
                      context + "}");

  CodeAction action;
  action.title = "t";
  expectRoundTrip(action, R"({"title":"t"})");
  action.kind = code_action_kind::quickFix;
  action.diagnostics.emplace();
  action.isPreferred = true;
  action.disabled = CodeActionDisabled{"why"};
  action.edit.emplace();
  action.command = Command{"t", "c", std::nullopt};
  action.data = 3;
  const std::string text =
      R"({"title":"t","kind":"quickfix","diagnostics":[],"isPreferred":true,)"
      R"("disabled":{"reason":"why"},"edit":{},"command":{"title":"t","command":"c"},"data":3})";
  expectRoundTrip(action, text);
  expectOptional<CodeAction>(text,
                             {"kind", "diagnostics", "isPreferred", "disabled", "edit", "command", "data"});
}

TEST(CodeLenses, ParamsAndResult) {
  expectRoundTrip(CodeLensParams{{"u"}, std::nullopt}, R"({"textDocument":{"uri":"u"}})");
  const std::string text = R"({"command":{"title":"t","command":"c"},"data":[1],"range":)" + rangeText + "}";
  expectRoundTrip(CodeLens{someRange, Command{"t", "c", std::nullopt}, json::array({1})}, text);
  expectOptional<CodeLens>(text, {"command", "data"});
}

}  // namespace
}  // namespace heddle::lsp
