#include "analysis/compile/content_hash.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA256.h>

namespace heddle {

std::string sha256Of(std::string_view text) {
  llvm::SHA256 hash;
  hash.update(llvm::StringRef(text.data(), text.size()));
  const auto digest = hash.final();
  return llvm::toHex(llvm::ArrayRef<uint8_t>(digest), true);
}

}  // namespace heddle
