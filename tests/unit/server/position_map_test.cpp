// Position maps and incremental edits against a slow, obvious model of an editor's buffer.
#include "server/convert/position_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "client_buffer.h"
#include "server/convert/text_change.h"

namespace heddle {
namespace {

using testing::ClientBuffer;
using testing::randomPoints;

constexpr PositionEncoding kBoth[] = {PositionEncoding::Utf8, PositionEncoding::Utf16};

TEST(PositionMap, LineEndsOfAllKinds) {
  const PositionMap map("a\nb\r\nc\rd");
  ASSERT_EQ(map.lineCount(), 4u);
  EXPECT_EQ(map.line(0), "a");
  EXPECT_EQ(map.line(1), "b");
  EXPECT_EQ(map.line(2), "c");
  EXPECT_EQ(map.line(3), "d");
  EXPECT_EQ(map.line(4), "");
  EXPECT_EQ(map.offsetOf({1, 9}, PositionEncoding::Utf16), 3u) << "clamped before the CRLF";
  EXPECT_EQ(map.offsetOf({9, 0}, PositionEncoding::Utf16), 8u);
}

TEST(PositionMap, ColumnsByEncoding) {
  const PositionMap map("x\u00e9\u20ac\U0001F600y");
  EXPECT_EQ(map.positionOf(10, PositionEncoding::Utf16), (TextPosition{0, 5}));
  EXPECT_EQ(map.positionOf(10, PositionEncoding::Utf8), (TextPosition{0, 10}));
  EXPECT_EQ(map.offsetOf({0, 4}, PositionEncoding::Utf16), 6u) << "inside the surrogate pair: its start";
  EXPECT_EQ(map.offsetOf({0, 2}, PositionEncoding::Utf8), 1u) << "inside a sequence: its start";
}

TEST(PositionMap, BytesThatAreNotUtf8CountOneEach) {
  const PositionMap map("a\xff\xe2\x82z\xed\xa0\x80q");
  EXPECT_EQ(map.positionOf(map.text().size(), PositionEncoding::Utf16), (TextPosition{0, 9}));
  for (size_t i = 0; i <= map.text().size(); i++)
    EXPECT_EQ(map.offsetOf(map.positionOf(i, PositionEncoding::Utf16), PositionEncoding::Utf16), i);
}

TEST(PositionMap, PlacesAreOneBasedBytesAndClamped) {
  const PositionMap map("int x;\r\nint y;\n");
  EXPECT_EQ(map.offsetOfPlace(2, 5), 12u);
  EXPECT_EQ(map.offsetOfPlace(1, 99), 6u);
  EXPECT_EQ(map.offsetOfPlace(99, 1), map.text().size());
  EXPECT_EQ(map.offsetOfPlace(0, 0), 0u);
}

TEST(PositionMap, RoundTripOnRandomTexts) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; round++) {
    ClientBuffer client{randomPoints(random, 80)};
    const PositionMap map(client.text());
    for (PositionEncoding encoding : kBoth) {
      size_t offset = 0;
      for (size_t i = 0; i <= client.points.size(); i++) {
        const bool insideCrLf =
            i > 0 && i < client.points.size() && client.points[i] == '\n' && client.points[i - 1] == '\r';
        if (!insideCrLf) {
          const TextPosition position = map.positionOf(offset, encoding);
          ASSERT_EQ(client.index(position, encoding), i);
          ASSERT_EQ(map.offsetOf(position, encoding), offset);
        }
        if (i < client.points.size()) offset += ClientBuffer::encode(client.points[i]).size();
      }
    }
  }
}

