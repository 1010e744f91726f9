#include "analysis/explore/run/journal.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>

namespace heddle {

namespace {

constexpr const char* kTitle = "heddle-checkpoint 1 ";

std::string headerLine(uint64_t fingerprint) {
  return kTitle + std::to_string(fingerprint) + "\n";
}

/// "0*7 1*2 | 3 18446744073709551615": choices, then inputs.
std::string lineOf(const RecordedRun& run) {
  std::string line;
  for (const auto& [thread, times] : run.choices)
    line += std::to_string(thread) + "*" + std::to_string(times) + " ";
  line += "|";
  for (const uint64_t input : run.inputs) line += " " + std::to_string(input);
  return line + "\n";
}

bool parse(const std::string& line, RecordedRun& run) {
  std::istringstream in(line);
  bool inputs = false;
  for (std::string word; in >> word;) {
    if (word == "|") {
      inputs = true;
      continue;
    }
    char* end = nullptr;
    const uint64_t number = std::strtoull(word.c_str(), &end, 10);
    if (inputs) {
      if (*end != '\0') return false;
      run.inputs.push_back(number);
      continue;
    }
    if (*end != '*') return false;
    const uint64_t times = std::strtoull(end + 1, &end, 10);
    if (*end != '\0') return false;
    run.choices.emplace_back(static_cast<ThreadId>(number), static_cast<uint32_t>(times));
  }
  return inputs;
}

}  // namespace

std::unique_ptr<Journal> Journal::open(const std::string& path, uint64_t fingerprint, std::string& error) {
  std::string text, problem;
  std::unique_ptr<AppendLog> log = AppendLog::open(path, text, problem);
  const auto failed = [&](const std::string& what) {
    error = "checkpoint '" + path + "': " + what;
    return nullptr;
  };
  if (!log) return failed(problem);
  const std::string header = headerLine(fingerprint);
  std::unique_ptr<Journal> journal(new Journal(std::move(log)));
  // Nothing in it, or killed while its first line was written.
  if (header.starts_with(text) && text.size() < header.size()) {
    if (!journal->log_->truncate(0) || !journal->log_->append(header)) return failed("cannot be written");
    return journal;
  }
  if (!text.starts_with(header))
    return failed(text.starts_with(kTitle)
                      ? "it is of another program or of other options; remove it or name another file"
                      : "it is no checkpoint; name another file");
  size_t begin = header.size();
  for (size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    RecordedRun run;
    if (!parse(text.substr(begin, end - begin), run)) break;
    journal->runs_.push_back(std::move(run));
  }
  // What comes after the last whole run cannot be used.
  if (begin != text.size() && !journal->log_->truncate(begin)) return failed("cannot be written");
  return journal;
}

bool Journal::append(const RecordedRun& run) {
  return log_->append(lineOf(run));
}

std::optional<ThreadId> RecordingScheduler::next(std::span<const Event* const> enabled) {
  const std::optional<ThreadId> thread = inner_.next(enabled);
  if (!thread) return thread;
  if (!run_.choices.empty() && run_.choices.back().first == *thread)
    ++run_.choices.back().second;
  else
    run_.choices.emplace_back(*thread, 1);
  return thread;
}

uint64_t RecordingInputs::value(const InputRequest& request, NodeId node) {
  run_.inputs.push_back(inner_.value(request, node));
  return run_.inputs.back();
}

std::optional<ThreadId> RecordedScheduler::next(std::span<const Event* const> enabled) {
  if (at_ == run_.choices.size()) return std::nullopt;
  const ThreadId thread = run_.choices[at_].first;
  if (std::none_of(enabled.begin(), enabled.end(), [&](const Event* e) { return e->thread == thread; })) {
    diverged_ = true;
    return std::nullopt;
  }
  if (++done_ == run_.choices[at_].second) {
    ++at_;
    done_ = 0;
  }
  return thread;
}

}  // namespace heddle
