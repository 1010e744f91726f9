#include "analysis/model/event.h"

namespace heddle {

const char* toString(EventKind kind) {
  switch (kind) {
    case EventKind::Start:
      return "start";
    case EventKind::End:
      return "end";
    case EventKind::Read:
      return "read";
    case EventKind::Write:
      return "write";
    case EventKind::Update:
      return "update";
    case EventKind::Lock:
      return "lock";
    case EventKind::Unlock:
      return "unlock";
    case EventKind::LockBusy:
      return "lock busy";
    case EventKind::Create:
      return "create";
    case EventKind::Join:
      return "join";
    case EventKind::Wait:
      return "wait";
    case EventKind::Wake:
      return "wake";
    case EventKind::Signal:
      return "signal";
    case EventKind::Broadcast:
      return "broadcast";
  }
  return "?";
}

}  // namespace heddle
