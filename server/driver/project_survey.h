// ProjectSurvey: what the C files of a folder offer, within a time box, and which of them belong to one
// program, by what they call of each other. Files whose text speaks of threads come first.
//
// Threading: one thread, and its workers while it looks. The files must outlive it.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/support/budget.h"
#include "server/driver/source_file.h"
#include "server/source/generated_harness.h"

namespace heddle {

struct SurveyedFile {
  const SourceFile* file = nullptr;
  bool isLooked = false;  // false: the time was up before
  HarnessPlan plan;
};

class ProjectSurvey {
 public:
  using Look = std::function<HarnessPlan(const SourceFile&, const Budget&)>;

  /// Looks at the files until the budget ends. `look` is called by as many threads as there are workers.
  ProjectSurvey(const std::vector<SourceFile>& files, const Look& look, const Budget& budget,
                unsigned workers);

  const std::vector<SurveyedFile>& files() const { return files_; }

  struct Units {
    std::vector<const SourceFile*> linked;  // nearest first
    size_t leftOut = 0;                     // files that are needed, too, beyond the limit
  };
  struct Limit {
    size_t files = 0;
    size_t bytes = 0;  // of the texts of all
  };
  /// The files that define what `first` uses, and what these use: first those of functions that the program
  /// comes to, by the number of calls. Of several that define a name, the one that lies nearest, and one of
  /// another system last. Of files that have an entry point of their own only to a file without one, and only
  /// where no other defines the name.
  Units unitsOf(const SurveyedFile& first, const Limit& limit) const;

  /// How many calls lie between the entry point of a program and the first start of a thread; nothing: no
  /// thread is started.
  std::optional<size_t> callsToThreads(const SurveyedFile& program, const std::string& entry) const;

 private:
  class Linking;

  const SurveyedFile* definerOf(const std::string& name, const SurveyedFile& user, bool isProgram) const;

  std::vector<SurveyedFile> files_;
  std::map<std::string, std::vector<size_t>> definers_;    // files by what they define for others
  std::map<std::string, std::vector<size_t>> inPrograms_;  // of files with an entry point
};

}  // namespace heddle
