// Load snapshot: the texts and compile commands of the files that the main loop only named, so that it never
// waits for a disk. Unsaved texts come before those on disk.
//
// Threading: pure functions, but for the look at the disk; meant for a worker.
#pragma once

#include <string>

#include "server/engine.h"

namespace heddle {

/// `textFromDisk`: the snapshot names its first file without giving its text. `problem` is set to one line
/// when a compile database is damaged. A file that cannot be read has no text.
void loadSnapshot(Snapshot& snapshot, bool textFromDisk, const Engine& engine, std::string* problem);

}  // namespace heddle