TEST(TextChange, ThousandRandomEditsLeaveTheClientsText) {
  for (PositionEncoding encoding : kBoth) {
    std::mt19937 random(encoding == PositionEncoding::Utf8 ? 1 : 2);
    const auto number = [&](uint32_t most) {
      return std::uniform_int_distribution<uint32_t>(0, most)(random);
    };
    ClientBuffer client{randomPoints(random, 200)};
    std::string server = client.text();
    size_t longest = 0;
    for (int edit = 0; edit < 1000; edit++) {
      const std::vector<char32_t> inserted = randomPoints(random, edit % 50 == 0 ? 120 : 8);
      TextChange change;
      change.text = ClientBuffer{inserted}.text();
      // Mostly a few characters, as one types; also beyond the text, reversed, and now and then the whole
      // text.
      const TextPosition at{number(40), number(12)};
      if (number(200) != 0)
        change.range = {at, {at.line + number(1), number(3) == 0 ? number(12) : at.character}};
      if (number(60) == 0) change.range = {{number(60), number(12)}, at};
      server = applyChange(PositionMap(server), change, encoding).text;
      client.apply(change, inserted, encoding);
      ASSERT_EQ(server, client.text()) << "edit " << edit;
      longest = std::max(longest, server.size());
    }
    EXPECT_GT(longest, 200u) << "the edits must not just empty the text";
  }
}

TEST(TextChange, RangesFollowTheText) {
  const std::string before = "int abc = 1;";
  const auto at = [&](uint32_t begin, uint32_t end, const std::string& text) {
    return applyChange(PositionMap(before), {{{{0, begin}, {0, end}}}, text}, PositionEncoding::Utf8);
  };
  const ByteRange abc{4, 7};
  const auto shifted = [&](const ChangedText& changed) -> std::string {
    const auto range = shiftRange(abc, changed.change);
    return range ? changed.text.substr(range->begin, range->end - range->begin) : "gone";
  };
  EXPECT_EQ(shifted(at(0, 0, "unsigned ")), "abc");
  EXPECT_EQ(shifted(at(4, 4, "x")), "abc");
  EXPECT_EQ(shifted(at(7, 7, "x")), "abc");
  EXPECT_EQ(shifted(at(0, 4, "")), "abc");
  EXPECT_EQ(shifted(at(8, 12, "")), "abc");
  EXPECT_EQ(shifted(at(5, 6, "--")), "a--c");
  EXPECT_EQ(shifted(at(6, 9, "Z")), "ab");
  EXPECT_EQ(shifted(at(2, 5, "Z")), "bc");
  EXPECT_EQ(shifted(at(4, 7, "k")), "gone");
  EXPECT_EQ(shifted(at(0, 12, "")), "gone");
}

TEST(TextChange, RandomEditsShiftRangesThatTheyDoNotTouch) {
  std::mt19937 random(11);
  const auto number = [&](size_t most) { return std::uniform_int_distribution<size_t>(0, most)(random); };
  const std::string mark = "MARK";
  for (int round = 0; round < 500; round++) {
    std::string text = std::string(number(20), 'a') + mark + std::string(number(20), 'b');
    ByteRange range{text.find(mark), text.find(mark) + 4};
    size_t begin = number(text.size()), end = number(text.size());
    if (begin > end) std::swap(begin, end);
    const bool touches = begin < range.end && end > range.begin;
    if (touches) continue;
    const auto position = [](size_t offset) { return TextPosition{0, static_cast<uint32_t>(offset)}; };
    const ChangedText changed =
        applyChange(PositionMap(text), {{{position(begin), position(end)}}, std::string(number(5), 'c')},
                    PositionEncoding::Utf8);
    const auto shifted = shiftRange(range, changed.change);
    ASSERT_TRUE(shifted);
    EXPECT_EQ(changed.text.substr(shifted->begin, shifted->end - shifted->begin), mark);
  }
}

TEST(TextChange, FullTextsKeepRangesOutsideTheDifference) {
  const std::string before = "one two three";
  const ChangedText changed =
      applyChange(PositionMap(before), {std::nullopt, "one 2 three"}, PositionEncoding::Utf16);
  EXPECT_EQ(shiftRange({8, 13}, changed.change), (ByteRange{6, 11}));
  EXPECT_EQ(shiftRange({0, 3}, changed.change), (ByteRange{0, 3}));
  EXPECT_EQ(shiftRange({4, 7}, changed.change), std::nullopt);
}

}  // namespace
}  // namespace heddle
