#include "analysis/detect/location_name.h"

#include "analysis/model/sync_rule.h"

namespace heddle {

std::string locationName(const Program& program, Runner& runner, LocationId location) {
  const Cell& cell = runner.locations().cell(location);
  const ObjectName& name = runner.names().info(cell.object).name;
  // Named after the variable (see Execution::syncObject). Other objects of the library have other sizes.
  if (name.kind == ObjectKind::Library && name.owner == kNone && name.size == kSyncBytes)
    return program.describe(runner.names().info(name.site).name, name.ordinal, 1);
  return program.describe(name, cell.offset, cell.size);
}

}  // namespace heddle
