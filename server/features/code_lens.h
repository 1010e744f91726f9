// Code lenses: over the entry point its verdict, what was explored and what is left, and "verify"; over each
// thread function the findings that it takes part in; over every finding "show interleaving".
//
// Threading: pure functions.
#pragma once

#include <vector>

#include "protocol/code_lens.h"
#include "protocol/heddle_extensions.h"
#include "server/state/document_store.h"
#include "server/state/file_session.h"

namespace heddle {

namespace command {
inline constexpr const char* kVerify = "heddle.server.verify";            // {uri}
inline constexpr const char* kStop = "heddle.server.stop";                // {uri}
inline constexpr const char* kClear = "heddle.server.clear";              // {uri}
inline constexpr const char* kHarness = "heddle.server.harness";          // {uri, function}: writes one
inline constexpr const char* kReproduce = "heddle.server.reproduce";      // {uri, finding, output?}
inline constexpr const char* kConstrain = "heddle.server.constrain";      // {uri}
inline constexpr const char* kBuild = "heddle.server.build";              // {uri, output?}: under constraints
inline constexpr const char* kRelax = "heddle.server.relax";              // {uri}: what orders can be weaker
inline constexpr const char* kApplyOrders = "heddle.server.applyOrders";  // {uri}: those that kRelax found
inline constexpr const char* kCover = "heddle.server.cover";              // {uri} → Coverage
inline constexpr const char* kShowCoverage = "heddle.showCoverage";       // the client's own: {uri}
inline constexpr const char* kInterleaving = "heddle.server.interleaving";  // {uri, finding} → Interleaving
inline constexpr const char* kShow = "heddle.server.show";  // the same, shown by whatever the client has
inline constexpr const char* kShowPanel = "heddle.showInterleaving";  // the client's own: {uri, finding}
inline constexpr const char* kDebug = "heddle.debug";                 // the same
}  // namespace command

struct CodeLensStyle {
  PositionEncoding encoding = PositionEncoding::Utf8;
  lsp::HeddleClient client;
  bool canCover = false;  // the server has kCover
};

std::vector<lsp::CodeLens> codeLensesOf(const FileSession& session, const Document& document,
                                        const std::string& entry, const CodeLensStyle& style);

}  // namespace heddle
