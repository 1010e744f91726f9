// Diagnostics and textDocument/publishDiagnostics. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "protocol/base.h"

namespace heddle::lsp {

enum class DiagnosticSeverity : uint8_t { Error = 1, Warning = 2, Information = 3, Hint = 4 };
void to_json(json& value, DiagnosticSeverity in);
void from_json(const json& value, DiagnosticSeverity& out);

enum class DiagnosticTag : uint8_t { Unnecessary = 1, Deprecated = 2 };
void to_json(json& value, DiagnosticTag in);
void from_json(const json& value, DiagnosticTag& out);

struct DiagnosticRelatedInformation {
  Location location;
  std::string message;
  bool operator==(const DiagnosticRelatedInformation&) const = default;
};
void to_json(json& value, const DiagnosticRelatedInformation& in);
void from_json(const json& value, DiagnosticRelatedInformation& out);

struct CodeDescription {
  std::string href;
  bool operator==(const CodeDescription&) const = default;
};
void to_json(json& value, const CodeDescription& in);
void from_json(const json& value, CodeDescription& out);

/// Ours are words ("heddle-race"); numbers come back in code actions with the diagnostics of other servers.
struct DiagnosticCode {
  std::variant<int64_t, std::string> value = std::string();
  bool operator==(const DiagnosticCode&) const = default;
};
void to_json(json& value, const DiagnosticCode& in);
void from_json(const json& value, DiagnosticCode& out);

struct Diagnostic {
  Range range;
  std::optional<DiagnosticSeverity> severity;
  std::optional<DiagnosticCode> code;
  std::optional<CodeDescription> codeDescription;
  std::optional<std::string> source;
  std::string message;
  std::optional<std::vector<DiagnosticTag>> tags;
  std::optional<std::vector<DiagnosticRelatedInformation>> relatedInformation;
  json data;  // null: absent
  bool operator==(const Diagnostic&) const = default;
};
void to_json(json& value, const Diagnostic& in);
void from_json(const json& value, Diagnostic& out);

/// textDocument/diagnostic (pull)
struct DocumentDiagnosticParams {
  TextDocumentIdentifier textDocument;
  std::optional<std::string> identifier;
  std::optional<std::string> previousResultId;
  bool operator==(const DocumentDiagnosticParams&) const = default;
};
void to_json(json& value, const DocumentDiagnosticParams& in);
void from_json(const json& value, DocumentDiagnosticParams& out);

/// Its answer: `kind` is "full" with items, or "unchanged" without.
struct DocumentDiagnosticReport {
  std::string kind = "full";
  std::optional<std::string> resultId;
  std::optional<std::vector<Diagnostic>> items;
  bool operator==(const DocumentDiagnosticReport&) const = default;
};
void to_json(json& value, const DocumentDiagnosticReport& in);
void from_json(const json& value, DocumentDiagnosticReport& out);

struct PublishDiagnosticsParams {
  DocumentUri uri;
  std::optional<int32_t> version;
  std::vector<Diagnostic> diagnostics;
  bool operator==(const PublishDiagnosticsParams&) const = default;
};
void to_json(json& value, const PublishDiagnosticsParams& in);
void from_json(const json& value, PublishDiagnosticsParams& out);

}  // namespace heddle::lsp
