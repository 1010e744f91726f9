// MemoryWatch: looks at the resident memory of the process from time to time while something runs, and says
// when it is over the limit. Nothing ticks while nothing runs.
//
// Threading: main loop.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <functional>
#include <memory>

namespace heddle {

class MemoryWatch {
 public:
  struct Callbacks {
    std::function<bool()> busy;       // whether something runs
    std::function<uint64_t()> more;   // bytes that other processes hold for this one; none: there are none
    std::function<uint64_t()> limit;  // in MB; 0: none
    std::function<void()> over;       // called at every look while memory is over the limit
  };
  MemoryWatch(const boost::asio::any_io_executor& loop, Callbacks callbacks);
  ~MemoryWatch();
  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;

  /// Something has begun to run.
  void begin();

 private:
  void look();

  boost::asio::steady_timer timer_;
  Callbacks callbacks_;
  bool ticking_ = false;
  std::shared_ptr<int> alive_ = std::make_shared<int>(0);  // the timer holds it weakly
};

}  // namespace heddle
