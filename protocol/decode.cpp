#include "protocol/decode.h"

namespace heddle::lsp {

ResponseError decodeError(std::string_view method, std::string_view what) {
  // "[json.exception.type_error.302] (/position/line) …": the bracket says nothing to a client.
  if (what.starts_with("[json.exception.")) {
    if (size_t end = what.find("] "); end != std::string_view::npos) what.remove_prefix(end + 2);
  }
  return {ErrorCode::InvalidParams, "failed to decode " + std::string(method) + ": " + std::string(what), {}};
}

}  // namespace heddle::lsp
