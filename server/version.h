// The version that --version, the JSON report and the LSP handshake show.
#pragma once

namespace heddle {

const char* heddleVersion();

}  // namespace heddle
