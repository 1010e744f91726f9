// `heddle lsp`: one session over a pair of descriptors, from the first byte to the exit code.
//
// Threading: runs the main loop on the calling thread until the session ends.
#pragma once

#include "server/lsp_server.h"

namespace heddle {

/// 0 after shutdown and exit; 1 when the session ended in any other way.
int serve(int input, int output, ServerOptions options);

/// On stdin and stdout, with the log on stderr.
int serveStdio(Engine engine);

}  // namespace heddle
