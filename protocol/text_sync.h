// Text synchronization: didOpen, didChange (incremental and full), didSave, didClose. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocol/base.h"

namespace heddle::lsp {

struct DidOpenTextDocumentParams {
  TextDocumentItem textDocument;
  bool operator==(const DidOpenTextDocumentParams&) const = default;
};
void to_json(json& value, const DidOpenTextDocumentParams& in);
void from_json(const json& value, DidOpenTextDocumentParams& out);

struct TextDocumentContentChangeEvent {
  std::optional<Range> range;           // absent: `text` is the whole document
  std::optional<uint32_t> rangeLength;  // deprecated; the range counts
  std::string text;
  bool operator==(const TextDocumentContentChangeEvent&) const = default;
};
void to_json(json& value, const TextDocumentContentChangeEvent& in);
void from_json(const json& value, TextDocumentContentChangeEvent& out);

struct DidChangeTextDocumentParams {
  VersionedTextDocumentIdentifier textDocument;
  std::vector<TextDocumentContentChangeEvent> contentChanges;  // each applies to the result of the one before
  bool operator==(const DidChangeTextDocumentParams&) const = default;
};
void to_json(json& value, const DidChangeTextDocumentParams& in);
void from_json(const json& value, DidChangeTextDocumentParams& out);

struct DidSaveTextDocumentParams {
  TextDocumentIdentifier textDocument;
  std::optional<std::string> text;
  bool operator==(const DidSaveTextDocumentParams&) const = default;
};
void to_json(json& value, const DidSaveTextDocumentParams& in);
void from_json(const json& value, DidSaveTextDocumentParams& out);

struct DidCloseTextDocumentParams {
  TextDocumentIdentifier textDocument;
  bool operator==(const DidCloseTextDocumentParams&) const = default;
};
void to_json(json& value, const DidCloseTextDocumentParams& in);
void from_json(const json& value, DidCloseTextDocumentParams& out);

}  // namespace heddle::lsp
