// Realize: writes a repair plan as new texts of the files that it changes.
//
// The places of a plan are looked up in Clang's tree of the snapshot, not by a search of the text. If a
// plan cannot be written, the result has the reason. verify.h decides whether the result is right.
//
// Threading: any thread; several at once.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/pipeline/pipeline.h"
#include "analysis/repair_plan.h"

namespace heddle {

/// How a plan is written if there is a choice.
struct RealizeStyle {
  bool newLock = false;     // do not use the plan's existing mutex
  bool headsOnly = false;   // for an access in the head of a loop or if: hold the mutex only for the head
  bool moveCreate = false;  // MoveBeforeCreate: the create moves behind the access instead
  bool operator==(const RealizeStyle&) const = default;
};

struct Realization {
  std::map<std::string, std::string> texts;  // new text by absolute path; empty: see `problem`
  std::string title;                         // "guard 'x' with a new mutex 'x_mutex'"
  std::string problem;                       // why it cannot be written, one sentence without a period
  bool newLock = false;
};

Realization realize(const Snapshot& snapshot, const RepairPlan& plan, const RealizeStyle& style = {});

struct WrittenPlan {
  RepairPlan plan;
  RealizeStyle style;
};
/// The same for several plans, each one independently, with one compilation of the text (in a program of
/// several files: one for each plan). There is one result for each plan, in their order.
std::vector<Realization> realizeAll(const Snapshot& snapshot, const std::vector<WrittenPlan>& plans);

/// The snapshot with the new texts in place of the old ones.
Snapshot patched(const Snapshot& snapshot, const std::map<std::string, std::string>& texts);

/// The text of a file as the snapshot has it: the main text, an overlay or the disk.
std::string textIn(const Snapshot& snapshot, const std::string& path);

}  // namespace heddle
