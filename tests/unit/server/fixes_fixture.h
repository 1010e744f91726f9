// What the tests of quick fixes share: a folder with files, a session that asks for fixes, and the command
// line's `heddle repair`.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "analysis/repair/text_edits.h"
#include "lsp_client.h"
#include "server/driver/check.h"
#include "server/driver/repair.h"
#include "tests/paths/paths.h"

namespace heddle::testing {

using lsp::json;

inline ServerOptions optionsWith(Engine engine) {
  ServerOptions options;
  options.engine = std::move(engine);
  options.workspace.menuAfter = std::chrono::minutes(5);   // all that is found is in the menu
  options.workspace.fixesAfter = std::chrono::minutes(5);  // and only what is asked for is looked for
  return options;
}

inline const json kSettings = {{"budget", 0}, {"workers", 1}};

inline const std::string kCounter =
    "#include <assert.h>\n#include <pthread.h>\n\nstatic int x, y;\n\nstatic void *work(void *arg) {\n"
    "  y = 1;  /* \xC3\xA4 */ x++;\n  return arg;\n}\n\nint main(void) {\n  pthread_t a, b;\n"
    "  pthread_create(&a, 0, work, 0);\n  pthread_create(&b, 0, work, 0);\n  pthread_join(a, 0);\n"
    "  pthread_join(b, 0);\n  assert(x + y == 3);\n  return 0;\n}\n";

inline json withFixes(json capabilities = LspClient::fullCapabilities()) {
  capabilities["textDocument"]["codeAction"] = {
      {"codeActionLiteralSupport", {{"codeActionKind", {{"valueSet", {"quickfix"}}}}}},
      {"isPreferredSupport", true},
      {"disabledSupport", true},
      {"dataSupport", true},
      {"resolveSupport", {{"properties", {"edit"}}}}};
  capabilities["workspace"]["workspaceEdit"] = {{"documentChanges", true},
                                                {"changeAnnotationSupport", json::object()}};
  return capabilities;
}

/// A folder of its own with files, for what needs a disk.
class Fixes : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(binaryDirectory()) / ("fixes_" + std::string(info->name()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  static json actions(LspClient& client, const std::string& uri, const json& diagnostic, int trigger = 1) {
    return client.call("textDocument/codeAction",
                       {{"textDocument", {{"uri", uri}}},
                        {"range", diagnostic["range"]},
                        {"context", {{"diagnostics", {diagnostic}}, {"triggerKind", trigger}}}});
  }

  static json finalDiagnostics(LspClient& client, const std::string& uri) {
    json last = json::array();
    client.waitFor([&](const json& message) {
      const std::string method = message.value("method", "");
      if (method == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri)
        last = message["params"]["diagnostics"];
      return method == "window/logMessage" && !isAboutProject(message);
    });
    return last;
  }

  /// What an editor does with edits of whole lines or up to the text's end.
  static std::string edited(const std::string& text, const json& edits) {
    std::vector<TextEditAt> own;
    for (const json& edit : edits)
      own.push_back({"a", edit["range"]["start"]["line"].get<uint32_t>() + 1,
                     edit["range"]["start"]["character"].get<uint32_t>() + 1,
                     edit["range"]["end"]["line"].get<uint32_t>() + 1,
                     edit["range"]["end"]["character"].get<uint32_t>() + 1,
                     edit["newText"].get<std::string>()});
    return applied(text, "a", own);
  }

  std::filesystem::path folder_;
};

class RepairCommandLine : public Fixes {
 protected:
  static int run(std::vector<std::string> arguments, std::string& out, std::string& err) {
    arguments.insert(arguments.begin(), "repair");
    arguments.insert(arguments.end(), {"--budget", "0"});
    const Command command = parseCommandLine(arguments);
    std::ostringstream outStream, errStream;
    const int code =
        runRepair(std::get<RepairCommand>(command), pipelineEngine(), {outStream, errStream}, {});
    out = outStream.str();
    err = errStream.str();
    return code;
  }
  static std::string read(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
};

}  // namespace heddle::testing
