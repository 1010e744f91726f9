// AppendLog: a text file that only grows, by whole lines, and survives a kill between any two of them.
//
// Threading: one thread at a time. Processes: the file is locked while it is open.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace heddle {

class AppendLog {
 public:
  /// Opens or makes `path`; `text` gets what it holds. Null with a reason in `error`.
  static std::unique_ptr<AppendLog> open(const std::string& path, std::string& text, std::string& error);
  ~AppendLog();
  AppendLog(const AppendLog&) = delete;
  AppendLog& operator=(const AppendLog&) = delete;

  /// Appends by one write. The line stays if the process is killed afterwards (but not if the machine loses
  /// power).
  bool append(const std::string& line);
  /// Cuts off all after the first `length` bytes.
  bool truncate(size_t length);

 private:
  explicit AppendLog(int file) : file_(file) {}
  int file_;
};

}  // namespace heddle
