// ProjectIndex: the facts of all C files that a compile database names, kept in a file across sessions. A
// file whose size or time differs from what was kept is read again; a kept index that is damaged, or of
// another format, is thrown away and made anew.
//
// Threading: any one thread at a time; reads and writes files.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "server/project/project_graph.h"

namespace heddle {

/// The compile database that holds for a file: as findCompileCommand looks for it. Empty: none.
std::string compileDatabaseOf(const std::string& path);

class ProjectIndex {
 public:
  /// `cacheFolder`: where indexes are kept; empty: nowhere.
  ProjectIndex(std::string database, const std::string& cacheFolder);

  /// Brings the facts up to date with the files and keeps them. False: nothing has changed since the last
  /// call.
  bool refresh();
  std::shared_ptr<const ProjectGraph> graph() const;

  /// Facts of the last refresh, for the log and for tests.
  size_t filesRead() const { return filesRead_; }
  const std::string& problem() const { return problem_; }
  const std::string& keptIn() const { return file_; }

 private:
  struct Entry {
    uint64_t size = 0;
    int64_t modified = 0;
    UnitFacts facts;
  };

  void load();
  void save();

  std::string database_;
  std::string file_;  // empty: not kept
  std::map<std::string, Entry> entries_;
  bool loaded_ = false;
  size_t filesRead_ = 0;
  std::string problem_;  // with the kept index or the database; empty: none
};

}  // namespace heddle
