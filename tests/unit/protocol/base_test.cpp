#include "protocol/base.h"

#include "tests/unit/protocol/round_trip.h"

namespace heddle::lsp {
namespace {

const Range rangeOfBase{{1, 2}, {3, 4}};
const std::string someRangeText = R"({"start":{"line":1,"character":2},"end":{"line":3,"character":4}})";

TEST(Base, PositionsAndLocations) {
  expectRoundTrip(Position{1, 2}, R"({"line":1,"character":2})");
  expectRequired<Position>(R"({"line":1,"character":2})", {"line", "character"});
  expectRoundTrip(rangeOfBase, someRangeText);
  expectRequired<Range>(someRangeText, {"start", "end"});
  expectRoundTrip(Location{"file:///a.c", rangeOfBase},
                  R"({"uri":"file:///a.c","range":)" + someRangeText + "}");
}

TEST(Base, DocumentIdentifiers) {
  expectRoundTrip(TextDocumentIdentifier{"file:///a.c"}, R"({"uri":"file:///a.c"})");
  expectRoundTrip(VersionedTextDocumentIdentifier{"file:///a.c", -3},
                  R"({"uri":"file:///a.c","version":-3})");
  expectRoundTrip(TextDocumentItem{"file:///a.c", "c", 7, "int x;\n"},
                  R"({"uri":"file:///a.c","languageId":"c","version":7,"text":"int x;\n"})");
  expectRequired<TextDocumentItem>(R"({"uri":"u","languageId":"c","version":7,"text":""})",
                                   {"uri", "languageId", "version", "text"});
  expectRoundTrip(TextDocumentPositionParams{{"file:///a.c"}, {5, 6}},
                  R"({"textDocument":{"uri":"file:///a.c"},"position":{"line":5,"character":6}})");
}

TEST(Base, OptionalVersionIsWrittenAsNull) {
  expectRoundTrip(OptionalVersionedTextDocumentIdentifier{"u", 4}, R"({"uri":"u","version":4})");
  expectRoundTrip(OptionalVersionedTextDocumentIdentifier{"u", std::nullopt},
                  R"({"uri":"u","version":null})");
  EXPECT_EQ(mustDecode<OptionalVersionedTextDocumentIdentifier>(J(R"({"uri":"u"})")).version, std::nullopt);
}

TEST(Base, Edits) {
  expectRoundTrip(TextEdit{rangeOfBase, "x", std::nullopt},
                  R"({"newText":"x","range":)" + someRangeText + "}");
  expectRoundTrip(TextEdit{rangeOfBase, "x", "a1"},
                  R"({"annotationId":"a1","newText":"x","range":)" + someRangeText + "}");
  expectRoundTrip(
      TextDocumentEdit{{"u", 2}, {{rangeOfBase, "x", std::nullopt}}},
      R"({"textDocument":{"uri":"u","version":2},"edits":[{"newText":"x","range":)" + someRangeText + "}]}");
  const std::string annotation = R"({"label":"l","needsConfirmation":false,"description":"d"})";
  expectRoundTrip(ChangeAnnotation{"l", false, "d"}, annotation);
  expectOptional<ChangeAnnotation>(annotation, {"needsConfirmation", "description"});
}

TEST(Base, WorkspaceEdit) {
  WorkspaceEdit edit;
  expectRoundTrip(edit, "{}");
  edit.changes = {{"file:///a.c", {{rangeOfBase, "x", std::nullopt}}}, {"file:///b.c", {}}};
  edit.documentChanges = std::vector<TextDocumentEdit>{TextDocumentEdit{{"u", std::nullopt}, {}}};
  edit.changeAnnotations = {{"a1", {"l", std::nullopt, std::nullopt}}};
  const std::string text = R"({"changes":{"file:///a.c":[{"newText":"x","range":)" + someRangeText +
                           R"(}],"file:///b.c":[]},)"
                           R"("documentChanges":[{"textDocument":{"uri":"u","version":null},"edits":[]}],)"
                           R"("changeAnnotations":{"a1":{"label":"l"}}})";
  expectRoundTrip(edit, text);
  expectOptional<WorkspaceEdit>(text, {"changes", "documentChanges", "changeAnnotations"});
}

TEST(Base, CommandMarkupFolder) {
  expectRoundTrip(Command{"t", "c", std::vector<json>{1, "two", J(R"({"three":null})")}},
                  R"({"title":"t","command":"c","arguments":[1,"two",{"three":null}]})");
  expectOptional<Command>(R"({"title":"t","command":"c","arguments":[]})", {"arguments"});
  expectRoundTrip(MarkupContent{MarkupKind::Markdown, "*x*"}, R"({"kind":"markdown","value":"*x*"})");
  expectRoundTrip(MarkupContent{MarkupKind::PlainText, "x"}, R"({"kind":"plaintext","value":"x"})");
  EXPECT_NE(decodeFailure<MarkupContent>(J(R"({"kind":"html","value":"x"})")).find("(/kind)"),
            std::string::npos);
  expectRoundTrip(WorkspaceFolder{"file:///w", "w"}, R"({"uri":"file:///w","name":"w"})");
}

}  // namespace
}  // namespace heddle::lsp
