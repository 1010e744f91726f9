// A small project on the disk for the tests of `check`, `scan`, `stubs` and `harness`: a folder of its own
// for each test, and what a command prints of it.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "server/driver/check.h"
#include "server/driver/cli_options.h"
#include "server/driver/scan.h"

namespace heddle {

namespace fs = std::filesystem;
using Json = nlohmann::json;

inline constexpr const char* kCounterUnit = R"(#include <pthread.h>
#include "counter.h"
struct counter { pthread_mutex_t lock; int value; };
void log_value(int value, char *text);
struct counter *counter_create(void) {
  static struct counter made;
  pthread_mutex_init(&made.lock, 0);
  return &made;
}
void counter_add(struct counter *c) {
  char text[8];
  pthread_mutex_lock(&c->lock);
  c->value++;
  pthread_mutex_unlock(&c->lock);
  log_value(1, text);
}
void counter_clear(struct counter *c) {
  c->value = 0;
  pthread_mutex_lock(&c->lock);
  pthread_mutex_unlock(&c->lock);
}
)";

/// A folder of its own for each test, which goes with it.
class ProjectCommands : public ::testing::Test {
 protected:
  ProjectCommands() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / ("heddle_project_" + std::string(test->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "include");
    write("counter.c", kCounterUnit);
  }
  ~ProjectCommands() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    const fs::path path = folder_ / name;
    std::ofstream(path) << text;
    return path.string();
  }

  template <typename Chosen, typename Run>
  int run(std::vector<std::string> arguments, Run&& command) {
    const Command parsed = parseCommandLine(arguments);
    const auto* chosen = std::get_if<Chosen>(&parsed);
    if (chosen == nullptr) {
      ADD_FAILURE() << "not accepted";
      return -1;
    }
    out_.str("");
    err_.str("");
    return command(*chosen);
  }
  int check(const std::vector<std::string>& arguments) {
    return run<CheckCommand>(arguments, [&](const CheckCommand& command) {
      return runCheck(command, pipelineEngine(), {out_, err_}, {});
    });
  }

  int scan(const std::vector<std::string>& more, const Engine& engine = pipelineEngine()) {
    std::vector<std::string> arguments = {"scan", folder_.string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run<ScanCommand>(arguments, [&](const ScanCommand& command) {
      return runScan(command, engine, {out_, err_}, {});
    });
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
  std::ostringstream out_, err_;
};

}  // namespace heddle
