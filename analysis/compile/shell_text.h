// ShellText: the parts of a configure.ac: calls of macros of m4, and commands of the shell between them.
//
// Threading: pure functions.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// What `at` is on: "(", and behind its ")" afterwards. Arguments come without one level of brackets.
std::vector<std::string> macroArguments(const std::string& text, size_t& at);

/// The body of a macro with $1, $2, … replaced.
std::string withArguments(const std::string& body, const std::vector<std::string>& arguments);

using IsMacro = std::function<bool(const std::string& name)>;

/// Where, from `at` on, the first of these words stands as a command that lies in no other `if`, `case` or
/// loop; the end of the text: nowhere.
size_t findCommand(const std::string& text, size_t at, const std::vector<std::string_view>& words,
                   const IsMacro& isMacro);

/// Where the simple command at `at` ends: at the line's end or a semicolon.
size_t endOfCommand(const std::string& text, size_t at, const IsMacro& isMacro);

/// The word that begins at `at`; empty: none does.
std::string wordAt(const std::string& text, size_t at);

/// The words of a command, as they are written, at most 100.
std::vector<std::string> shellWords(const std::string& text);

/// A pattern of `case`: Yes, No, or not known.
bool isShellMatch(const std::string& pattern, const std::string& text);

std::string withoutBlanks(const std::string& text);

}  // namespace heddle
