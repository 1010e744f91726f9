// window/showMessage, showMessageRequest, logMessage, showDocument. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocol/base.h"

namespace heddle::lsp {

enum class MessageType : uint8_t { Error = 1, Warning = 2, Info = 3, Log = 4 };
void to_json(json& value, MessageType in);
void from_json(const json& value, MessageType& out);

/// window/showMessage
struct ShowMessageParams {
  MessageType type = MessageType::Info;
  std::string message;
  bool operator==(const ShowMessageParams&) const = default;
};
void to_json(json& value, const ShowMessageParams& in);
void from_json(const json& value, ShowMessageParams& out);

/// window/logMessage
struct LogMessageParams {
  MessageType type = MessageType::Log;
  std::string message;
  bool operator==(const LogMessageParams&) const = default;
};
void to_json(json& value, const LogMessageParams& in);
void from_json(const json& value, LogMessageParams& out);

struct MessageActionItem {
  std::string title;
  bool operator==(const MessageActionItem&) const = default;
};
void to_json(json& value, const MessageActionItem& in);
void from_json(const json& value, MessageActionItem& out);

/// window/showMessageRequest; the result is std::optional<MessageActionItem>.
struct ShowMessageRequestParams {
  MessageType type = MessageType::Info;
  std::string message;
  std::optional<std::vector<MessageActionItem>> actions;
  bool operator==(const ShowMessageRequestParams&) const = default;
};
void to_json(json& value, const ShowMessageRequestParams& in);
void from_json(const json& value, ShowMessageRequestParams& out);

/// window/showDocument
struct ShowDocumentParams {
  std::string uri;
  std::optional<bool> external;
  std::optional<bool> takeFocus;
  std::optional<Range> selection;
  bool operator==(const ShowDocumentParams&) const = default;
};
void to_json(json& value, const ShowDocumentParams& in);
void from_json(const json& value, ShowDocumentParams& out);

struct ShowDocumentResult {
  bool success = false;
  bool operator==(const ShowDocumentResult&) const = default;
};
void to_json(json& value, const ShowDocumentResult& in);
void from_json(const json& value, ShowDocumentResult& out);

}  // namespace heddle::lsp
