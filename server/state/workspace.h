// Workspace: the open files and their explorations. It turns what the editor says (opened, changed, saved,
// closed, set) into runs, and what runs say into diagnostics, progress and log lines.
//
// Threading: main loop only. Destroy it before the loop's context and before `client`.
#pragma once

#include <boost/asio/io_context.hpp>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "protocol/code_action.h"
#include "protocol/code_lens.h"
#include "protocol/document_highlight.h"
#include "protocol/heddle_extensions.h"
#include "protocol/hover.h"
#include "protocol/inlay_hint.h"
#include "protocol/jsonrpc.h"
#include "protocol/outgoing.h"
#include "protocol/reply.h"
#include "protocol/text_sync.h"
#include "protocol/window.h"
#include "protocol/workspace.h"
#include "server/convert/located_finding.h"
#include "server/features/code_action.h"
#include "server/features/file_view.h"
#include "server/project/project_desk.h"
#include "server/render/replay_command.h"
#include "server/schedule/analysis_queue.h"
#include "server/schedule/memory_watch.h"
#include "server/schedule/thread_pool.h"
#include "server/state/cover_desk.h"
#include "server/state/document_store.h"
#include "server/state/file_session.h"
#include "server/state/fix_desk.h"
#include "server/state/native_desk.h"
#include "server/state/settings.h"

namespace heddle {

struct WorkspaceOptions {
  DebounceLimits debounce;
  std::chrono::milliseconds progressAfter{200};  // of a run that a keystroke began
  std::chrono::milliseconds menuAfter{100};      // a menu of fixes opens without those that are not found yet
  std::chrono::milliseconds fixesAfter{300};     // fixes are looked for after so long a look at a finding
  std::chrono::milliseconds publishEvery{30};    // findings that come one upon the other
  unsigned threads = 2;
  std::string userFolder;   // holds heddle/config.yaml; empty: none is read
  std::string cacheFolder;  // keeps the indexes of projects; empty: they are not kept
};

/// What the client can do, as far as the workspace cares.
struct ClientStyle {
  DiagnosticStyle diagnostics;
  bool markdown = false;
  bool progress = false;
  lsp::HeddleClient heddle;      // of our own messages and commands
  bool documentChanges = false;  // takes versioned edits
  bool showDocument = false;
  bool codeLensRefresh = false;
  bool inlayHintRefresh = false;
  bool configuration = false;    // answers what the settings of a file are
  bool pullDiagnostics = false;  // asks for diagnostics instead of being told
  bool diagnosticRefresh = false;
  FixStyle fixes;
};

class Workspace : private AnalysisListener {
 public:
  Workspace(boost::asio::io_context& loop, lsp::OutgoingCalls& client, Engine engine,
            const WorkspaceOptions& options);
  ~Workspace() override;

  void setClient(const ClientStyle& style) { style_ = style; }
  /// Runs everything again.
  void configure(const lsp::json& value);

  void opened(const lsp::TextDocumentItem& item);
  void changed(const lsp::DidChangeTextDocumentParams& params);
  void saved(const lsp::DocumentUri& uri);
  void closed(const lsp::DocumentUri& uri);
  /// Something on disk has changed that runs read: a header, a compile database, a configuration file.
  void filesChanged(const lsp::DidChangeWatchedFilesParams& params);
  void cancelProgress(const lsp::ProgressToken& token);
  /// Stops all runs; nothing is shown any more.
  void shutDown();

  std::optional<lsp::Hover> hover(const lsp::HoverParams& params);
  /// Those that need no analysis.
  std::vector<lsp::CodeAction> codeActions(const lsp::CodeActionParams& params);
  std::vector<lsp::CodeLens> codeLenses(const lsp::TextDocumentIdentifier& id);
  /// Nothing: the file is not open. Valid until the next message.
  std::optional<FileView> viewOf(const lsp::DocumentUri& uri);
  lsp::DocumentDiagnosticReport diagnostics(const lsp::DocumentDiagnosticParams& params);
  /// Nothing: the file is not open, or has no such finding.
  std::optional<lsp::Interleaving> interleaving(const lsp::InterleavingParams& params);
  /// workspace/executeCommand; arguments as the code lens gives them.
  std::variant<lsp::json, lsp::ResponseError> execute(const lsp::ExecuteCommandParams& params);
  /// A command with long work: native programs, constraints, memory orders, coverage. `executeLater` answers
  /// when that is done.
  static bool answersLater(const std::string& name);
  void executeLater(const lsp::ExecuteCommandParams& params, lsp::Reply<lsp::json> reply);
  /// Answers when the fixes are verified; at once, without work, when the client only looks by itself.
  void codeActions(const lsp::CodeActionParams& params, lsp::Reply<std::vector<lsp::CodeAction>> reply);
  void resolveAction(const lsp::CodeAction& action, lsp::Reply<lsp::CodeAction> reply);

  const DocumentStore& documents() const { return documents_; }

 private:
  /// Opened or set; typed; saved or asked for by command, with the larger box.
  enum class Cause : uint8_t { Asked, Edit, Thorough };

  void onStarted(const AnalysisRequest& request) override;
  void onFinding(const AnalysisRequest& request, const Finding& finding, const FileTexts& texts) override;
  void onProgress(const AnalysisRequest& request, const Progress& progress) override;
  void onDone(const AnalysisRequest& request, const Report& report, const FileTexts& texts,
              const std::string& commandProblem) override;

