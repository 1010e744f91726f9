// ListLinks: links of lists that outlive what they lead to, by the text of one file: an object is put into a
// list and freed on the same way without being taken out; an object is taken out of a list whose head is a
// local variable and keeps the pointers to it, while another function takes it out again.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/survey/free_calls.h"
#include "analysis/survey/function_flows.h"
#include "analysis/survey/list_events.h"
#include "analysis/survey/survey.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace heddle {

class ListLinks {
 public:
  /// The context must outlive it.
  explicit ListLinks(FunctionFlows& flows) : context_(flows.context()), calls_(flows) {}
  /// `function` has a body.
  void add(const clang::FunctionDecl& function, Survey& survey);
  void finish(Survey& survey);

 private:
  /// In the order of the text, with the names that a variable has as a link.
  using Events = std::vector<ListEvent>;

  void addFreed(const clang::FunctionDecl& function, const Events& events, Survey& survey);
  void addLocal(const clang::FunctionDecl& function, const Events& events);
  bool unlinks(const clang::FunctionDecl* function, const std::string& member);
  Events eventsOf(const clang::Stmt& body) const;

  clang::ASTContext& context_;
  FreeCalls calls_;
  std::map<std::string, std::set<std::string>> removedBy_;  // functions, by member
  struct Left {
    ValueSlip slip;
    std::string member;
  };
  std::vector<Left> left_;  // in lists that end with the function
};

}  // namespace heddle
