#include "server/render/duration_text.h"

#include <cstdio>

namespace heddle {

std::string secondsText(std::chrono::duration<double> time, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f s", digits, time.count());
  return text;
}

}  // namespace heddle
