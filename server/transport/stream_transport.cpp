#include "server/transport/stream_transport.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <cstring>
#include <deque>
#include <thread>

namespace heddle {
namespace {

namespace asio = boost::asio;

constexpr size_t kReadSize = 64 * 1024;
constexpr size_t kMostUnwritten = size_t{256} << 20;  // of a client that does not read

bool isRegularFile(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

/// A duplicate for Asio to own, put back into the mode it was in when the session ends: the terminal is not
/// only ours.
class StreamTransport::Descriptor {
 public:
  Descriptor(asio::io_context& loop, int original) : stream_(loop) {
    const int copy = dup(original);
    boost::system::error_code error;
    if (copy >= 0) stream_.assign(copy, error);
    if (error) ::close(copy);
  }
  ~Descriptor() {
    boost::system::error_code ignored;
    if (stream_.is_open()) stream_.native_non_blocking(false, ignored);
    stream_.close(ignored);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  asio::posix::stream_descriptor& stream() { return stream_; }

 private:
  asio::posix::stream_descriptor stream_;
};

struct StreamTransport::Input : std::enable_shared_from_this<Input> {
  Input(asio::io_context& context, int descriptor, Callbacks given)
      : loop(context), callbacks(std::move(given)), original(descriptor) {
    if (!isRegularFile(descriptor)) asynchronous.emplace(context, descriptor);
  }

  void start() {
    if (asynchronous)
      readNext();
    else
      readFile();
  }

  void readNext() {
    asynchronous->stream().async_read_some(
        asio::buffer(chunk), [self = shared_from_this()](boost::system::error_code error, size_t size) {
          if (self->over) return;
          if (error) return self->end(error == asio::error::eof ? "" : error.message());
          self->take({self->chunk.data(), size});
          if (!self->over) self->readNext();
        });
  }

  /// Blocking, so on a thread of its own; it lives as long as the file has bytes and the session wants them.
  void readFile() {
    reader = std::jthread([this, weak = weak_from_this()](const std::stop_token& stop) {
      std::string bytes(kReadSize, '\0');
      while (!stop.stop_requested()) {
        const ssize_t size = ::read(original, bytes.data(), bytes.size());
        if (size < 0 && errno == EINTR) continue;
        const std::string reason = size < 0 ? std::strerror(errno) : "";
        asio::post(loop,
                   [weak, size, reason, part = bytes.substr(0, size > 0 ? static_cast<size_t>(size) : 0)] {
                     const auto self = weak.lock();
                     if (!self || self->over) return;
                     if (size <= 0) return self->end(reason);
                     self->take(part);
                   });
        if (size <= 0) return;
      }
    });
  }

  void take(std::string_view bytes) {
    frames.feed(bytes);
    while (!over) {
      auto next = frames.next();
      if (auto* body = std::get_if<std::string>(&next)) {
        callbacks.message(*body);
      } else {
        if (auto* error = std::get_if<lsp::FramingError>(&next)) end(error->message);
        return;
      }
    }
  }

  void end(std::string reason) {
    if (std::exchange(over, true)) return;
    if (reason.empty()) {
      if (const auto error = frames.finish()) reason = error->message;
    }
    callbacks.end(reason);
  }

  void stop() {
    over = true;
    boost::system::error_code ignored;
    if (asynchronous) asynchronous->stream().cancel(ignored);
    reader.request_stop();
  }

  asio::io_context& loop;
  Callbacks callbacks;
  int original;
  std::optional<Descriptor> asynchronous;
  std::array<char, kReadSize> chunk{};
  lsp::FrameReader frames;
  bool over = false;
  std::jthread reader;  // last: joined before the rest goes
};

struct StreamTransport::Output : std::enable_shared_from_this<Output> {
  Output(asio::io_context& context, int descriptor) : original(descriptor) {
    if (!isRegularFile(descriptor)) asynchronous.emplace(context, descriptor);
  }

  void send(std::string bytes) {
    if (broken) return;
    if (!asynchronous) return writeFile(bytes);
    unwritten += bytes.size();
    if (unwritten > kMostUnwritten) return giveUp();
    waiting.push_back(std::move(bytes));
    if (waiting.size() == 1) writeNext();
  }

  void writeNext() {
    asio::async_write(asynchronous->stream(), asio::buffer(waiting.front()),
                      [self = shared_from_this()](boost::system::error_code error, size_t size) {
                        if (error) return self->giveUp();
                        self->unwritten -= size;
                        self->waiting.pop_front();
                        if (!self->waiting.empty()) return self->writeNext();
                        if (self->done) std::exchange(self->done, nullptr)();
                      });
  }

  void writeFile(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t size = ::write(original, bytes.data(), bytes.size());
      if (size < 0 && errno == EINTR) continue;
      if (size <= 0) return giveUp();
      bytes.remove_prefix(static_cast<size_t>(size));
    }
  }

  /// Nobody reads; the end of the input, or its silence, will tell the session.
  void giveUp() {
    broken = true;
    waiting.clear();
    if (done) std::exchange(done, nullptr)();
  }

  int original;
  std::optional<Descriptor> asynchronous;
  std::deque<std::string> waiting;  // the front is being written
  size_t unwritten = 0;
  bool broken = false;
  std::function<void()> done;
};

StreamTransport::StreamTransport(asio::io_context& loop, int input, int output, Callbacks callbacks)
    : input_(std::make_shared<Input>(loop, input, std::move(callbacks))),
      output_(std::make_shared<Output>(loop, output)) {}

StreamTransport::~StreamTransport() {
  input_->stop();
}

void StreamTransport::start() {
  input_->start();
}

void StreamTransport::send(const lsp::json& message) {
  output_->send(lsp::frame(message));
}

void StreamTransport::finish(std::function<void()> done) {
  input_->stop();
  if (output_->waiting.empty() || output_->broken) return done();
  output_->done = std::move(done);
}

}  // namespace heddle
