#include "server/project/project_desk.h"

#include <boost/asio/post.hpp>
#include <utility>

namespace heddle {

ProjectDesk::ProjectDesk(boost::asio::any_io_executor loop, ThreadPool& pool, Options options)
    : loop_(std::move(loop)),
      pool_(pool),
      options_(std::move(options)),
      self_(std::make_shared<ProjectDesk*>(this)) {}

std::string ProjectDesk::open(const std::string& path) {
  std::string database = compileDatabaseOf(path);
  if (database.empty() || projects_.contains(database)) return database;
  Project& project = projects_[database];
  project.index = std::make_shared<ProjectIndex>(database, options_.cacheFolder);
  start(database, project);
  return database;
}

void ProjectDesk::refresh() {
  for (auto& [database, project] : projects_) start(database, project);
}

std::shared_ptr<const ProjectGraph> ProjectDesk::graph(const std::string& database) const {
  const auto found = projects_.find(database);
  return found == projects_.end() ? nullptr : found->second.graph;
}

void ProjectDesk::start(const std::string& database, Project& project) {
  if (std::exchange(project.busy, true)) {
    project.again = true;
    return;
  }
  pool_.run([database, index = project.index, loop = loop_, weakSelf = std::weak_ptr(self_)] {
    const bool changed = index->refresh();
    std::shared_ptr<const ProjectGraph> graph = changed ? index->graph() : nullptr;
    std::string log;
    if (graph && (graph->size() > 0 || !index->problem().empty()))
      log = "project " + database + ": " + std::to_string(graph->size()) + " files, " +
            std::to_string(index->filesRead()) + " read" +
            (index->problem().empty() ? "" : "; " + index->problem());
    boost::asio::post(loop, [database, graph = std::move(graph), log, weakSelf] {
      const auto self = weakSelf.lock();
      if (!self) return;
      Project& current = (*self)->projects_[database];
      current.busy = false;
      if (graph) current.graph = graph;
      if (std::exchange(current.again, false)) (*self)->start(database, current);
      if (graph) (*self)->options_.changed(database, log);
    });
  });
}

}  // namespace heddle
