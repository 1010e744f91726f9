// FileView: an open file as features look at it. Everything behind it outlives the request that it is for.
//
// Threading: main loop.
#pragma once

#include "server/convert/located_finding.h"
#include "server/state/document_store.h"
#include "server/state/file_session.h"

namespace heddle {

struct FileView {
  const Document& document;
  FileSession& session;
  PositionEncoding encoding;  // of the client

  LocateContext context() const { return {*document.path, *document.map, session.otherTexts, encoding}; }
};

}  // namespace heddle
