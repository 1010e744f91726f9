// Task: a coroutine that a modelled call runs as. It suspends before each visible event and is resumed once
// the scheduler has picked the event, so that models read like straight code.
//
// Threading: a task belongs to the machine's thread. Destroying a suspended task destroys what it awaits.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace heddle {

namespace detail {

struct FinalAwaiter {
  bool await_ready() const noexcept { return false; }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> handle) const noexcept {
    return handle.promise().continuation ? handle.promise().continuation : std::noop_coroutine();
  }
  void await_resume() const noexcept {}
};

struct PromiseBase {
  std::coroutine_handle<> continuation;
  std::suspend_always initial_suspend() const noexcept { return {}; }
  FinalAwaiter final_suspend() const noexcept { return {}; }
  void unhandled_exception() const noexcept { std::terminate(); }
};

template <class T>
struct Promise : PromiseBase {
  std::optional<T> result;
  std::coroutine_handle<Promise> get_return_object() {
    return std::coroutine_handle<Promise>::from_promise(*this);
  }
  void return_value(T value) { result = std::move(value); }
  T take() { return std::move(*result); }
};

template <>
struct Promise<void> : PromiseBase {
  std::coroutine_handle<Promise> get_return_object() {
    return std::coroutine_handle<Promise>::from_promise(*this);
  }
  void return_void() {}
  void take() {}
};

}  // namespace detail

template <class T = void>
class [[nodiscard]] Task {
 public:
  using promise_type = detail::Promise<T>;
  using Handle = std::coroutine_handle<promise_type>;

  Task() = default;
  Task(Handle handle) : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Task& operator=(Task&& other) noexcept {
    if (this != &other) {
      reset();
      handle_ = std::exchange(other.handle_, {});
    }
    return *this;
  }
  ~Task() { reset(); }

  explicit operator bool() const { return static_cast<bool>(handle_); }
  bool done() const { return handle_.done(); }
  std::coroutine_handle<> handle() const { return handle_; }
  void reset() {
    if (handle_) handle_.destroy();
    handle_ = {};
  }

  // Awaiting a task runs it; when it ends, the awaiting coroutine goes on.
  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> continuation) noexcept {
    handle_.promise().continuation = continuation;
    return handle_;
  }
  T await_resume() { return handle_.promise().take(); }

 private:
  Handle handle_;
};

}  // namespace heddle
