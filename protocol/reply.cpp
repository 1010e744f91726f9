#include "protocol/reply.h"

namespace heddle::lsp {

ReplyOnce& ReplyOnce::operator=(ReplyOnce&& other) noexcept {
  if (this != &other) {
    if (request_) request_->abandon();
    request_ = std::move(other.request_);
  }
  return *this;
}

ReplyOnce::~ReplyOnce() {
  if (request_) request_->abandon();
}

void ReplyOnce::result(json value) {
  request_->answer(std::move(value));
}

void ReplyOnce::error(ErrorCode code, std::string message) {
  error({code, std::move(message), {}});
}

void ReplyOnce::error(ResponseError error) {
  request_->answer(std::move(error));
}

void ReplyOnce::cancelled() {
  request_->answer(cancelError(request_->reason()));
}

}  // namespace heddle::lsp
