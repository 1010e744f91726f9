#include "analysis/interp/core/sections.h"

#include <algorithm>

#include "analysis/interp/core/execution.h"

namespace heddle {

void Sections::begin(Thread& t) {
  if (t.atomic.depth++ > 0) return;
  t.atomic.number = ++t.atomic.count;
  t.atomic.isUsed = false;
  t.atomic.cells.clear();
  t.atomic.branches.clear();
}

void Sections::end(Thread& t) {
  if (t.atomic.depth == 0 || --t.atomic.depth > 0) return;
  t.atomic.number = 0;
  t.atomic.undo.clear();
  if (t.atomic.isUsed) run_.sink().sectionEnd(t.id);
}

void Sections::noteUndo(Thread& t, const Target& target, unsigned size) {
  if (!t.atomic.number) return;
  t.atomic.undo.push_back(
      {target, size, memory_.read(*target.object, target.offset, size), t.next.event.cells});
}

void Sections::noteValues(Thread& t, const std::vector<Value>& values) {
  if (!t.atomic.number || locations_.everyAccessIsEvent()) return;
  for (size_t i = 0; i < values.size(); ++i) {
    const auto known = std::find_if(t.atomic.cells.begin(), t.atomic.cells.end(),
                                    [&](const auto& cell) { return cell.first == t.next.event.cells[i]; });
    if (known != t.atomic.cells.end())
      known->second = values[i];
    else
      t.atomic.cells.emplace_back(t.next.event.cells[i], values[i]);
  }
}

std::optional<Value> Sections::value(Thread& t, const Target& target, unsigned size) {
  if (!t.atomic.number || t.atomic.cells.empty()) return std::nullopt;
  Event event;
  locations_.cells(target.object->id, static_cast<uint32_t>(target.offset), size, event.cells);
  run_.noteKnowledge();
  std::vector<Value> values;
  for (const LocationId id : event.cells) {
    const auto known = std::find_if(t.atomic.cells.begin(), t.atomic.cells.end(),
                                    [&](const auto& cell) { return cell.first == id; });
    if (known == t.atomic.cells.end()) return std::nullopt;
    values.push_back(known->second);
  }
  return run_.accesses.joinCells(event, values);
}

void Sections::abandon(Thread& t) {
  if (!t.atomic.number) return;
  for (; !t.atomic.undo.empty(); t.atomic.undo.pop_back()) {
    const UndoEntry& entry = t.atomic.undo.back();
    memory_.write(*entry.target.object, entry.target.offset, entry.size, entry.old);
    for (const LocationId id : entry.cells) {
      const Cell& cell = locations_.cell(id);
      run_.sink().restored(id, memory_.read(*entry.target.object, cell.offset, cell.size));
    }
  }
  t.atomic.number = 0;
  t.atomic.depth = 0;
}

bool Sections::giveUpBlocked() {
  if (!holder_) return false;
  run_.stop(*holder_);
  holder_ = nullptr;
  return true;
}

void Sections::performed(Thread& t, uint32_t section) {
  holder_ = section && t.atomic.number == section && t.next.isGiven ? &t : nullptr;
}

}  // namespace heddle
