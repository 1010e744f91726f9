// `heddle save FILE FINDING`: keeps a finding under `.heddle/` as a test that `heddle check` and the editor
// run before they explore.
//
// Threading: as check.h.
#pragma once

#include "server/driver/check.h"

namespace heddle {

int runSave(const SaveCommand& command, const Engine& engine, Streams streams, std::stop_token stop);

}  // namespace heddle
