// ChangedLines: the text after edits, with the new lines formatted as the file's .clang-format says.
//
// Lines that the edits do not change stay the same to the byte, even if clang-format would change them: a
// repair must not reformat the user's code.
//
// Threading: pure functions.
#pragma once

#include <string>
#include <vector>

#include "analysis/pipeline/pipeline.h"
#include "analysis/repair/text_edits.h"

namespace heddle {

/// `edits` must be sorted and must not overlap. If there is no valid .clang-format, the edits are applied
/// without formatting.
std::string formattedChange(const Snapshot& snapshot, const std::string& path, const std::string& text,
                            const std::vector<ByteEdit>& edits);

}  // namespace heddle
