#include "protocol/uri.h"

#include <algorithm>
#include <cctype>

namespace heddle::lsp {
namespace {

/// What the paths of buffers that were never saved begin with; no folder has this name.
constexpr std::string_view kUntitled = "/untitled:";

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool equalIgnoringCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::optional<std::string> unescape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      const int high = i + 1 < text.size() ? hexDigit(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hexDigit(text[i + 2]) : -1;
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      i += 2;
    }
    if (c == '\0') return std::nullopt;
    out += c;
  }
  return out;
}

bool staysUnescaped(unsigned char c) {
  return (c < 0x80 && std::isalnum(c)) || c == '-' || c == '.' || c == '_' || c == '~' || c == '/';
}

}  // namespace

std::optional<std::string> pathFromUri(std::string_view uri) {
  if (uri.starts_with(kUntitled.substr(1)) && uri.find('\0') == std::string_view::npos)
    return "/" + std::string(uri);
  constexpr std::string_view scheme = "file:";
  if (!equalIgnoringCase(uri.substr(0, scheme.size()), scheme)) return std::nullopt;
  uri.remove_prefix(scheme.size());
  uri = uri.substr(0, uri.find_first_of("?#"));
  if (uri.starts_with("//")) {
    uri.remove_prefix(2);
    const std::string_view host = uri.substr(0, uri.find('/'));
    if (!host.empty() && !equalIgnoringCase(host, "localhost")) return std::nullopt;
    uri.remove_prefix(host.size());
  }
  if (!uri.starts_with('/')) return std::nullopt;
  return unescape(uri);
}

DocumentUri uriFromPath(std::string_view path) {
  if (path.starts_with(kUntitled)) return DocumentUri(path.substr(1));
  constexpr std::string_view digits = "0123456789ABCDEF";
  DocumentUri out = "file://";
  for (char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (staysUnescaped(byte)) {
      out += c;
    } else {
      out += {'%', digits[byte >> 4], digits[byte & 15]};
    }
  }
  return out;
}

}  // namespace heddle::lsp
