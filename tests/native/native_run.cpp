#include "tests/native/native_run.h"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "tests/paths/paths.h"

namespace heddle::native {

NativeRun runShell(const std::string& command, int seconds) {
  NativeRun run;
  // A program that is killed must not leave a line of the shell's own.
  const std::string whole =
      "exec 2>&1; cd '" + sourceDirectory() + "' && timeout " + std::to_string(seconds) + " " + command;
  FILE* const pipe = popen(whole.c_str(), "r");
  if (!pipe) return run;
  std::array<char, 4096> buffer;
  for (size_t got; (got = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    run.text.append(buffer.data(), got);
  const int status = pclose(pipe);
  run.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return run;
}

std::string heddleCommand(const std::string& arguments) {
  return "'" + binaryDirectory() + "/bin/heddle' " + arguments;
}

Scratch::Scratch() {
  std::string pattern = (std::filesystem::temp_directory_path() / "heddle-native-XXXXXX").string();
  if (mkdtemp(pattern.data())) path_ = pattern;
}

Scratch::~Scratch() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace heddle::native
