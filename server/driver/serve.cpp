#include "server/driver/serve.h"

#include <malloc.h>
#include <unistd.h>

#include <boost/asio/dispatch.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <thread>

#include "analysis/support/installation.h"
#include "protocol/uri.h"
#include "server/diagnostics_page.h"
#include "server/driver/configured.h"
#include "server/transport/stream_transport.h"

namespace heddle {
namespace {

namespace asio = boost::asio;

constexpr std::chrono::seconds kFlush{2};  // for the last answers to a client that reads slowly

/// One session; its parts know each other only here.
class Session {
 public:
  Session(int input, int output, ServerOptions options)
      : log_(options.log),
        exitWithin_(options.exitWithin),
        transport_(loop_, input, output,
                   {[this](const std::string& body) { onMessage(body); },
                    [this](const std::string& reason) { onEnd(reason); }}),
        server_(loop_, std::move(options), [this](lsp::json message) {
          asio::dispatch(loop_, [this, message = std::move(message)] { transport_.send(message); });
        }) {}

  int run() {
    transport_.start();
    const auto guard = asio::make_work_guard(loop_);
    loop_.run();
    return code_;
  }

 private:
  void onMessage(const std::string& body) {
    server_.handleBody(body);
    if (const std::optional<int> code = server_.exitCode()) {
      code_ = *code;
      close();
    }
  }

  void onEnd(const std::string& reason) {
    log_(lsp::LogLevel::Warning,
         reason.empty() ? "the client has closed the stream" : "the session ends: " + reason);
    close();
  }

  void close() {
    server_.shutDown();
    if (exitWithin_.count() > 0) {
      // A worker that does not stop must not leave a process behind that the editor cannot see.
      std::thread([within = exitWithin_, code = code_] {
        std::this_thread::sleep_for(within);
        std::_Exit(code);
      }).detach();
    }
    flush_.expires_after(kFlush);
    flush_.async_wait([this](boost::system::error_code) { loop_.stop(); });
    transport_.finish([this] { loop_.stop(); });
  }

  lsp::LogSink log_;
  std::chrono::seconds exitWithin_;
  asio::io_context loop_;
  asio::steady_timer flush_{loop_};
  StreamTransport transport_;
  LspServer server_;
  int code_ = 1;
};

std::string findCacheFolder() {
  const char* folder = std::getenv("XDG_CACHE_HOME");
  if (folder != nullptr && *folder == '/') return std::string(folder) + "/heddle";
  const char* home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? std::string(home) + "/.cache/heddle" : "";
}

}  // namespace

int serve(int input, int output, ServerOptions options) {
  return Session(input, output, std::move(options)).run();
}

int serveStdio(Engine engine) {
  // Texts and messages are large; with fast bins each of them would first have all small freed blocks joined,
  // a third of the time of a keystroke. The explorations do not notice.
  mallopt(M_MXFAST, 0);
  ServerOptions options;
  options.engine = std::move(engine);
  options.workspace.threads = std::max(2U, std::thread::hardware_concurrency());
  options.workspace.userFolder = userConfigFolder();
  options.workspace.cacheFolder = findCacheFolder();
  if (const std::string page = diagnosticsPage(); !page.empty()) options.docs = lsp::uriFromPath(page);
  options.exitWithin = std::chrono::seconds(5);
  if (isatty(STDIN_FILENO) != 0)
    std::cerr
        << "heddle: serving the Language Server Protocol on stdin; for the command line see heddle --help\n";
  options.log = [](lsp::LogLevel level, const std::string& message) {
    if (level == lsp::LogLevel::Debug) return;
    const char* name = level == lsp::LogLevel::Error     ? "error"
                       : level == lsp::LogLevel::Warning ? "warning"
                                                         : "info";
    std::cerr << std::string("heddle: ") + name + ": " + message + "\n" << std::flush;
  };
  return serve(STDIN_FILENO, STDOUT_FILENO, std::move(options));
}

}  // namespace heddle
