#include "tests/paths/paths.h"

namespace heddle {

std::string sourceDirectory() {
  return HEDDLE_SOURCE_DIR;
}
std::string binaryDirectory() {
  return HEDDLE_BINARY_DIR;
}

}  // namespace heddle
