// StopOnSignal: the first SIGINT or SIGTERM asks the analysis to stop, which then reports what it has; the
// second one kills.
//
// Threading: one object a process, made and destroyed by one thread; it waits for signals on its own.
#pragma once

#include <csignal>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <stop_token>
#include <thread>

namespace heddle {

class StopOnSignal {
 public:
  StopOnSignal() : signals_(loop_, SIGINT, SIGTERM) {
    signals_.async_wait([this](const boost::system::error_code& error, int) {
      if (error) return;
      stop_.request_stop();
      boost::system::error_code ignored;
      signals_.clear(ignored);  // back to the default action
    });
    thread_ = std::jthread([this] { loop_.run(); });
  }
  ~StopOnSignal() { loop_.stop(); }
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  std::stop_token token() const { return stop_.get_token(); }

 private:
  std::stop_source stop_;
  boost::asio::io_context loop_;
  boost::asio::signal_set signals_;
  std::jthread thread_;  // last: joined before the loop goes
};

}  // namespace heddle
