// ProjectDesk: the projects of the open files, each with its index, which is built and refreshed in the
// background. The main loop only asks what is known.
//
// Threading: all members belong to the main loop; the indexes to the pool.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "server/project/project_index.h"
#include "server/schedule/thread_pool.h"

namespace heddle {

class ProjectDesk {
 public:
  struct Options {
    std::string cacheFolder;  // empty: indexes are not kept
    /// A project's graph has changed, or is there for the first time; `log`: a line for the log, or empty.
    std::function<void(const std::string& database, const std::string& log)> changed;
  };
  /// `pool` must be joined before the loop's context goes.
  ProjectDesk(boost::asio::any_io_executor loop, ThreadPool& pool, Options options);

  /// The project of a file: its compile database, or empty. Begins to index it when it is new.
  std::string open(const std::string& path);
  /// Files have changed on disk: looks at them again.
  void refresh();
  /// Null: there is none yet.
  std::shared_ptr<const ProjectGraph> graph(const std::string& database) const;

 private:
  struct Project {
    std::shared_ptr<ProjectIndex> index;  // of the pool while `busy`
    std::shared_ptr<const ProjectGraph> graph;
    bool busy = false;
    bool again = false;
  };
  void start(const std::string& database, Project& project);

  boost::asio::any_io_executor loop_;
  ThreadPool& pool_;
  Options options_;
  std::map<std::string, Project> projects_;
  std::shared_ptr<ProjectDesk*> self_;  // posts hold it weakly
};

}  // namespace heddle
