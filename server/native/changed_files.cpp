#include "server/native/changed_files.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <vector>

extern char** environ;

namespace heddle {
namespace {

/// What git prints; nullopt: it cannot be started or fails.
std::optional<std::string> git(const std::string& folder, const std::vector<std::string>& words) {
  std::vector<std::string> arguments = {
      "git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-C", folder};
  arguments.insert(arguments.end(), words.begin(), words.end());
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, "git", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string out;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = failed != 0 ? 0 : read(ends[0], buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    out.append(buffer.data(), static_cast<size_t>(count));
  }
  close(ends[0]);
  if (failed != 0) return std::nullopt;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return out;
}

}  // namespace

std::optional<std::set<std::string>> changedSince(const std::string& folder, const std::string& revision,
                                                  std::string& problem) {
  if (revision.empty() || revision.front() == '-') {
    problem = "--since '" + revision + "' is no revision";
    return std::nullopt;
  }
  std::optional<std::string> root = git(folder, {"rev-parse", "--show-toplevel"});
  if (!root) {
    problem = "--since asks git, and " + folder + " is no working tree of it (or git is not installed)";
    return std::nullopt;
  }
  while (root->ends_with('\n')) root->pop_back();
  const auto changed =
      git(*root, {"diff", "--no-ext-diff", "--no-textconv", "--name-only", "-z", revision, "--"});
  if (!changed) {
    problem = "--since '" + revision + "': git knows no such revision";
    return std::nullopt;
  }
  const auto added = git(*root, {"ls-files", "--others", "--exclude-standard", "-z"});
  std::set<std::string> paths;
  const std::string names = *changed + added.value_or("");
  for (size_t begin = 0; begin < names.size();) {
    const size_t end = std::min(names.size(), names.find('\0', begin));
    paths.insert((std::filesystem::path(*root) / names.substr(begin, end - begin)).string());
    begin = end + 1;
  }
  return paths;
}

}  // namespace heddle
