// LSP base types: positions, edits, document identifiers. Plain data with the specification's names.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "protocol/json.h"
#include "protocol/uri.h"

namespace heddle::lsp {

struct Position {
  uint32_t line = 0;
  uint32_t character = 0;  // in units of the negotiated encoding
  auto operator<=>(const Position&) const = default;
};
void to_json(json& value, const Position& in);
void from_json(const json& value, Position& out);

struct Range {
  Position start;
  Position end;  // exclusive
  auto operator<=>(const Range&) const = default;
};
void to_json(json& value, const Range& in);
void from_json(const json& value, Range& out);

struct Location {
  DocumentUri uri;
  Range range;
  auto operator<=>(const Location&) const = default;
};
void to_json(json& value, const Location& in);
void from_json(const json& value, Location& out);

struct TextDocumentIdentifier {
  DocumentUri uri;
  bool operator==(const TextDocumentIdentifier&) const = default;
};
void to_json(json& value, const TextDocumentIdentifier& in);
void from_json(const json& value, TextDocumentIdentifier& out);

struct VersionedTextDocumentIdentifier {
  DocumentUri uri;
  int32_t version = 0;
  bool operator==(const VersionedTextDocumentIdentifier&) const = default;
};
void to_json(json& value, const VersionedTextDocumentIdentifier& in);
void from_json(const json& value, VersionedTextDocumentIdentifier& out);

struct OptionalVersionedTextDocumentIdentifier {
  DocumentUri uri;
  std::optional<int32_t>
      version;  // absent: written as null (the file on disk), as the specification requires
  bool operator==(const OptionalVersionedTextDocumentIdentifier&) const = default;
};
void to_json(json& value, const OptionalVersionedTextDocumentIdentifier& in);
void from_json(const json& value, OptionalVersionedTextDocumentIdentifier& out);

struct TextDocumentItem {
  DocumentUri uri;
  std::string languageId;
  int32_t version = 0;
  std::string text;
  bool operator==(const TextDocumentItem&) const = default;
};
void to_json(json& value, const TextDocumentItem& in);
void from_json(const json& value, TextDocumentItem& out);

struct TextDocumentPositionParams {
  TextDocumentIdentifier textDocument;
  Position position;
  bool operator==(const TextDocumentPositionParams&) const = default;
};
void to_json(json& value, const TextDocumentPositionParams& in);
void from_json(const json& value, TextDocumentPositionParams& out);

/// With an annotationId it is the specification's AnnotatedTextEdit.
struct TextEdit {
  Range range;
  std::string newText;
  std::optional<std::string> annotationId;
  bool operator==(const TextEdit&) const = default;
};
void to_json(json& value, const TextEdit& in);
void from_json(const json& value, TextEdit& out);

struct TextDocumentEdit {
  OptionalVersionedTextDocumentIdentifier textDocument;
  std::vector<TextEdit> edits;
  bool operator==(const TextDocumentEdit&) const = default;
};
void to_json(json& value, const TextDocumentEdit& in);
void from_json(const json& value, TextDocumentEdit& out);

struct ChangeAnnotation {
  std::string label;
  std::optional<bool> needsConfirmation;
  std::optional<std::string> description;
  bool operator==(const ChangeAnnotation&) const = default;
};
void to_json(json& value, const ChangeAnnotation& in);
void from_json(const json& value, ChangeAnnotation& out);

/// Text edits only; file creation, renaming and deletion are not used.
struct WorkspaceEdit {
  std::optional<std::map<DocumentUri, std::vector<TextEdit>>> changes;
  std::optional<std::vector<TextDocumentEdit>> documentChanges;
  std::optional<std::map<std::string, ChangeAnnotation>> changeAnnotations;
  bool operator==(const WorkspaceEdit&) const = default;
};
void to_json(json& value, const WorkspaceEdit& in);
void from_json(const json& value, WorkspaceEdit& out);

struct Command {
  std::string title;
  std::string command;
  std::optional<std::vector<json>> arguments;
  bool operator==(const Command&) const = default;
};
void to_json(json& value, const Command& in);
void from_json(const json& value, Command& out);

enum class MarkupKind : uint8_t { PlainText, Markdown };
void to_json(json& value, MarkupKind in);
void from_json(const json& value, MarkupKind& out);

struct MarkupContent {
  MarkupKind kind = MarkupKind::PlainText;
  std::string value;
  bool operator==(const MarkupContent&) const = default;
};
void to_json(json& value, const MarkupContent& in);
void from_json(const json& value, MarkupContent& out);

struct WorkspaceFolder {
  DocumentUri uri;
  std::string name;
  bool operator==(const WorkspaceFolder&) const = default;
};
void to_json(json& value, const WorkspaceFolder& in);
void from_json(const json& value, WorkspaceFolder& out);

}  // namespace heddle::lsp
