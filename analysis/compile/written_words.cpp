#include "analysis/compile/written_words.h"

#include <memory>

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/Token.h"

namespace heddle {
namespace {

using Kind = WrittenWord::Kind;

bool isJump(const clang::Token& token) {
  return token.isOneOf(clang::tok::kw_return, clang::tok::kw_goto, clang::tok::kw_break,
                       clang::tok::kw_continue, clang::tok::kw_if, clang::tok::kw_while, clang::tok::kw_do,
                       clang::tok::kw_for, clang::tok::kw_switch, clang::tok::kw_case,
                       clang::tok::kw_default);
}

bool isStep(const clang::Token& token) {
  return token.isOneOf(clang::tok::plusplus, clang::tok::minusminus);
}

bool isAssignment(const clang::Token& token) {
  return token.isOneOf(clang::tok::equal, clang::tok::plusequal, clang::tok::minusequal,
                       clang::tok::starequal, clang::tok::slashequal, clang::tok::percentequal,
                       clang::tok::ampequal, clang::tok::pipeequal, clang::tok::caretequal,
                       clang::tok::lesslessequal, clang::tok::greatergreaterequal);
}

/// Sees one token after the other; what a name is, the one behind it tells.
class WordReader {
 public:
  WordReader(const clang::SourceManager& sources, WrittenWords& words) : sources_(sources), words_(words) {}

  void read(const clang::Token& token) {
    if (isJump(token)) add(Kind::Jump, token);
    const bool isMember = before_.isOneOf(clang::tok::period, clang::tok::arrow);
    if (last_.is(clang::tok::identifier) && !isMember) {
      if (token.is(clang::tok::l_paren))
        add(Kind::Called, last_);
      else if (isAssignment(token) || isStep(token))
        add(Kind::Assigned, last_);
      else if (token.is(clang::tok::semi) &&
               before_.isOneOf(clang::tok::semi, clang::tok::l_brace, clang::tok::r_brace,
                               clang::tok::r_paren, clang::tok::kw_else))
        add(Kind::Alone, last_);
    }
    if (isStep(last_) && token.is(clang::tok::identifier)) add(Kind::Assigned, token);
    before_ = last_;
    last_ = token;
  }

 private:
  void add(Kind kind, const clang::Token& token) {
    if (sources_.isInMainFile(sources_.getExpansionLoc(token.getLocation())))
      words_.push_back({kind, token.getLocation(), kind == Kind::Jump ? nullptr : token.getIdentifierInfo()});
  }

  const clang::SourceManager& sources_;
  WrittenWords& words_;
  clang::Token before_ = blank(), last_ = blank();

  static clang::Token blank() {
    clang::Token token;
    token.startToken();
    return token;
  }
};

}  // namespace

void keepWords(clang::Preprocessor& preprocessor, WrittenWords& words) {
  auto reader = std::make_shared<WordReader>(preprocessor.getSourceManager(), words);
  preprocessor.setTokenWatcher([reader](const clang::Token& token) { reader->read(token); });
}

}  // namespace heddle
