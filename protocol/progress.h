// $/progress and window/workDoneProgress/*. Plain data.
//
// A token must be used for one begin…end only. Percentages must never fall, and are left out when the total
// is unknown.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "protocol/json.h"

namespace heddle::lsp {

struct ProgressToken {
  std::variant<int64_t, std::string> value = int64_t{0};
  auto operator<=>(const ProgressToken&) const = default;
};
void to_json(json& value, const ProgressToken& in);
void from_json(const json& value, ProgressToken& out);

struct WorkDoneProgressBegin {
  std::string title;
  std::optional<bool> cancellable;
  std::optional<std::string> message;
  std::optional<uint32_t> percentage;
  bool operator==(const WorkDoneProgressBegin&) const = default;
};
void to_json(json& value, const WorkDoneProgressBegin& in);
void from_json(const json& value, WorkDoneProgressBegin& out);

struct WorkDoneProgressReport {
  std::optional<bool> cancellable;
  std::optional<std::string> message;
  std::optional<uint32_t> percentage;
  bool operator==(const WorkDoneProgressReport&) const = default;
};
void to_json(json& value, const WorkDoneProgressReport& in);
void from_json(const json& value, WorkDoneProgressReport& out);

struct WorkDoneProgressEnd {
  std::optional<std::string> message;
  bool operator==(const WorkDoneProgressEnd&) const = default;
};
void to_json(json& value, const WorkDoneProgressEnd& in);
void from_json(const json& value, WorkDoneProgressEnd& out);

/// $/progress; the JSON of `value` carries its `kind`.
struct ProgressParams {
  ProgressToken token;
  std::variant<WorkDoneProgressBegin, WorkDoneProgressReport, WorkDoneProgressEnd> value;
  bool operator==(const ProgressParams&) const = default;
};
void to_json(json& value, const ProgressParams& in);
void from_json(const json& value, ProgressParams& out);

/// window/workDoneProgress/create, a request to the client.
struct WorkDoneProgressCreateParams {
  ProgressToken token;
  bool operator==(const WorkDoneProgressCreateParams&) const = default;
};
void to_json(json& value, const WorkDoneProgressCreateParams& in);
void from_json(const json& value, WorkDoneProgressCreateParams& out);

/// window/workDoneProgress/cancel, a notification from the client.
struct WorkDoneProgressCancelParams {
  ProgressToken token;
  bool operator==(const WorkDoneProgressCancelParams&) const = default;
};
void to_json(json& value, const WorkDoneProgressCancelParams& in);
void from_json(const json& value, WorkDoneProgressCancelParams& out);

}  // namespace heddle::lsp
