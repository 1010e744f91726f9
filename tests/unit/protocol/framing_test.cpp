#include "protocol/framing.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace heddle::lsp {
namespace {

using Kind = FramingError::Kind;

struct Outcome {
  std::vector<std::string> bodies;
  std::optional<Kind> error;
  bool operator==(const Outcome&) const = default;
};

void drain(FrameReader& reader, Outcome& out) {
  for (;;) {
    FrameReader::Result result = reader.next();
    if (auto* body = std::get_if<std::string>(&result)) {
      out.bodies.push_back(std::move(*body));
      continue;
    }
    if (auto* error = std::get_if<FramingError>(&result)) out.error = error->kind;
    return;
  }
}

Outcome readAll(const std::vector<std::string>& pieces, size_t cap = FrameReader::defaultMaxBody) {
  FrameReader reader(cap);
  Outcome out;
  for (const std::string& piece : pieces) {
    reader.feed(piece);
    drain(reader, out);
  }
  if (auto error = reader.finish(); error && !out.error) out.error = error->kind;
  return out;
}

std::optional<Kind> errorOf(const std::string& stream, size_t cap = 1000) {
  return readAll({stream}, cap).error;
}

const std::string threeMessages =
    frameBody("{\"a\":1}") +
    "content-type: application/vscode-jsonrpc; charset=utf-8\r\nCONTENT-LENGTH:  2 \r\n\r\n{}" +
    frameBody("") + frameBody("x\r\n\r\ny");
const Outcome threeRead{{"{\"a\":1}", "{}", "", "x\r\n\r\ny"}, std::nullopt};

TEST(Framing, Whole) {
  EXPECT_EQ(readAll({threeMessages}), threeRead);
}

TEST(Framing, SplitAtEveryByte) {
  for (size_t i = 0; i <= threeMessages.size(); ++i) {
    EXPECT_EQ(readAll({threeMessages.substr(0, i), threeMessages.substr(i)}), threeRead) << i;
  }
}

TEST(Framing, ByteByByte) {
  std::vector<std::string> bytes;
  for (char c : threeMessages) bytes.emplace_back(1, c);
  EXPECT_EQ(readAll(bytes), threeRead);
}

TEST(Framing, TruncatedAtEveryByte) {
  size_t complete = 0;
  for (size_t i = 1; i < threeMessages.size(); ++i) {
    const Outcome out = readAll({threeMessages.substr(0, i)});
    ASSERT_TRUE(!out.error || out.error == Kind::Truncated) << i;
    complete += out.error ? 0 : 1;
  }
  EXPECT_EQ(complete, 3u);  // only between messages
}

TEST(Framing, ErrorsAreFoundAndFinal) {
  EXPECT_EQ(errorOf("nonsense\r\n\r\n"), Kind::MalformedHeader);
  EXPECT_EQ(errorOf("Content Length: 2\r\n\r\n{}"), Kind::MalformedHeader);
  EXPECT_EQ(errorOf("Content-Length : 2\r\n\r\n{}"), Kind::MalformedHeader);
  EXPECT_EQ(errorOf(": 2\r\n\r\n{}"), Kind::MalformedHeader);
  EXPECT_EQ(errorOf("Content-Length: 2\rX: 1\r\n\r\n{}"), Kind::MalformedHeader);
  EXPECT_EQ(errorOf("\r\n{}"), Kind::MissingLength);
  EXPECT_EQ(errorOf("Content-Type: x\r\n\r\n{}"), Kind::MissingLength);
  for (const char* bad : {"", "-1", "+2", "2x", "0x2", "2 2", "1e1", "2.0"}) {
    EXPECT_EQ(errorOf(std::string("Content-Length: ") + bad + "\r\n\r\n{}"), Kind::MalformedLength) << bad;
  }
  for (const char* huge : {"1001", "4294967296", "18446744073709551616", "99999999999999999999999999999"}) {
    EXPECT_EQ(errorOf(std::string("Content-Length: ") + huge + "\r\n\r\n"), Kind::TooLarge) << huge;
  }
  EXPECT_EQ(errorOf("Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} "), Kind::ConflictingLength);
  EXPECT_EQ(errorOf("Content-Length: 2\r\nContent-Type: a; charset=latin-1\r\n\r\n{}"),
            Kind::UnsupportedEncoding);
  EXPECT_EQ(errorOf(std::string(FrameReader::maxHeader + 1, 'a')), Kind::HeaderTooLong);
  std::string manyLines;
  while (manyLines.size() <= FrameReader::maxHeader) manyLines += "X-Y: z\r\n";
  EXPECT_EQ(errorOf(manyLines + "Content-Length: 2\r\n\r\n{}"), Kind::HeaderTooLong);
}

TEST(Framing, Tolerated) {
  const Outcome one{{"{}"}, std::nullopt};
  EXPECT_EQ(readAll({"Content-Length: 2\n\n{}"}), one);
  EXPECT_EQ(readAll({"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}"}), one);
  EXPECT_EQ(readAll({"Content-Length:2\r\nX-Other: a:b\r\n\r\n{}"}), one);
  EXPECT_EQ(readAll({"Content-Length: 0002\r\nContent-Type: a; charset=\"UTF8\"\r\n\r\n{}"}), one);
  EXPECT_EQ(readAll({"Content-Length: 1000\r\n\r\n" + std::string(1000, 'x')}, 1000).bodies.size(), 1u);
}

TEST(Framing, NothingAfterAnError) {
  FrameReader reader;
  reader.feed("bad\r\n" + frameBody("{}"));
  EXPECT_EQ(reader.next().index(), 2u);
  reader.feed(frameBody("{}"));
  EXPECT_EQ(reader.next().index(), 2u);
  EXPECT_EQ(reader.finish()->kind, Kind::MalformedHeader);
}

TEST(Framing, LongSessionsInOddPieces) {
  std::mt19937 random(1);
  std::string stream;
  Outcome expected;
  for (int i = 0; i < 300; ++i) {
    expected.bodies.push_back(std::string(random() % 3000, static_cast<char>('a' + i % 26)));
    stream += frameBody(expected.bodies.back());
  }
  std::vector<std::string> pieces;
  for (size_t at = 0; at < stream.size();) {
    const size_t length = 1 + random() % 5000;
    pieces.push_back(stream.substr(at, length));
    at += length;
  }
  EXPECT_EQ(readAll(pieces), expected);
}

TEST(Framing, RandomBytesNeverCrash) {
  std::mt19937 random(2);
  size_t errors = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string stream = threeMessages;
    for (int i = 0; i < 3; ++i) stream[random() % stream.size()] = static_cast<char>(random());
    const size_t cut = random() % stream.size();
    const Outcome whole = readAll({stream});
    EXPECT_EQ(readAll({stream.substr(0, cut), stream.substr(cut)}), whole) << stream;
    errors += whole.error ? 1 : 0;
  }
  EXPECT_GT(errors, 100u);
}

TEST(Framing, WriterCountsBytes) {
  EXPECT_EQ(frame(json("ä")), "Content-Length: 4\r\n\r\n\"ä\"");
}

}  // namespace
}  // namespace heddle::lsp
