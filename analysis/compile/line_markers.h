// Line markers: `# 12 "file.h"` and `#line 12` lines of preprocessed or generated text.
//
// They are blanked out in the main text, because findings must point into the text that the user has open; it
// is often the only one that exists (public verification tasks are preprocessed files).
//
// Threading: pure function.
#pragma once

#include <string>

namespace heddle {

/// `text` of the same length and the same lines, with every line marker replaced by spaces.
std::string withoutLineMarkers(std::string text);

}  // namespace heddle
