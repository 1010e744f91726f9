// Counterpart: functions that undo what another function of the file does, by their names: "decrement" after
// "increment", "unregister" after "register". Nobody calls such a one first.
//
// Threading: pure functions.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace heddle {

/// The function that must have been called before; `exists`: whether the file has one of this name. Empty:
/// there is none.
std::string counterpartOf(const std::string& name, const std::function<bool(const std::string&)>& exists);

/// `name` with `by` for its word `word`, with a capital where `word` has one there; empty: it has no such
/// word.
std::string withWord(const std::string& name, std::string_view word, std::string_view by);

}  // namespace heddle
