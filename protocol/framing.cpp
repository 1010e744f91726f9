#include "protocol/framing.h"

#include <algorithm>
#include <cctype>
#include <limits>

namespace heddle::lsp {
namespace {

using Kind = FramingError::Kind;

constexpr size_t compactAbove = size_t{64} << 10;

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

std::string_view trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool isHeaderName(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

bool isUtf8ContentType(std::string_view value) {
  const std::string text = lower(value);
  const size_t at = text.find("charset=");
  if (at == std::string::npos) return true;
  std::string_view charset = std::string_view(text).substr(at + 8);
  charset = trim(charset.substr(0, charset.find(';')));
  if (charset.size() >= 2 && charset.front() == '"' && charset.back() == '"') {
    charset = charset.substr(1, charset.size() - 2);
  }
  return charset == "utf-8" || charset == "utf8";  // utf8: required for older clients by the specification
}

}  // namespace

void FrameReader::feed(std::string_view bytes) {
  if (!error_) buffer_.append(bytes);
}

FrameReader::Result FrameReader::next() {
  if (error_) return *error_;
  if (!inBody_) {
    if (std::optional<FramingError> error = readHeaders()) return *error;
    if (!inBody_) return NeedMore{};
  }
  if (buffer_.size() - begin_ < *length_) return NeedMore{};
  std::string body = buffer_.substr(begin_, *length_);
  begin_ += *length_;
  scanned_ = begin_;
  inBody_ = false;
  length_.reset();
  headerBytes_ = 0;
  compact();
  return body;
}

std::optional<FramingError> FrameReader::finish() const {
  if (error_) return error_;
  if (begin_ == buffer_.size() && headerBytes_ == 0 && !inBody_) return std::nullopt;
  return FramingError{Kind::Truncated, "the stream ended within a message"};
}

/// Consumes complete header lines, up to and with the blank one that begins the body.
std::optional<FramingError> FrameReader::readHeaders() {
  while (!inBody_) {
    const size_t end = buffer_.find('\n', scanned_);
    const size_t seen = (end == std::string::npos ? buffer_.size() : end + 1) - begin_;
    if (headerBytes_ + seen > maxHeader) {
      return fail(Kind::HeaderTooLong, "header part longer than " + std::to_string(maxHeader) + " bytes");
    }
    if (end == std::string::npos) {
      scanned_ = buffer_.size();
      return std::nullopt;
    }
    std::string_view line(buffer_.data() + begin_, end - begin_);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) {
      if (!length_) return fail(Kind::MissingLength, "no Content-Length header");
      inBody_ = true;
    } else if (std::optional<FramingError> error = readHeaderLine(line)) {
      return error;
    }
    headerBytes_ += seen;
    begin_ = scanned_ = end + 1;
  }
  return std::nullopt;
}

std::optional<FramingError> FrameReader::readHeaderLine(std::string_view line) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos || !isHeaderName(line.substr(0, colon)) ||
      line.find('\r') != std::string_view::npos) {
    return fail(Kind::MalformedHeader, "malformed header line");
  }
  const std::string name = lower(line.substr(0, colon));
  const std::string_view value = trim(line.substr(colon + 1));
  if (name == "content-length") return readLength(value);
  if (name == "content-type" && !isUtf8ContentType(value)) {
    return fail(Kind::UnsupportedEncoding, "only utf-8 is supported as charset");
  }
  return std::nullopt;
}

std::optional<FramingError> FrameReader::readLength(std::string_view text) {
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.empty() || !std::all_of(text.begin(), text.end(), isDigit)) {
    return fail(Kind::MalformedLength, "Content-Length is not a decimal number");
  }
  size_t length = 0;
  for (char c : text) {
    const size_t digit = static_cast<size_t>(c - '0');
    if (length > (std::numeric_limits<size_t>::max() - digit) / 10 || length * 10 + digit > maxBody_) {
      return fail(Kind::TooLarge, "Content-Length above the limit of " + std::to_string(maxBody_) + " bytes");
    }
    length = length * 10 + digit;
  }
  if (length_ && *length_ != length)
    return fail(Kind::ConflictingLength, "two different Content-Length headers");
  length_ = length;
  return std::nullopt;
}

FramingError FrameReader::fail(Kind kind, std::string message) {
  error_ = FramingError{kind, std::move(message)};
  buffer_ = std::string();
  return *error_;
}

/// Drops consumed bytes when they dominate, so that the cost per byte stays constant, and the room of a huge
/// message.
void FrameReader::compact() {
  const bool empty = begin_ == buffer_.size();
  if (!empty && (begin_ < compactAbove || begin_ < buffer_.size() / 2)) return;
  buffer_.erase(0, begin_);
  begin_ = scanned_ = 0;
  if (buffer_.capacity() > 16 * compactAbove && buffer_.size() < compactAbove) buffer_.shrink_to_fit();
}

std::string frameBody(std::string_view body) {
  std::string out = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
  out.append(body);
  return out;
}

std::string frame(const json& message) {
  return frameBody(printJson(message));
}

}  // namespace heddle::lsp
