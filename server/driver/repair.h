// `heddle repair`: explores a file, prints the verified patches as unified diffs, or writes one.
//
// Threading: call from one thread; ends early when `stop` is requested. Does not throw.
#pragma once

#include <map>
#include <stop_token>
#include <string>

#include "server/driver/check.h"
#include "server/driver/cli_options.h"
#include "server/engine.h"

namespace heddle {

/// The process' exit code: as for `check` of the file as it stands; after --apply, of the patched one.
int runRepair(const RepairCommand& command, const Engine& engine, Streams streams, std::stop_token stop);

/// Replaces files by new texts, each in one step. All are written beside the old ones first, and those that
/// were replaced are put back when one cannot be: all or none. `expected`: what each must still hold. Returns
/// an empty text or one line that says what is wrong and what to do.
std::string replaceFiles(const std::map<std::string, std::string>& texts,
                         const std::map<std::string, std::string>& expected);

}  // namespace heddle
