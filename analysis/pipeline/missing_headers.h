// Missing headers: all that a file includes in vain, with the files of that name in the tree around it, so
// that the folders to name are told at once.
//
// Threading: any thread; reads folders, a bounded number of entries.
#pragma once

#include <vector>

#include "analysis/compile/compiler.h"
#include "analysis/report.h"

namespace heddle {

/// `path`: the absolute path of the file that was compiled.
std::vector<MissingHeader> missingHeadersOf(const std::vector<CompileMessage>& messages,
                                            const std::string& path);

}  // namespace heddle
