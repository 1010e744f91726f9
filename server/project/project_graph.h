// ProjectGraph: which files of a project make up a program, and which programs reach a file. Built from the
// facts of the files that a compile database names; an approximation by names, which the linker refines.
//
// Threading: immutable after construction.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "server/project/unit_facts.h"

namespace heddle {

/// A file with a main and the files that it may need, itself left out.
struct ProjectProgram {
  std::string entry;                // path
  std::vector<std::string> others;  // paths, nearest first
};

class ProjectGraph {
 public:
  /// `withPrograms`: what one file with a main alone defines is linked from there to files without one.
  explicit ProjectGraph(std::map<std::string, UnitFacts> files, bool withPrograms = false);

  bool contains(const std::string& path) const { return files_.contains(path); }
  size_t size() const { return files_.size(); }
  /// The program that begins in this file; without a main: the file and what it needs. Files nearer to it
  /// come first, and of those that one file needs the ones of which it names most.
  ProjectProgram programFrom(const std::string& path) const;
  /// The programs whose files include this one: test programs first, then the smallest.
  std::vector<ProjectProgram> programsReaching(const std::string& path) const;

 private:
  std::map<std::string, UnitFacts> files_;
  std::map<std::string, std::vector<std::string>> definedIn_;  // first of files without a main
};

}  // namespace heddle
