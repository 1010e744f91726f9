// A report on a terminal: the text that text_report.h renders, with colours, and under each finding and
// problem the line of the source with a caret. Words and order stay.
//
// Threading: pure functions.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace heddle {

/// The text of a file by the name that the report gives it; nullopt: it is not known, and no line is shown.
using SourceText = std::function<std::optional<std::string>(const std::string& file)>;

/// `text`: whole lines. Lines "FILE:LINE:COLUMN: error: …" (or warning, note) and lines of verdicts are
/// recognized; all others stay.
std::string styledForTerminal(const std::string& text, const SourceText& source);

}  // namespace heddle
