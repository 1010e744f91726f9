#include "analysis/support/append_log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace heddle {

namespace {

bool readAll(int file, std::string& text) {
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = ::read(file, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    if (n == 0) return true;
    text.append(buffer, static_cast<size_t>(n));
  }
}

}  // namespace

std::unique_ptr<AppendLog> AppendLog::open(const std::string& path, std::string& text, std::string& error) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND, 0644);
  if (file < 0) {
    error = std::strerror(errno);
    return nullptr;
  }
  std::unique_ptr<AppendLog> log(new AppendLog(file));
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    error = "another process is using it; wait for it";
    return nullptr;
  }
  if (!readAll(file, text)) {
    error = std::strerror(errno);
    return nullptr;
  }
  return log;
}

AppendLog::~AppendLog() {
  ::close(file_);
}

bool AppendLog::append(const std::string& line) {
  size_t done = 0;
  while (done < line.size()) {
    const ssize_t n = ::write(file_, line.data() + done, line.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<size_t>(n);
  }
  return true;
}

bool AppendLog::truncate(size_t length) {
  return ::ftruncate(file_, static_cast<off_t>(length)) == 0;
}

}  // namespace heddle
