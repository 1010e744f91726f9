#include "server/version.h"

namespace heddle {

const char* heddleVersion() {
  return HEDDLE_VERSION;
}

}  // namespace heddle
