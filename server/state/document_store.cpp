#include "server/state/document_store.h"

#include "protocol/uri.h"
#include "server/convert/located_finding.h"

namespace heddle {

std::string DocumentStore::keyOf(const lsp::DocumentUri& uri) {
  return lsp::pathFromUri(uri).value_or(uri);
}

const Document& DocumentStore::open(const lsp::TextDocumentItem& item) {
  Document document;
  document.key = keyOf(item.uri);
  document.uri = item.uri;
  document.path = lsp::pathFromUri(item.uri);
  document.languageId = item.languageId;
  document.version = item.version;
  document.map = std::make_shared<const PositionMap>(item.text);
  const std::string key = document.key;
  return documents_.insert_or_assign(key, std::move(document)).first->second;
}

const Document* DocumentStore::change(const lsp::VersionedTextDocumentIdentifier& id,
                                      const std::vector<lsp::TextDocumentContentChangeEvent>& changes,
                                      PositionEncoding encoding, std::vector<AppliedChange>& applied) {
  const auto found = documents_.find(keyOf(id.uri));
  if (found == documents_.end()) return nullptr;
  Document& document = found->second;
  for (const lsp::TextDocumentContentChangeEvent& event : changes) {
    TextChange change{std::nullopt, event.text};
    if (event.range) change.range = {fromLsp(event.range->start), fromLsp(event.range->end)};
    ChangedText changed = applyChange(*document.map, change, encoding);
    applied.push_back(changed.change);
    document.map = std::make_shared<const PositionMap>(std::move(changed.text));
  }
  document.version = id.version;
  return &document;
}

bool DocumentStore::close(const lsp::DocumentUri& uri) {
  return documents_.erase(keyOf(uri)) != 0;
}

const Document* DocumentStore::find(const lsp::DocumentUri& uri) const {
  return findKey(keyOf(uri));
}

const Document* DocumentStore::findKey(const std::string& key) const {
  const auto found = documents_.find(key);
  return found == documents_.end() ? nullptr : &found->second;
}

}  // namespace heddle
