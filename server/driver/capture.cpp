#include "server/driver/capture.h"

#include <filesystem>
#include <ostream>
#include <set>

#include "analysis/compile/command_database.h"
#include "server/capture/captured_file.h"
#include "server/capture/traced_build.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostOfFile = size_t{512} << 20;  // bytes; no more is read of a database either

/// What the compilers of a build are called with. The programs that a compiler starts are part of its call.
class SeenCalls {
 public:
  void add(const Execution& execution) {
    if (!isCompilerCall(execution.arguments) || isWithinCall(execution.process)) return;
    running_.insert(execution.process);
    ++calls_;
    for (CapturedEntry& entry : entriesOf(execution.arguments, execution.directory))
      entries_.push_back(std::move(entry));
  }
  void remove(pid_t process) { running_.erase(process); }

  const std::vector<CapturedEntry>& entries() const { return entries_; }
  size_t calls() const { return calls_; }

 private:
  bool isWithinCall(pid_t process) const {
    for (pid_t at = process; at > 1 && !running_.empty(); at = parentOf(at))
      if (running_.contains(at)) return true;
    return false;
  }

  std::set<pid_t> running_;
  std::vector<CapturedEntry> entries_;
  size_t calls_ = 0;
};

/// What is in the file now; nothing, and a line of error, where it is another tool's.
std::optional<std::vector<CapturedEntry>> entriesThere(const std::string& path, std::ostream& err) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(path, error))) return std::vector<CapturedEntry>{};
  const std::optional<std::string> text = readRegularFile(path, kMostOfFile);
  std::optional<std::vector<CapturedEntry>> entries;
  if (text) entries = capturedEntries(*text);
  if (!entries)
    err << "heddle: error: " << path
        << ": is there, and `heddle capture` has not written it; remove it, or name another folder with -o "
           "DIR\n";
  return entries;
}

std::string counted(size_t count, const char* what) {
  return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

/// How to go on: `check` and `scan` find the file by themselves only from here, and in `build/`.
std::string nextStep(const std::string& folder) {
  const std::string at = fs::path(folder).lexically_normal().string();
  const bool isFound = at == "." || at == "build" || at == "build/" || at == "./";
  return isFound ? "heddle scan ." : "heddle scan . -p " + folder;
}

}  // namespace

int runCapture(const CaptureCommand& command, Streams streams) {
  const std::string path = (fs::path(command.folder) / "compile_commands.json").lexically_normal().string();
  const auto refuse = [&](const std::string& why) {
    streams.err << "heddle: error: " << why << '\n' << std::flush;
    return kExitUsage;
  };
  std::error_code error;
  fs::create_directories(command.folder, error);
  if (!fs::is_directory(command.folder, error))
    return refuse(command.folder + ": is no folder; name one with -o DIR");
  if (!entriesThere(path, streams.err)) return kExitUsage;  // before a long build

  SeenCalls seen;
  const BuildEnd end = runTraced(command.build, {[&](const Execution& execution) { seen.add(execution); },
                                                 [&](pid_t process) { seen.remove(process); }});
  if (!end.problem.empty()) return refuse(end.problem);

  const auto there = entriesThere(path, streams.err);  // the build may have written one
  if (!there) return end.code != 0 ? end.code : kExitUsage;
  const std::vector<CapturedEntry> fresh = mergedEntries({}, seen.entries());
  if (fresh.empty()) {
    streams.err << "heddle: nothing captured: "
                << (seen.calls() == 0 ? "no C compiler was started"
                                      : "no call of a C compiler compiled a C file")
                << "; if all is up to date, clean first (make clean) or build all again (make -B)"
                << (there->empty() ? "" : "; " + path + " stays as it is") << '\n'
                << std::flush;
    return end.code;
  }
  const std::vector<CapturedEntry> entries = mergedEntries(*there, fresh);
  if (!replaceFile(path, capturedText(entries))) {
    const int code = refuse(path + ": cannot be written; check the folder and its permissions");
    return end.code != 0 ? end.code : code;
  }
  streams.err << "heddle: " << path << ": " << counted(sourcesOf(fresh), "C file") << " captured";
  if (const size_t all = sourcesOf(entries); all != sourcesOf(fresh))
    streams.err << ", " << all << " with those of earlier builds";
  if (end.code != 0)
    streams.err << "; the build failed (exit code " << end.code << "), so some may be missing";
  streams.err << "; next: " << nextStep(command.folder) << '\n' << std::flush;
  return end.code;
}

}  // namespace heddle
