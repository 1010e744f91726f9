// What the workspace tells the client of itself: diagnostics, status, lenses to ask for again, messages.
#include <filesystem>
#include <fstream>
#include <utility>

#include "server/features/publish.h"
#include "server/features/status.h"
#include "server/state/workspace.h"

namespace heddle {

void Workspace::publish(FileSession& session, const Document& document) {
  session.publishing.cancel();
  session.publishSoon = false;
  applySuppressions(session, document, session.baseline);
  session.published++;
  if (!style_.pullDiagnostics)
    client_.notify("textDocument/publishDiagnostics", diagnosticsOf(session, document, style_.diagnostics));
  else if (style_.diagnosticRefresh)
    client_.request<lsp::json>("workspace/diagnostic/refresh", lsp::NoParams{}, {});
}

void Workspace::publishSoon(FileSession& session, const Document& document) {
  if (std::exchange(session.publishSoon, true)) return;
  session.publishing.expires_after(options_.publishEvery);
  session.publishing.async_wait(
      [weakSelf = std::weak_ptr(self_), key = document.key](boost::system::error_code error) {
        const auto self = weakSelf.lock();
        if (error || !self) return;
        const auto [latest, current] = (*self)->settledKey(key);
        if (current == nullptr || !current->publishSoon) return;
        (*self)->publish(*current, *latest);
        (*self)->tellStatus(*current, *latest, true);
      });
}

/// `atOnce`: a new state; otherwise only counts, ten times a second.
void Workspace::tellStatus(FileSession& session, const Document& document, bool atOnce) {
  constexpr std::chrono::milliseconds kBetween{100};
  const auto now = std::chrono::steady_clock::now();
  if (!style_.heddle.status || (!atOnce && now - session.lastStatus < kBetween)) return;
  session.lastStatus = now;
  client_.notify("heddle/status", statusOf(session, document, entryOf(session)));
}

void Workspace::showInterleaving(const lsp::Interleaving& shown) {
  std::string text = shown.message + "\n";
  for (const std::string& input : shown.executions.front().inputs) text += "input " + input + "\n";
  text += "\n" + shown.text + "\n" + shown.replay + "\n";
  if (!style_.showDocument || options_.cacheFolder.empty()) return say(lsp::MessageType::Info, text);
  const std::filesystem::path folder = std::filesystem::path(options_.cacheFolder) / "interleavings";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::filesystem::path path = folder / (shown.finding + ".txt");
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) return say(lsp::MessageType::Info, text);
  lsp::ShowDocumentParams params;
  params.uri = lsp::uriFromPath(path.string());
  params.takeFocus = true;
  client_.request<lsp::json>("window/showDocument", params, {});
}

void Workspace::refreshLenses() {
  if (style_.codeLensRefresh) client_.request<lsp::json>("workspace/codeLens/refresh", lsp::NoParams{}, {});
  if (style_.inlayHintRefresh) client_.request<lsp::json>("workspace/inlayHint/refresh", lsp::NoParams{}, {});
}

void Workspace::say(lsp::MessageType type, const std::string& message) {
  if (type == lsp::MessageType::Log)
    client_.notify("window/logMessage", lsp::LogMessageParams{type, message});
  else
    client_.notify("window/showMessage", lsp::ShowMessageParams{type, message});
}

void Workspace::warnOnce(const std::string& message) {
  if (warned_.insert(message).second) say(lsp::MessageType::Warning, "heddle: " + message);
}

}  // namespace heddle
