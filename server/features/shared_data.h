// Shared data in the text: the accesses of a variable that several threads use, and the locks that they hold
// there, as the executions of the last exploration showed them.
//
// Threading: pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "protocol/document_highlight.h"
#include "server/convert/located_finding.h"

namespace heddle {

struct FileView;

/// An access in the document. `access` points into the report that was given.
struct LocatedAccess {
  ByteRange range;
  const SharedAccess* access = nullptr;
};

/// What one variable, or one member of all objects of a type, is used for.
struct SharedDataAt {
  ByteRange range;  // the access that was asked for
  std::string data;
  std::vector<LocatedAccess> here;             // in the document, in order
  std::vector<const SharedAccess*> elsewhere;  // in other files
  std::vector<const Guard*> guards;            // of the data, as the text says them
};

/// The shared data whose access covers the offset. None: there is no such access, or no two threads access
/// it. The text must be that which `report` is about; the result points into the report.
std::optional<SharedDataAt> sharedDataAt(const Report& report, size_t offset, const LocateContext& context);

/// The same at a position of an open file; none where its text was not explored as it stands.
std::optional<SharedDataAt> sharedDataAt(const FileView& view, const lsp::Position& position);

/// One range for each token; a token that is read and written counts as a write.
std::vector<lsp::DocumentHighlight> highlightsOf(const SharedDataAt& data, const LocateContext& context);
/// Those of the shared data at the position.
std::vector<lsp::DocumentHighlight> highlightsAt(const lsp::DocumentHighlightParams& params,
                                                 const FileView& view);

/// "guarded by 'm' at 3 of 4 accesses", then one access per line with its threads and what they hold.
std::vector<std::string> describeSharedData(const SharedDataAt& data);

}  // namespace heddle
