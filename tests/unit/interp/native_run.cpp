#include "tests/unit/interp/native_run.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace heddle::test {

Native runNative(const std::string& text, const std::string& flags) {
  static int number = 0;
  const std::string base =
      testing::TempDir() + "heddle_native_" + std::to_string(getpid()) + "_" + std::to_string(++number);
  std::ofstream(base + ".c") << text;
  const std::string build =
      std::string(HEDDLE_NATIVE_COMPILER) + " -w -O0 " + flags + " -o " + base + " " + base + ".c -lm";
  Native native;
  if (std::system(build.c_str()) != 0) {
    native.output = "does not compile";
    return native;
  }
  FILE* pipe = popen(base.c_str(), "r");
  if (!pipe) return native;
  char buffer[4096];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) native.output.append(buffer, n);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) native.exitCode = WEXITSTATUS(status);
  std::filesystem::remove(base);
  std::filesystem::remove(base + ".c");
  return native;
}

}  // namespace heddle::test
