#include "protocol/decode.h"

#include "protocol/hover.h"
#include "protocol/text_sync.h"
#include "tests/unit/protocol/round_trip.h"

namespace heddle::lsp {
namespace {

TEST(Decode, NamesTheMethodAndThePlace) {
  const auto decoded = decode<HoverParams>(
      J(R"({"textDocument":{"uri":"u"},"position":{"line":"x","character":0}})"), "textDocument/hover");
  ASSERT_EQ(decoded.index(), 1u);
  EXPECT_EQ(std::get<1>(decoded).code, ErrorCode::InvalidParams);
  EXPECT_EQ(std::get<1>(decoded).message,
            "failed to decode textDocument/hover: (/position/line) type must be integer, but is string");
}

TEST(Decode, NamesThePlaceWithinArrays) {
  const std::string message = decodeFailure<DidChangeTextDocumentParams>(
      J(R"({"textDocument":{"uri":"u","version":1},"contentChanges":[{"text":"a"},{"text":3}]})"));
  EXPECT_NE(message.find("(/contentChanges/1/text)"), std::string::npos) << message;
}

TEST(Decode, MissingMember) {
  const std::string message = decodeFailure<HoverParams>(J(R"({"textDocument":{},"position":{}})"));
  EXPECT_NE(message.find("(/textDocument) key 'uri' not found"), std::string::npos) << message;
}

TEST(Decode, ParamsOfAnyOtherShapeAreErrors) {
  for (const char* text : {"null", "3", "\"x\"", "[1]", "true", "1.5"}) {
    EXPECT_NE(decodeFailure<HoverParams>(J(text)), "(decoded)") << text;
    EXPECT_NE(decodeFailure<DidOpenTextDocumentParams>(J(text)), "(decoded)") << text;
  }
}

TEST(Decode, Integers) {
  const auto line = [](const std::string& number) {
    return decode<Position>(J(R"({"character":0,"line":)" + number + "}"), "m");
  };
  EXPECT_EQ(std::get<0>(line("4294967295")).line, 4294967295u);
  EXPECT_EQ(std::get<0>(line("3.0")).line, 3u);  // Lua has one number type
  for (const char* bad : {"-1", "4294967296", "1.5", "1e300", "18446744073709551615", "true", "null"}) {
    EXPECT_EQ(line(bad).index(), 1u) << bad;
  }
  const auto version = [](const std::string& number) {
    return decode<VersionedTextDocumentIdentifier>(J(R"({"uri":"","version":)" + number + "}"), "m");
  };
  EXPECT_EQ(std::get<0>(version("-2147483648")).version, INT32_MIN);
  EXPECT_EQ(version("2147483648").index(), 1u);
}

TEST(Decode, EmptyArrayReadsAsEmptyObject) {
  struct Case {
    static std::string of(const char* text) { return decodeFailure<WorkspaceEdit>(J(text)); }
  };
  EXPECT_EQ(Case::of("[]"), "(decoded)");
  EXPECT_EQ(Case::of(R"({"changes":[]})"), "(decoded)");
  EXPECT_NE(Case::of(R"({"changes":[1]})"), "(decoded)");
  EXPECT_NE(Case::of("[{}]"), "(decoded)");
}

TEST(Decode, NoParamsTakesAnything) {
  for (const char* text : {"null", "{}", "[]", "7"}) EXPECT_EQ(decodeFailure<NoParams>(J(text)), "(decoded)");
}

TEST(Json, ParsesLikeTheLibrary) {
  for (const char* text :
       {"null", "true", "-1", "18446744073709551615", "1.5e3", R"("a\u00e9\n")", "[]", "{}", "[1,[2,[3]],{}]",
        R"({"a":{"b":[{"c":1},{"d":[[]]}]},"e":null})", R"({"a":1,"a":[2]})", " [ 1 , 2 ] "}) {
    const auto parsed = parseJson(text);
    ASSERT_EQ(parsed.index(), 0u) << text;
    EXPECT_EQ(std::get<0>(parsed), json::parse(text)) << text;
  }
}

TEST(Json, MalformedTextIsAValue) {
  for (const char* text :
       {"", " ", "{", "[1,", "{\"a\"}", "[1]x", "nul", "\"\\x\"", "\"\xff\"", "1e999", "{1:2}"}) {
    const auto parsed = parseJson(text);
    ASSERT_EQ(parsed.index(), 1u) << text;
    EXPECT_FALSE(std::get<1>(parsed).message.empty());
  }
}

TEST(Json, DepthIsLimited) {
  const auto nested = [](size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(parseJson(nested(maxJsonDepth)).index(), 0u);
  EXPECT_EQ(parseJson(nested(maxJsonDepth + 1)).index(), 1u);
  EXPECT_EQ(parseJson(std::string(5'000'000, '[')).index(), 1u);
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_EQ(parseJson(objects).index(), 1u);
}

TEST(Json, ParentsAreKeptWhileArraysGrow) {
  std::string text = "[";
  for (int i = 0; i < 1000; ++i)
    text += R"({"start":{"line":1,"character":2},"end":{"line":1,"character":2}},)";
  text += R"({"start":{"line":"x"}}])";
  const auto parsed = parseJson(text);
  ASSERT_EQ(parsed.index(), 0u);
  EXPECT_NE(decodeFailure<std::vector<Range>>(std::get<0>(parsed)).find("(/1000/start"), std::string::npos)
      << decodeFailure<std::vector<Range>>(std::get<0>(parsed));
}

TEST(Json, PrintsBytesThatAreNotUtf8) {
  EXPECT_EQ(printJson(json("a\xff"
                           "b")),
            "\"a\xEF\xBF\xBD"
            "b\"");
  EXPECT_EQ(parseJson(printJson(json("\xc3"))).index(), 0u);
}

}  // namespace
}  // namespace heddle::lsp
