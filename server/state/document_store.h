// DocumentStore: the open documents, as the client last described them. Texts are immutable snapshots that
// workers share.
//
// Two spellings of a URI that name the same file are one document; answers use the spelling it was opened
// with.
//
// Threading: main loop; the snapshots may be read anywhere.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "protocol/text_sync.h"
#include "server/convert/position_map.h"
#include "server/convert/text_change.h"

namespace heddle {

struct Document {
  std::string key;  // of the store
  lsp::DocumentUri uri;
  std::optional<std::string> path;  // none: neither a file nor an untitled buffer
  std::string languageId;
  int32_t version = 0;
  std::shared_ptr<const PositionMap> map;
};

class DocumentStore {
 public:
  /// Opening an open document replaces it.
  const Document& open(const lsp::TextDocumentItem& item);

  /// Applies the changes one after the other. Null: the document is not open.
  const Document* change(const lsp::VersionedTextDocumentIdentifier& id,
                         const std::vector<lsp::TextDocumentContentChangeEvent>& changes,
                         PositionEncoding encoding, std::vector<AppliedChange>& applied);

  /// False: it was not open.
  bool close(const lsp::DocumentUri& uri);

  const Document* find(const lsp::DocumentUri& uri) const;
  const Document* findKey(const std::string& key) const;
  const std::map<std::string, Document>& all() const { return documents_; }

  static std::string keyOf(const lsp::DocumentUri& uri);

 private:
  std::map<std::string, Document> documents_;
};

}  // namespace heddle
