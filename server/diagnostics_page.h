// The page that explains each code (docs/diagnostics.md), where it lies beside this program.
//
// Threading: reads the file system; pure otherwise.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace heddle {

/// The path of the page, in a build tree or installed; empty when there is none.
std::string diagnosticsPage();

/// Code → what the page says of it, as Markdown without the heading.
std::map<std::string, std::string> sectionsOf(std::string_view page);

/// The sections of diagnosticsPage(); empty when there is none.
std::map<std::string, std::string> diagnosticsSections();

}  // namespace heddle
