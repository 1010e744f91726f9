// Harness: how to run the functions of a file without an entry point. A comment says which calls run side by
// side,
//
//     // heddle: harness push(&ring, x) || pop(&ring)
//
// or, with names only (push || pop), which generated harness to take (generated_harness.h). The former
// becomes a function, appended to the text in memory only, that starts one thread for each call and joins
// them. A name among the arguments that the file does not know (x) is an input of the parameter's type. Lines
// of the text keep their numbers; what lies beyond the text is the harness.
//
// Threading: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/support/harness_names.h"
#include "server/source/outline.h"

namespace heddle {

struct HarnessCall {
  std::string function;
  std::vector<std::string> arguments;  // as written
};

struct Harness {
  std::vector<HarnessCall> calls;
  std::string title;  // of a generated harness, where only functions are named: "push || pop"; then no calls
  ByteRange range;    // of the comment
  std::string problem;  // not empty: why it is not valid
};

/// All of the text; the first one without a problem is what runs.
std::vector<Harness> harnessesOf(std::string_view text, const CText& lexed, const Outline& outline);

/// The text with the harness behind it.
std::string withHarness(std::string_view text, const Outline& outline, const Harness& harness);

/// Whether a harness made for the function would make sense: its pointers would have to point to something,
/// except the `void *` of a thread function, which gets NULL.
bool canRunTwice(const OutlineFunction& function);

/// "heddle: harness f(a) || f(b)", as a comment.
std::string harnessComment(const OutlineFunction& function);

struct HarnessText {
  std::string text;
  ByteRange comment;  // in the text as it was
};
/// For a text without `entry` but with a harness: what to explore instead, from kHarnessEntry.
std::optional<HarnessText> harnessText(std::string_view text, const std::string& entry);

/// The title of the generated harness that a comment of such a text asks for; empty: none does, or an earlier
/// comment names its calls in full.
std::string askedHarness(std::string_view text, const std::string& entry);

}  // namespace heddle
