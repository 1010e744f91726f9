#include "protocol/outbox.h"

namespace heddle::lsp {

void Outbox::send(json message) {
  std::lock_guard lock(mutex_);
  if (send_) send_(std::move(message));
}

void Outbox::close() {
  std::lock_guard lock(mutex_);
  send_ = nullptr;
}

}  // namespace heddle::lsp
