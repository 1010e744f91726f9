#include "analysis/interp/core/sections.h"

#include <algorithm>

#include "analysis/interp/core/execution.h"

namespace heddle {

void Sections::begin(Thread& t) {
  if (t.sectionDepth++ > 0) return;
  t.section = ++t.sections;
  t.sectionUsed = false;
  t.sectionCells.clear();
  t.sectionBranches.clear();
}

void Sections::end(Thread& t) {
  if (t.sectionDepth == 0 || --t.sectionDepth > 0) return;
  t.section = 0;
  t.undo.clear();
  if (t.sectionUsed) run_.sink().sectionEnd(t.id);
}

void Sections::noteUndo(Thread& t, const Target& target, unsigned size) {
  if (!t.section) return;
  t.undo.push_back({target, size, memory_.read(*target.object, target.offset, size), t.pending.cells});
}

void Sections::noteValues(Thread& t, const std::vector<Value>& values) {
  if (!t.section || locations_.everyAccessIsEvent()) return;
  for (size_t i = 0; i < values.size(); ++i) {
    const auto known = std::find_if(t.sectionCells.begin(), t.sectionCells.end(),
                                    [&](const auto& cell) { return cell.first == t.pending.cells[i]; });
    if (known != t.sectionCells.end())
      known->second = values[i];
    else
      t.sectionCells.emplace_back(t.pending.cells[i], values[i]);
  }
}

std::optional<Value> Sections::value(Thread& t, const Target& target, unsigned size) {
  if (!t.section || t.sectionCells.empty()) return std::nullopt;
  Event event;
  locations_.cells(target.object->id, static_cast<uint32_t>(target.offset), size, event.cells);
  run_.noteKnowledge();
  std::vector<Value> values;
  for (const LocationId id : event.cells) {
    const auto known = std::find_if(t.sectionCells.begin(), t.sectionCells.end(),
                                    [&](const auto& cell) { return cell.first == id; });
    if (known == t.sectionCells.end()) return std::nullopt;
    values.push_back(known->second);
  }
  return run_.accesses.joinCells(event, values);
}

void Sections::abandon(Thread& t) {
  if (!t.section) return;
  for (; !t.undo.empty(); t.undo.pop_back()) {
    const UndoEntry& entry = t.undo.back();
    memory_.write(*entry.target.object, entry.target.offset, entry.size, entry.old);
    for (const LocationId id : entry.cells) {
      const Cell& cell = locations_.cell(id);
      run_.sink().restored(id, memory_.read(*entry.target.object, cell.offset, cell.size));
    }
  }
  t.section = 0;
  t.sectionDepth = 0;
}

bool Sections::giveUpBlocked() {
  if (!holder_) return false;
  run_.stop(*holder_);
  holder_ = nullptr;
  return true;
}

void Sections::performed(Thread& t, uint32_t section) {
  holder_ = section && t.section == section && t.waiting ? &t : nullptr;
}

}  // namespace heddle
