// Guarded files: the only view that Clang gets of the disk.
//
// Reading only, through a working directory of its own; regular files of bounded size only, so that an
// #include of a pipe, a device or a huge file can neither block the analysis nor fill the memory. Unsaved
// texts lie over it.
//
// Threading: one compile at a time per instance.
#pragma once

#include <map>
#include <string>

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace heddle {

/// A file system with `overlays` (absolute path → text) over the disk, in the working directory `directory`.
/// The texts must outlive it. The modification time of an overlay is made from its text: equal times and
/// sizes mean equal texts, which is what a preamble's check compares.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> guardedFiles(
    const std::map<std::string, std::string>& overlays, const std::string& directory);

}  // namespace heddle
