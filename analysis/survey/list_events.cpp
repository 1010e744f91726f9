#include "analysis/survey/list_events.h"

#include <algorithm>

#include "analysis/support/name_words.h"
#include "analysis/survey/source_line.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

namespace heddle {
namespace {

bool isListWordChar(char c) {
  return llvm::isAlnum(c) || c == '_';
}

bool isListName(llvm::StringRef text) {
  return !text.empty() && !llvm::isDigit(text.front()) &&
         std::all_of(text.begin(), text.end(), isListWordChar);
}

std::vector<std::string> listArguments(llvm::StringRef text) {
  std::vector<std::string> out;
  int depth = 0;
  std::string one;
  for (const char c : text) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (depth < 0) break;
    if (c == ',' && depth == 0) {
      out.push_back(std::move(one));
      one.clear();
    } else if (!llvm::isSpace(c)) {
      one += c;
    }
  }
  out.push_back(std::move(one));
  return out;
}

ListEvent::Kind listKindOf(llvm::StringRef name) {
  const std::string_view all(name.data(), name.size());
  if (hasWord(all, {"mutex", "lock", "atomic", "pr", "cond", "sem", "timer", "event", "epoll", "buf", "str"}))
    return ListEvent::Kind::None;
  if (hasWord(all, {"remove", "del", "delete", "unlink", "dequeue", "erase", "pop", "split", "move", "concat",
                    "replace", "detach"}))
    return ListEvent::Kind::Remove;
  if (hasWord(all, {"insert", "enqueue", "push", "append", "prepend", "add"})) return ListEvent::Kind::Insert;
  if (hasWord(all, {"init"})) return ListEvent::Kind::Init;
  if (hasWord(all, {"data", "entry", "container", "owner"})) return ListEvent::Kind::Data;
  if (hasWord(all, {"foreach", "head", "first", "last", "tail", "next"})) return ListEvent::Kind::Walk;
  return ListEvent::Kind::None;
}

/// "&o->queue", "&(o->queue)"
bool isLinkText(llvm::StringRef text, ListLink& link) {
  if (!text.consume_front("&")) return false;
  while (text.consume_front("(")) text.consume_back(")");
  const size_t at = text.find("->");
  if (at == llvm::StringRef::npos) return false;
  const llvm::StringRef object = text.substr(0, at), member = text.substr(at + 2);
  if (!isListName(object) || !isListName(member)) return false;
  link = {object.str(), member.str()};
  return true;
}

void addLinks(ListEvent& event) {
  const auto& arguments = event.arguments;
  const bool isUpper =
      std::none_of(event.name.begin(), event.name.end(), [](char c) { return llvm::isLower(c); });
  if (event.kind == ListEvent::Kind::Data) {
    // data(q, type, member)
    if (arguments.size() == 3 && isListName(arguments[0]) && isListName(arguments[2]))
      event.links.push_back({arguments[0], arguments[2]});
    return;
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    ListLink link;
    const bool isHead = event.kind == ListEvent::Kind::Insert && i == 0;
    if (isLinkText(arguments[i], link)) {
      if (!isHead) event.links.push_back(link);
    } else if (isListName(arguments[i]) && !isHead) {
      event.links.push_back({arguments[i], ""});
    }
  }
  // TAILQ_REMOVE(head, element, member)
  const bool isField = isUpper && arguments.size() >= 2 && event.name.find("Q_") != std::string::npos;
  if ((isField || event.name.starts_with("LIST_")) && isListName(arguments.back()))
    for (size_t i = arguments.size() - 1; i-- > 0;)
      if (isListName(arguments[i])) {
        event.links.push_back({arguments[i], arguments.back()});
        break;
      }
}

}  // namespace

bool ListEvent::isOf(const ListLink& link) const {
  return std::find(links.begin(), links.end(), link) != links.end();
}

bool ListEvent::hasArgument(const std::string& text) const {
  return std::find(arguments.begin(), arguments.end(), text) != arguments.end();
}

ListEvent listEventOf(const clang::Stmt& statement, const clang::ASTContext& context) {
  const clang::SourceManager& sources = context.getSourceManager();
  ListEvent event;
  clang::SourceRange range = statement.getSourceRange();
  if (statement.getBeginLoc().isMacroID()) {
    range = sources.getExpansionRange(statement.getBeginLoc()).getAsRange();
  } else {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement);
    const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    if (!callee || !callee->getIdentifier()) return event;
    if (listKindOf(callee->getName()) == ListEvent::Kind::None) return event;
  }
  const llvm::StringRef text = clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(range),
                                                           sources, context.getLangOpts());
  const size_t open = text.find('(');
  constexpr size_t kMostText = 400;
  if (open == llvm::StringRef::npos || text.size() > kMostText) return event;
  const llvm::StringRef name = text.substr(0, open).rtrim();
  if (!isListName(name)) return event;
  event.kind = listKindOf(name);
  if (event.kind == ListEvent::Kind::None) return event;
  event.name = name.str();
  event.arguments = listArguments(text.substr(open + 1));
  event.line = lineOf(range.getBegin(), sources);
  event.at = sources.getFileOffset(sources.getExpansionLoc(range.getBegin()));
  addLinks(event);
  return event;
}

}  // namespace heddle
