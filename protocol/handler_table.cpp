#include "protocol/handler_table.h"

namespace heddle::lsp {

const HandlerTable::RawRequest* HandlerTable::findRequest(const std::string& method) const {
  const auto it = requests_.find(method);
  return it == requests_.end() ? nullptr : &it->second;
}

const HandlerTable::RawNotification* HandlerTable::findNotification(const std::string& method) const {
  const auto it = notifications_.find(method);
  return it == notifications_.end() ? nullptr : &it->second;
}

}  // namespace heddle::lsp
