// ChosenEntry: which entry of a compile database a file is explored with when it has several, such as one for
// a library and one for a program, where locks may be there in one of the two only.
//
// Threading: as Engine.
#pragma once

#include "server/engine.h"

namespace heddle {

/// `engine`, whose commands are those of the first entry under which some function of the file as it is
/// stored starts threads, locks, waits or updates atomically; of the first entry, where none does. What a
/// look at the text suspects is told of all entries.
Engine withChosenEntries(Engine engine);

}  // namespace heddle
