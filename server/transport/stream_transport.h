// StreamTransport: framed messages over two file descriptors, on the main loop. Reads as bytes come; writes
// in order, one at a time.
//
// Pipes, sockets and terminals go through Asio. Regular files, which epoll does not take, are read by a
// thread of their own and written at once, so that `heddle < session.txt > answers.txt` works.
//
// Threading: main loop; the callbacks run there. Destroy it before the loop's context. The descriptors stay
// the caller's.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "protocol/framing.h"

namespace heddle {

class StreamTransport {
 public:
  struct Callbacks {
    std::function<void(const std::string& body)> message;
    /// The input is over: it ended, failed, or is not framed as it should be. Called once, and no message
    /// follows.
    std::function<void(const std::string& reason)> end;
  };

  StreamTransport(boost::asio::io_context& loop, int input, int output, Callbacks callbacks);
  ~StreamTransport();
  StreamTransport(const StreamTransport&) = delete;
  StreamTransport& operator=(const StreamTransport&) = delete;

  void start();
  void send(const lsp::json& message);
  /// No more input is wanted; `done` is called when everything sent is written or cannot be.
  void finish(std::function<void()> done);

 private:
  class Descriptor;
  struct Input;
  struct Output;

  std::shared_ptr<Input> input_;
  std::shared_ptr<Output> output_;
};

}  // namespace heddle
