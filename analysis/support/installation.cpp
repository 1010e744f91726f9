#include "analysis/support/installation.h"

#include <system_error>

namespace heddle {

namespace fs = std::filesystem;

fs::path programPathFor(const fs::path& executable) {
  if (!executable.filename().string().starts_with("ld-linux")) return executable;
  return (executable.parent_path() / "../../bin/heddle").lexically_normal();
}

fs::path programPath() {
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : programPathFor(executable);
}

std::string commandToStartAgain() {
  constexpr const char* kSelf = "/proc/self/exe";
  std::error_code error;
  const fs::path executable = fs::read_symlink(kSelf, error), program = programPathFor(executable);
  return program == executable ? kSelf : program.string();
}

}  // namespace heddle
