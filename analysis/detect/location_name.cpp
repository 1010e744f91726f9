#include "analysis/detect/location_name.h"

#include "analysis/model/sync_rule.h"

namespace heddle {

namespace {

/// Named after the variable (see SyncTable::object). Other objects of the library have other sizes.
bool isSyncState(const ObjectName& name) {
  return name.kind == ObjectKind::Library && name.owner == kNone && name.size == kSyncBytes;
}

}  // namespace

bool isLifeByte(const ObjectName& name) {
  return name.kind == ObjectKind::Library && name.site >= Program::kFirstLife && name.size == 1;
}

std::string locationName(const Program& program, Runner& runner, LocationId location, PlaceId place) {
  return locationName(program, runner.names(), runner.locations().cell(location), place);
}

std::string locationName(const Program& program, const Names& names, const Cell& cell, PlaceId place) {
  const ObjectName& name = names.info(cell.object).name;
  if (isSyncState(name)) return program.describeAt(place, names.info(name.site).name, name.ordinal);
  if (isLifeByte(name)) return program.describeAt(place, program.ownerOf(name));
  return program.describeAt(place, name, cell.offset, cell.size);
}

FindingObject findingObject(const Program& program, Runner& runner, LocationId location) {
  return findingObject(program, runner.names(), runner.locations().cell(location));
}

FindingObject findingObject(const Program& program, const Names& names, const Cell& cell) {
  const ObjectName& name = names.info(cell.object).name;
  if (isSyncState(name)) return findingObject(program, names.info(name.site).name, name.ordinal, 1);
  return findingObject(program, name, cell.offset, cell.size);
}

FindingObject findingObject(const Program& program, const ObjectName& name, uint64_t offset, uint64_t size) {
  const std::string text = withoutIndices(program.describe(name, offset, size));
  return {text + '#' + std::to_string(static_cast<int>(name.kind)) + '.' + std::to_string(name.site),
          withoutIndices(program.describeWithoutPlace(name, offset, size))};
}

std::string withoutIndices(const std::string& name) {
  std::string out;
  bool inside = false;
  for (const char c : name) {
    if (c == ']') inside = false;
    if (!inside) out += c;
    if (c == '[') inside = true;
  }
  return out;
}

}  // namespace heddle
