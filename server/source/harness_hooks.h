// HarnessHooks: what the function pointers of objects point to that a harness makes up. A function that the
// file itself puts into the member; else, in a table that allocates and frees, the allocator of the C
// library; else a function of which nothing is known.
//
// Threading: pure; one harness, one object.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/survey/survey.h"

namespace heddle {

class HarnessHooks {
 public:
  /// Writes declarations to `globals`, and what it takes for granted to `assumed`. All must outlive it.
  HarnessHooks(const Survey& survey, std::string& globals, std::vector<std::string>& assumed)
      : survey_(survey), globals_(globals), assumed_(assumed) {}

  /// Statements that set the function pointers of the object, and of those inside it: of "(*object)", say.
  /// Members that the file compares with null may be null (`usesChoice`), or are (`isDescription`).
  std::string set(uint32_t record, const std::string& object, bool isDescription = false);
  /// Defines the variable, with functions that nobody compares with null, where no file given defines it.
  /// Pointers to functions, and tables of them; else nothing is done.
  void define(const SurveyField& variable);
  /// Nearly all that the record holds is functions: objects of it are there to be called through.
  static bool isTable(const Survey& survey, uint32_t record);

  /// Functions of which nothing is known, by their names in reports.
  const std::set<std::string>& unknown() const { return unknown_; }
  bool usesChoice = false;  // __VERIFIER_nondet_bool() is called
  bool usesOwn = false;     // some member has a function of the file

 private:
  struct Member {
    std::string path;  // from the object on: ".read"
    uint32_t record;
    const SurveyField* field;
    bool isTested;
  };
  /// The function pointers of an object, and of those inside it.
  std::vector<Member> membersOf(uint32_t record) const;
  bool isTested(uint32_t record, const SurveyField& field) const;
  /// What C calls the function that the member is given. `record`: which has it, kNoRecord for a variable.
  std::string functionFor(uint32_t record, const SurveyField& field, bool mayBeOwn);
  std::string made(uint32_t record, const SurveyField& field);

  const Survey& survey_;
  std::string& globals_;
  std::vector<std::string>& assumed_;
  std::map<std::string, std::string> functions_;  // made, by member
  std::set<std::string> own_;                     // members that have a function of the file
  std::set<std::string> unknown_;
  std::set<uint32_t> told_;        // records whose allocator is told of
  std::set<std::string> defined_;  // variables
};

}  // namespace heddle
