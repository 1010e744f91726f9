// A client of the debug adapter, in process.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "server/dap/session.h"

namespace heddle::test {

using dap::json;

class Client {
 public:
  Client()
      : engine_(pipelineEngine()),
        session_(engine_, "", {}, [this](const json& message) { messages.push_back(message); }) {}

  /// The response; events before and after it are in `messages`.
  json request(const std::string& command, const json& arguments = nullptr) {
    json message = {{"seq", ++seq_}, {"type", "request"}, {"command", command}};
    if (!arguments.is_null()) message["arguments"] = arguments;
    const size_t from = messages.size();
    session_.handle(message.dump());
    for (size_t i = from; i < messages.size(); ++i)
      if (messages[i].at("type") == "response" && messages[i].at("request_seq") == seq_) return messages[i];
    ADD_FAILURE() << "no response to " << command;
    return {};
  }
  json body(const std::string& command, const json& arguments = nullptr) {
    const json response = request(command, arguments);
    EXPECT_TRUE(response.value("success", false)) << command << ": " << response.dump();
    return response.value("body", json::object());
  }
  std::string problem(const std::string& command, const json& arguments = nullptr) {
    const json response = request(command, arguments);
    EXPECT_FALSE(response.value("success", true)) << response.dump();
    return response.value("message", "");
  }
  void raw(const std::string& body) { session_.handle(body); }

  json lastEvent(const std::string& name) const {
    for (size_t i = messages.size(); i-- > 0;)
      if (messages[i].value("event", "") == name) return messages[i].value("body", json::object());
    return nullptr;
  }
  /// Moves, and gives the stop.
  json move(const std::string& command, const json& arguments) {
    const size_t from = messages.size();
    body(command, arguments);
    for (size_t i = from; i < messages.size(); ++i)
      if (messages[i].value("event", "") == "stopped") return messages[i].at("body");
    ADD_FAILURE() << command << " did not stop";
    return nullptr;
  }
  json move(const std::string& command) { return move(command, {{"threadId", thread()}}); }
  int64_t thread() const { return lastEvent("stopped").value("threadId", int64_t{1}); }

  json frames() { return body("stackTrace", {{"threadId", thread()}}).at("stackFrames"); }
  int64_t line() { return frames().at(0).at("line").get<int64_t>(); }
  std::string function() { return frames().at(0).at("name").get<std::string>(); }
  std::string value(const std::string& expression) {
    const json response =
        request("evaluate", {{"expression", expression}, {"frameId", frames().at(0).at("id")}});
    return response.value("success", false) ? response.at("body").at("result").get<std::string>()
                                            : "problem: " + response.at("message").get<std::string>();
  }
  void start(const json& launch) {
    body("initialize", {{"adapterID", "heddle"}});
    const json launched = request("launch", launch);
    ASSERT_TRUE(launched.value("success", false)) << launched.dump();
  }

  std::vector<json> messages;

 private:
  int64_t seq_ = 0;
  Engine engine_;
  dap::DebugSession session_;
};

/// A file that goes with the test.
class ProgramFile {
 public:
  explicit ProgramFile(const std::string& text, const std::string& name = "program.c") {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("heddle_dap_" + std::to_string(getpid()) + "_" +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
    path_ = folder_ / name;
    std::ofstream(path_) << text;
  }
  ~ProgramFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::string path() const { return path_.string(); }
  std::string beside(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_, path_;
};

}  // namespace heddle::test
