// A scan as one HTML file that needs nothing else: findings with their interleavings to step through, the
// ledger of all functions, what keeps the rest from being explored.
//
// Every text of the project is escaped: a name or a path cannot act as markup.
//
// Threading: pure functions.
#pragma once

#include <string>

#include "server/render/scan_report.h"

namespace heddle {

std::string scanHtml(const ScanResult& result, const ScanLedger& ledger);

/// The text with &, <, > and quotes as HTML writes them.
std::string escapedHtml(const std::string& text);

}  // namespace heddle
