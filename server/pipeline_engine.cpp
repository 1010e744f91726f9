#include "server/engine.h"

namespace heddle {

Engine pipelineEngine() {
  return {analyze, replay, findCompileCommand, commandFromFlags};
}

}  // namespace heddle
