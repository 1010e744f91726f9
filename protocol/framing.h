// Content-Length framing over any byte stream: bytes in, message bodies out; bodies in, bytes out.
//
// The reader is incremental and owns what it has not handed out. A framing error is final: where the next
// message begins is unknown, so the session must end. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "protocol/json.h"

namespace heddle::lsp {

struct FramingError {
  enum class Kind : uint8_t {
    MalformedHeader,      // no colon, empty or odd name, stray carriage return
    HeaderTooLong,        // the header part never ends
    MissingLength,        // blank line without a Content-Length
    MalformedLength,      // not a decimal number
    ConflictingLength,    // two Content-Length headers that differ
    TooLarge,             // above the cap
    UnsupportedEncoding,  // Content-Type with another charset than utf-8
    Truncated,            // the stream ended within a message
  };
  Kind kind;
  std::string message;
};

class FrameReader {
 public:
  static constexpr size_t defaultMaxBody = size_t{256} << 20;
  static constexpr size_t maxHeader = size_t{16} << 10;

  struct NeedMore {};
  using Result = std::variant<NeedMore, std::string, FramingError>;

  explicit FrameReader(size_t maxBody = defaultMaxBody) : maxBody_(maxBody) {}

  void feed(std::string_view bytes);

  /// The next complete body. Call until NeedMore or an error; after an error, every call gives that error.
  Result next();

  /// At end of stream: an error when it ended within a message.
  std::optional<FramingError> finish() const;

 private:
  std::optional<FramingError> readHeaders();
  std::optional<FramingError> readHeaderLine(std::string_view line);
  std::optional<FramingError> readLength(std::string_view text);
  FramingError fail(FramingError::Kind kind, std::string message);
  void compact();

  size_t maxBody_;
  std::string buffer_;
  size_t begin_ = 0;        // first byte not consumed
  size_t scanned_ = 0;      // no line end before this
  size_t headerBytes_ = 0;  // consumed of the current header part
  bool inBody_ = false;
  std::optional<size_t> length_;
  std::optional<FramingError> error_;
};

/// The body with its header.
std::string frameBody(std::string_view body);
std::string frame(const json& message);

}  // namespace heddle::lsp
