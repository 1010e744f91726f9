// Journal: the runs of an exploration in a file, so that it can be stopped at any time and resumed.
//
// A run is a function of the scheduler's choices and of its inputs, and the forest is a function of the runs
// in their order. So the file holds choices and inputs only: resuming executes the recorded runs again
// (without asking a solver anything) and goes on from there. Each run is appended by one write when it has
// ended; a process that is killed loses at most the run that it was in, and a torn last line is cut off.
//
// The first line names the program and the options: a file of another program is refused, never mixed in.
//
// Threading: belongs to one exploration. One process at a time: the file is locked while it is open.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/explore/forest/forest_builder.h"
#include "analysis/interp/core/scheduler.h"
#include "analysis/support/append_log.h"

namespace heddle {

struct RecordedRun {
  std::vector<std::pair<ThreadId, uint32_t>> choices;  // thread, how many times in a row
  std::vector<uint64_t> inputs;                        // in the order in which the run asked for them
};

class Journal {
 public:
  /// Reads the file at `path`, or creates it. Null, with one line in `error`, if the file belongs to
  /// another program, is open elsewhere, or cannot be read or written.
  static std::unique_ptr<Journal> open(const std::string& path, uint64_t fingerprint, std::string& error);

  /// The runs that the file had when it was opened.
  const std::vector<RecordedRun>& runs() const { return runs_; }
  /// False if the run could not be written, for example because the disk is full.
  bool append(const RecordedRun& run);

 private:
  explicit Journal(std::unique_ptr<AppendLog> log) : log_(std::move(log)) {}

  std::unique_ptr<AppendLog> log_;
  std::vector<RecordedRun> runs_;
};

/// Passes on the choices of another scheduler and records them.
class RecordingScheduler : public Scheduler {
 public:
  RecordingScheduler(Scheduler& inner, RecordedRun& run) : inner_(inner), run_(run) {}
  std::optional<ThreadId> next(std::span<const Event* const> enabled) override;

 private:
  Scheduler& inner_;
  RecordedRun& run_;
};

class RecordingInputs : public InputSource {
 public:
  RecordingInputs(InputSource& inner, RecordedRun& run) : inner_(inner), run_(run) {}
  uint64_t value(const InputRequest& request, NodeId node) override;
  bool symbolic() const override { return inner_.symbolic(); }

 private:
  InputSource& inner_;
  RecordedRun& run_;
};

/// Repeats a recorded run. If the program does not follow it, the run ends early and diverged() is true.
class RecordedScheduler : public Scheduler {
 public:
  explicit RecordedScheduler(const RecordedRun& run) : run_(run) {}
  std::optional<ThreadId> next(std::span<const Event* const> enabled) override;
  bool diverged() const { return diverged_; }

 private:
  const RecordedRun& run_;
  size_t at_ = 0;
  uint32_t done_ = 0;
  bool diverged_ = false;
};

class RecordedInputs : public InputSource {
 public:
  explicit RecordedInputs(const RecordedRun& run) : run_(run) {}
  uint64_t value(const InputRequest&, NodeId) override {
    return at_ < run_.inputs.size() ? run_.inputs[at_++] : 0;
  }

 private:
  const RecordedRun& run_;
  size_t at_ = 0;
};

}  // namespace heddle
