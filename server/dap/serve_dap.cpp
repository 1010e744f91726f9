#include "server/dap/serve_dap.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <deque>
#include <iostream>
#include <mutex>
#include <optional>
#include <thread>

#include "protocol/framing.h"
#include "server/dap/session.h"

namespace heddle {
namespace {

constexpr size_t kMostBytes = size_t{16} << 20;  // of one message: no request comes near
constexpr int kLookMilliseconds = 100;           // between looks whether the session is over

/// Messages as they come. The reader asks for a stop where the client wants to end.
class RequestInbox {
 public:
  explicit RequestInbox(int input)
      : reader_([this, input](const std::stop_token& over) { read(input, over); }) {}

  /// nullopt: there will be no more.
  std::optional<std::string> next() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return !bodies_.empty() || ended_; });
    if (bodies_.empty()) return std::nullopt;
    std::string body = std::move(bodies_.front());
    bodies_.pop_front();
    return body;
  }
  std::stop_token stopToken() const { return stop_.get_token(); }
  std::string problem() {
    const std::lock_guard lock(mutex_);
    return problem_;
  }

 private:
  void read(int input, const std::stop_token& over) {
    lsp::FrameReader frames(kMostBytes);
    std::string buffer(1 << 16, '\0');
    while (!over.stop_requested()) {
      pollfd ready{input, POLLIN, 0};
      if (poll(&ready, 1, kLookMilliseconds) == 0) continue;
      const ssize_t count = ::read(input, buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) {
        const auto cut = frames.finish();
        return end(cut ? cut->message : "");
      }
      frames.feed({buffer.data(), static_cast<size_t>(count)});
      while (true) {
        lsp::FrameReader::Result result = frames.next();
        if (std::holds_alternative<lsp::FrameReader::NeedMore>(result)) break;
        if (const auto* error = std::get_if<lsp::FramingError>(&result)) return end(error->message);
        add(std::get<std::string>(std::move(result)));
      }
    }
  }
  void add(std::string body) {
    const std::variant<dap::Request, dap::InvalidRequest> read = dap::readRequest(body);
    const auto* request = std::get_if<dap::Request>(&read);
    if (request && (request->command == "disconnect" || request->command == "terminate"))
      stop_.request_stop();
    const std::lock_guard lock(mutex_);
    bodies_.push_back(std::move(body));
    arrived_.notify_one();
  }
  void end(std::string problem) {
    stop_.request_stop();
    const std::lock_guard lock(mutex_);
    problem_ = std::move(problem);
    ended_ = true;
    arrived_.notify_one();
  }

  std::stop_source stop_;
  std::mutex mutex_;  // guards the following
  std::condition_variable arrived_;
  std::deque<std::string> bodies_;
  std::string problem_;
  bool ended_ = false;
  std::jthread reader_;  // last: joined before the rest goes
};

void sendBytes(int output, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(output, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;  // the client has gone; the reader notices
    bytes.remove_prefix(static_cast<size_t>(count));
  }
}

}  // namespace

int serveDap(const Engine& engine, const std::string& userFolder, int input, int output) {
  if (isatty(input) != 0)
    std::cerr
        << "heddle: serving the Debug Adapter Protocol on stdin; for the command line see heddle --help\n";
  RequestInbox inbox(input);
  dap::DebugSession session(engine, userFolder, inbox.stopToken(),
                            [output](const dap::json& message) { sendBytes(output, lsp::frame(message)); });
  while (!session.isOver()) {
    const std::optional<std::string> body = inbox.next();
    if (!body) {
      const std::string problem = inbox.problem();
      if (!problem.empty()) std::cerr << "heddle: error: the session ends: " << problem << '\n';
      return problem.empty() ? 0 : 1;
    }
    session.handle(*body);
  }
  return 0;
}

}  // namespace heddle
