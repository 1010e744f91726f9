// Runs `heddle` and what it builds, and keeps what they say. For tests only, on one thread.
#pragma once

#include <string>

namespace heddle::native {

struct NativeRun {
  int code = -1;     // 128 + n for signal n
  std::string text;  // stdout and stderr
};

/// `command`: for the shell; killed after so many seconds (code 124).
NativeRun runShell(const std::string& command, int seconds = 60);

/// "HEDDLE arguments", for runShell.
std::string heddleCommand(const std::string& arguments);

/// A folder for what the calling test builds; removed with the object.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace heddle::native
