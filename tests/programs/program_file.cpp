#include "tests/programs/program_file.h"
#include "tests/paths/paths.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace heddle::programs {

namespace fs = std::filesystem;

ProgramFile parseExpectation(const std::string& firstLine) {
  static const std::string mark = "// EXPECT:";
  if (!firstLine.starts_with(mark)) return {};
  ProgramFile program;
  static const std::regex pair("([a-z]+)=([A-Za-z0-9_=-]+)");
  std::istringstream words(firstLine.substr(mark.size()));
  for (std::string word; words >> word && !word.starts_with("(");) {
    std::smatch match;
    if (!std::regex_match(word, match, pair)) return {};
    if (match[1] == "option")
      program.options.push_back(match[2]);
    else if (match[1] == "twin")
      program.twin = match[2];
    else
      program.expect[match[1]] = match[2];
  }
  return program;
}

bool isBuggy(const ProgramFile& program) {
  return std::any_of(program.expect.begin(), program.expect.end(),
                     [](const auto& entry) { return entry.second == "violated"; });
}

std::vector<ProgramFile> allPrograms() {
  std::vector<ProgramFile> programs;
  const fs::path root = sourceDirectory();
  for (const char* folder : {"tests/programs", "docs/examples"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".c") continue;
      // Those are the tests of repair (tests/unit/repair); their twins are what comes out of it.
      if (fs::relative(entry.path(), root).generic_string().starts_with("tests/programs/repair/")) continue;
      std::ifstream stream(entry.path());
      std::string firstLine;
      std::getline(stream, firstLine);
      const std::string rest((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
      ProgramFile program = parseExpectation(firstLine);
      program.path = fs::relative(entry.path(), root).generic_string();
      program.hasInputs =
          rest.find("heddle_input_") != std::string::npos || rest.find("nondet") != std::string::npos ||
          rest.find("timedwait") != std::string::npos || rest.find("clock_gettime") != std::string::npos ||
          rest.find("getifaddrs") != std::string::npos;
      programs.push_back(std::move(program));
    }
  }
  std::sort(programs.begin(), programs.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return programs;
}

std::string testName(const ProgramFile& program) {
  std::string name = program.path;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

void PrintTo(const ProgramFile& program, std::ostream* stream) {
  *stream << program.path;
}

Outcome run(const std::string& program, const std::vector<std::string>& arguments) {
  Outcome outcome;
  int ends[2];
  if (pipe(ends) != 0) return outcome;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  posix_spawn_file_actions_addchdir_np(&actions, sourceDirectory().c_str());
  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  const bool started = posix_spawnp(&child, program.c_str(), &actions, nullptr, argv.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  char buffer[4096];
  for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;) {
    outcome.out.append(buffer, static_cast<size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  if (started && waitpid(child, &status, 0) == child && WIFEXITED(status))
    outcome.exitCode = WEXITSTATUS(status);
  auto json = nlohmann::json::parse(outcome.out, nullptr, false);
  if (json.is_object()) outcome.json = std::move(json);
  return outcome;
}

Outcome runHeddle(const std::vector<std::string>& arguments) {
  return run(binaryDirectory() + "/bin/heddle", arguments);
}

}  // namespace heddle::programs
