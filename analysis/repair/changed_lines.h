// ChangedLines: the text that edits make, its new lines with white space as the file's .clang-format wants
// it.
//
// Lines that the edits leave as they are stay so to the byte, also where clang-format would like them
// otherwise: a repair is no occasion to reformat somebody's code.
//
// Threading: pure functions.
#pragma once

#include <string>
#include <vector>

#include "analysis/pipeline/pipeline.h"
#include "analysis/repair/text_edits.h"

namespace heddle {

/// `edits` sorted and without overlap. Without a .clang-format, or with a damaged one, the edits as they are.
std::string formattedChange(const Snapshot& snapshot, const std::string& path, const std::string& text,
                            const std::vector<ByteEdit>& edits);

}  // namespace heddle
