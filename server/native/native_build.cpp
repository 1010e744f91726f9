#include "server/native/native_build.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

extern char** environ;

namespace heddle {

namespace {

/// The module's form is that of one version of LLVM.
constexpr std::array<const char*, 2> kCompilers = {"clang-22", "clang"};

/// A folder of this build's own, which goes with it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "heddle-build-XXXXXX").string();
    if (mkdtemp(pattern.data())) path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

bool writeFile(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  file.close();
  return file.good();
}

std::string firstLines(const std::string& path, int count) {
  std::ifstream file(path);
  std::string line, out;
  while (count-- > 0 && std::getline(file, line)) out += line + "\n";
  return out;
}

/// The exit code; -1: the program cannot be started, -2: it was killed.
int runCompiler(const std::string& name, const std::vector<std::string>& arguments,
                const std::string& messages) {
  std::vector<char*> argv{const_cast<char*>(name.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // The language server's input is its client.
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, name.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? (WEXITSTATUS(status) == 127 ? -1 : WEXITSTATUS(status)) : -2;
}

}  // namespace

std::string problemWithOutput(const std::string& output) {
  std::error_code error;
  if (!std::filesystem::exists(output, error)) return {};
  std::ifstream file(output, std::ios::binary);
  std::array<char, 4> magic{};
  file.read(magic.data(), magic.size());
  if (file && std::memcmp(magic.data(),
                          "\x7F"
                          "ELF",
                          magic.size()) == 0)
    return {};
  return output + " exists and is no program; it is not overwritten";
}

std::string buildNative(const NativeProgram& program, const std::string& output,
                        const std::vector<std::string>& options) {
  const TemporaryFolder folder;
  const std::string module = folder.path() + "/program.bc", runtime = folder.path() + "/heddle_runtime.c",
                    messages = folder.path() + "/messages";
  if (folder.path().empty() || !writeFile(module, program.bitcode) || !writeFile(runtime, program.runtime))
    return "no temporary files can be written; is the disk full?";
  std::vector<std::string> arguments = {"-o", output, "-g", "-pthread", "-Wno-override-module"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.push_back(module);
  if (!program.runtime.empty()) arguments.push_back(runtime);
  arguments.emplace_back("-lm");
  for (const char* compiler : kCompilers) {
    const int code = runCompiler(compiler, arguments, messages);
    if (code == 0) return {};
    if (code == -1) continue;
    return std::string(compiler) + " does not make a program of it:\n" + firstLines(messages, 20);
  }
  return "no clang-22 is in the PATH, which makes the program; install it (apt.llvm.org)";
}

}  // namespace heddle