  const std::string& entryOf(const FileSession& session) const;
  FixDesk::Request fixRequest(const Document& document, FileSession& session,
                              const std::string& finding) const;
  NativeDesk::Request nativeRequest(const Document& document, FileSession& session) const;
  /// What a command asks of an open file that is on disk.
  struct FileCommand {
    const std::string& name;
    const lsp::json& argument;
    const Document& document;
    FileSession& session;
  };
  void executeOrders(const FileCommand& given, lsp::Reply<lsp::json> reply);
  void executeNative(const FileCommand& given, lsp::Reply<lsp::json> reply);
  void executeCover(const FileCommand& given, lsp::Reply<lsp::json> reply);
  /// In a document where the client can show one, else in a message.
  void showInterleaving(const lsp::Interleaving& shown);
  void showCoverage(FileSession& session, const Document& document, lsp::Coverage coverage);
  void fillEdit(lsp::CodeAction& action, const Fixes& fixes);
  /// The user looks at a finding: after a moment its fixes are looked for, so that the menu has them at once.
  void restOn(FileSession& session, const Document& document, const std::string& finding);
  FileSession* sessionOf(const std::string& key);
  /// An open C file with its edits settled; null: the file is not one.
  struct OpenFile {
    const Document* document = nullptr;
    FileSession* session = nullptr;
    explicit operator bool() const { return session != nullptr; }
  };
  OpenFile settled(const lsp::DocumentUri& uri);
  OpenFile settledKey(const std::string& key);
  /// Does what the edits since the last call mean. Must be called before anything that depends on it: a run's
  /// news, an answer.
  void settle(FileSession& session, const Document& document);
  /// Runs the programs that use the file again, unless they have its text.
  void tellUsers(FileSession& session, const Document& document);
  void runSoon(const Document& document, FileSession& session);
  void runNow(const Document& document, FileSession& session, Cause cause);
  void runOthers(const std::string& key, Cause cause);
  void forget(FileSession& session, const std::string& key);
  /// Shows a report about the program that the document is.
  void show(FileSession& session, const Document& document, const Report& report, const FileTexts& texts);
  bool keepResults(FileSession& session, const Document& document);
  bool anyRuns() const;
  /// What is explored for a document: its own program, or the one of the project that reaches it.
  struct Subject {
    Snapshot snapshot;          // without commands, and without the texts of files that are not open
    bool textFromDisk = false;  // of the snapshot's first file
    Options options;
    SourcePlace harness;     // the comment that it begins with; line 0: none
    size_t added = 0;        // bytes of a harness behind the document's text
    ProjectProgram program;  // without an entry: the file alone
    bool waits = false;      // for the index of the project
  };
  Subject subjectOf(const Document& document, FileSession& session) const;
  void chooseProgram(const Document& document, FileSession& session, Subject& subject) const;
  ReplayContext replayOf(const Document& document, const FileSession& session) const;
  void projectChanged(const std::string& database, const std::string& log);
  /// Files that are explored in one program with this one.
  void runUsersOf(const std::string& path);
  void stopForMemory();
  /// Reads the configuration that holds for the file, and tells what is wrong in it.
  void readConfig(FileSession& session, const Document& document);
  /// Reads the configuration again; where that changes the settings of the file, it runs again.
  void rereadConfig(FileSession& session, const Document& document);
  /// Asks the client what is set for the file, which may differ by folder; where that changes its settings,
  /// it runs again.
  void askSettings(const Document& document);
  void configChanged();
  void publish(FileSession& session, const Document& document);
  /// Publishes together with what else is found in the next moments.
  void publishSoon(FileSession& session, const Document& document);
  void tellStatus(FileSession& session, const Document& document, bool atOnce);
  void refreshLenses();
  void say(lsp::MessageType type, const std::string& message);
  void warnOnce(const std::string& message);

  boost::asio::io_context& loop_;
  lsp::OutgoingCalls& client_;
  WorkspaceOptions options_;
  ClientStyle style_;
  Settings settings_;  // the editor's
  DocumentStore documents_;
  std::map<std::string, std::unique_ptr<FileSession>> sessions_;  // of the open C files, by document key
  std::set<lsp::DocumentUri> configsShown_;                       // with problems published
  std::set<std::string> warned_;
  uint64_t nextToken_ = 1;
  bool down_ = false;
  std::shared_ptr<Workspace*> self_;  // timers hold it weakly
  ThreadPool pool_;
  ThreadPool background_;
  ThreadPool indexer_;
  ThreadPool fixers_;
  ThreadPool asked_;  // what a command takes minutes for: no fix waits for it
  ProjectDesk projects_;
  FixDesk fixes_;
  NativeDesk native_;
  CoverDesk cover_;
  MemoryWatch memory_;
  AnalysisQueue queue_;  // last: its runs are stopped before the pool joins
};

/// Headers are explored with the files that include them.
bool isHeader(const std::string& path);

/// Whether the two texts are the same program; for texts too large to compare at every keystroke, no.
/// `reached`: the functions that it comes to; the bodies of others do not matter. Empty: unknown.
bool sameText(FileSession& session, const std::shared_ptr<const PositionMap>& before,
              const std::shared_ptr<const PositionMap>& after, const std::set<std::string>& reached = {});

}  // namespace heddle
