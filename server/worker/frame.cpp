#include "server/worker/frame.h"

#include <unistd.h>

#include <cerrno>

namespace heddle {
namespace {

constexpr uint64_t kLargestFrame = uint64_t{1} << 32;  // of a body; no report comes near

bool writeAll(int file, const char* data, size_t size) {
  while (size > 0) {
    const ssize_t written = write(file, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    data += written;
    size -= static_cast<size_t>(written);
  }
  return true;
}

bool readAll(int file, char* data, size_t size) {
  while (size > 0) {
    const ssize_t got = read(file, data, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    data += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

}  // namespace

bool writeFrame(int file, FrameKind kind, const std::string& body) {
  const uint64_t size = body.size();
  std::string bytes(1, static_cast<char>(kind));
  bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
  bytes += body;
  return writeAll(file, bytes.data(), bytes.size());
}

std::optional<Frame> readFrame(int file) {
  char kind = 0;
  uint64_t size = 0;
  if (!readAll(file, &kind, 1) || !readAll(file, reinterpret_cast<char*>(&size), sizeof size))
    return std::nullopt;
  if (size > kLargestFrame || static_cast<uint8_t>(kind) > static_cast<uint8_t>(FrameKind::Done))
    return std::nullopt;
  Frame frame{static_cast<FrameKind>(kind), std::string(size, '\0')};
  if (!readAll(file, frame.body.data(), size)) return std::nullopt;
  return frame;
}

}  // namespace heddle
