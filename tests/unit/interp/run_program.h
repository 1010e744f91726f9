// Runs a C text in the interpreter for a test: compile, lower, execute, learning which objects are shared.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analysis/interp/core/machine.h"
#include "analysis/program/program.h"
#include "tests/unit/interp/compile_text.h"

namespace heddle::test {

/// Makes inputs symbolic (with given values, 0 when missing), reads too if wanted, and checks every condition
/// and every written value: its term must evaluate to its concrete value under the values of the symbols.
class CheckingSink : public EventSink {
 public:
  CheckingSink(TermTable& terms, const Locations& locations) : terms_(terms), locations_(locations) {}
  std::map<ThreadId, std::vector<uint64_t>> inputValues;
  bool symbolicReads = false;
  /// The run repeats this one; null: it is none. Both must outlive the run.
  const Schedule* replayed = nullptr;
  const Names* names = nullptr;

  void start(const Event&, Value& argument) override;
  void read(const Event& event, std::span<Value> values) override;
  void write(const Event&, std::span<const Value> values) override;
  void beginUpdate(const Event& event, std::span<Value> old) override { read(event, old); }
  void endUpdate(const Event& event, std::span<const Value> updated) override { write(event, updated); }
  Value input(const InputRequest& request) override;
  bool isReplay() const override { return replayed != nullptr; }
  bool wasInput(const InputRequest& request) const override { return recorded(request) != nullptr; }
  void branch(const BranchInfo& info) override;
  void choice(ThreadId, PlaceId, Term term, uint64_t bits) override;
  void initialValue(LocationId id, const Value& value) override { initial[id] = value; }
  void failure(const Failure&) override {}

  std::vector<BranchInfo> branches;
  std::vector<std::pair<Term, uint64_t>> choices;
  std::map<LocationId, Value> initial;

 private:
  /// What the replayed run was given there.
  const std::vector<int64_t>* recorded(const InputRequest& request) const;
  Term fresh(uint64_t bits, unsigned width);
  void check(Term term, uint64_t bits);
  std::map<ThreadId, size_t> inputsGiven_;
  TermTable& terms_;
  const Locations& locations_;
  std::vector<uint64_t> values_;
};

struct ProgramRun {
  std::unique_ptr<Program> program;
  std::unique_ptr<Names> names;
  std::unique_ptr<TermTable> terms;
  std::unique_ptr<Locations> locations;
  std::unique_ptr<CheckingSink> sink;
  RunResult result;
  int relearned = 0;

  /// The trace as "T1 write x = 2" lines, without starts and ends.
  std::vector<std::string> trace() const;
  std::string output() const { return result.output; }
  std::string failure() const { return result.failures.empty() ? "" : result.failures.front().message; }
  uint32_t failureLine() const {
    return result.failures.empty() ? 0 : program->place(result.failures.front().place).line;
  }
};

struct RunOptions {
  std::string schedule;  // empty: round robin
  uint64_t seed = 0;     // not 0: random
  bool symbolicReads = false;
  bool everything = false;     // every access is an event
  bool keepKnowledge = false;  // of names and sharing, from the run before
  std::map<ThreadId, std::vector<uint64_t>> inputs;
  MachineOptions machine;
  std::vector<std::string> flags;
  Environment environment;
  std::string entry = "main";
  uint64_t steps = Budget::kUnlimitedSteps;
};

/// Runs `text`; starts again while the run shows that more is shared.
ProgramRun run(const std::string& text, const RunOptions& options = {});
/// Runs a program already lowered.
void runAgain(ProgramRun& run, const RunOptions& options);

}  // namespace heddle::test
