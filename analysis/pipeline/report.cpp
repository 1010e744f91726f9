#include "analysis/report.h"

namespace heddle {

const char* toString(Verdict verdict) {
  switch (verdict) {
    case Verdict::Violated:
      return "violated";
    case Verdict::Verified:
      return "verified";
    case Verdict::VerifiedWithinBounds:
      return "verified-within-bounds";
    case Verdict::Incomplete:
      return "incomplete";
    case Verdict::Cancelled:
      return "cancelled";
    case Verdict::Unsupported:
      return "unsupported";
    case Verdict::Error:
      return "error";
  }
  return "error";
}

}  // namespace heddle
