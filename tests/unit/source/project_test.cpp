// The project's index: facts of files from their text, programs and what reaches a file, kept across
// sessions.
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "server/project/project_index.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

TEST(UnitFacts, WhatOtherFilesCanUse) {
  const UnitFacts facts = factsOf(R"(
#include "queue.h"
#define LIMIT 8
typedef int (*compare)(int, int);
struct node { int value; };
extern int elsewhere;
static int hidden, alsoHidden = 1;
int shared = 0, *pointer, table[8] = {1, 2};
struct node list;
int prototype(int);
static void helper(void) { queue_push(&list); }
int exported(int v) { int local = v; return local + shared; }
int after;
)");
  for (const char* name : {"shared", "pointer", "table", "list", "exported", "after"})
    EXPECT_TRUE(facts.defines.contains(name)) << name;
  for (const char* name :
       {"hidden", "alsoHidden", "elsewhere", "compare", "prototype", "helper", "local", "LIMIT"})
    EXPECT_FALSE(facts.defines.contains(name)) << name;
  EXPECT_TRUE(facts.words.contains("queue_push"));
  EXPECT_TRUE(facts.words.contains("elsewhere"));
  EXPECT_FALSE(facts.words.contains("exported"));
  EXPECT_FALSE(facts.hasMain);
  EXPECT_TRUE(factsOf("int main(void) { return 0; }").hasMain);
  EXPECT_FALSE(factsOf("int main(void) { return 0; }").mayLackMain());
  const UnitFacts tried = factsOf("#ifdef TRY\n#endif\n#if TRY\nint main(void) { return 0; }\n#endif\n");
  EXPECT_TRUE(tried.hasMain && tried.mayLackMain());
}

ProjectGraph sample() {
  return ProjectGraph({{"/p/app/main.c", {{}, {"queue_push", "log_line"}, true}},
                       {"/p/tests/test_queue.c", {{}, {"queue_push"}, true}},
                       {"/p/src/queue.c", {{"queue_push"}, {"node_new"}, false}},
                       {"/p/src/node.c", {{"node_new"}, {}, false}},
                       {"/p/src/log.c", {{"log_line"}, {}, false}},
                       {"/p/other/log.c", {{"log_line"}, {}, false}},
                       {"/p/src/alone.c", {{"alone"}, {}, false}}});
}

TEST(ProjectGraph, AProgramIsWhatItNeeds) {
  const ProjectGraph graph = sample();
  EXPECT_EQ(graph.programFrom("/p/tests/test_queue.c").others,
            (std::vector<std::string>{"/p/src/queue.c", "/p/src/node.c"}));
  const std::vector<std::string> app = graph.programFrom("/p/app/main.c").others;
  EXPECT_EQ(std::set<std::string>(app.begin(), app.end()).size(), 3u) << "one of the two definitions";
}

TEST(ProjectGraph, WhatIsNeededMostComesFirst) {
  const ProjectGraph graph({{"/p/use.c", {{}, {"a_log", "z_get", "z_put"}, false}},
                            {"/p/log.c", {{"a_log"}, {"deep"}, false}},
                            {"/p/tree.c", {{"z_get", "z_put"}, {}, false}},
                            {"/p/deep.c", {{"deep"}, {}, false}}});
  EXPECT_EQ(graph.programFrom("/p/use.c").others,
            (std::vector<std::string>{"/p/tree.c", "/p/log.c", "/p/deep.c"}));
}

TEST(ProjectGraph, AMainThatMayNotBeThereIsNoProgram) {
  const ProjectGraph graph(
      {{"/p/main.c", {{}, {"text_new"}, true}}, {"/p/text.c", {{"text_new"}, {}, true, true}}});
  EXPECT_EQ(graph.programFrom("/p/main.c").others, std::vector<std::string>{"/p/text.c"});
}

TEST(ProjectGraph, WhatOneProgramAloneDefinesIsLinkedFromThereWhenAsked) {
  const std::map<std::string, UnitFacts> files = {{"/p/net.c", {{}, {"told", "shared", "set_up"}, false}},
                                                  {"/p/log.c", {{"told"}, {}, false}},
                                                  {"/p/server.c", {{"told", "shared", "set_up"}, {}, true}},
                                                  {"/p/tool.c", {{"set_up"}, {}, true}}};
  EXPECT_EQ(ProjectGraph(files).programFrom("/p/net.c").others, std::vector<std::string>{"/p/log.c"});
  EXPECT_EQ(ProjectGraph(files, true).programFrom("/p/net.c").others,
            (std::vector<std::string>{"/p/log.c", "/p/server.c"}));
}

TEST(ProjectGraph, TestProgramsComeFirst) {
  const std::vector<ProjectProgram> programs = sample().programsReaching("/p/src/node.c");
  ASSERT_EQ(programs.size(), 2u);
  EXPECT_EQ(programs[0].entry, "/p/tests/test_queue.c");
  EXPECT_EQ(programs[1].entry, "/p/app/main.c");
  EXPECT_TRUE(sample().programsReaching("/p/src/alone.c").empty());
}

struct Project {
  fs::path folder = fs::temp_directory_path() / ("heddle_project_" + std::to_string(getpid()));
  Project() {
    fs::remove_all(folder);
    write("queue.c", "int queue_push(int v) { return v; }\n");
    write("main.c", "int queue_push(int);\nint main(void) { return queue_push(1); }\n");
    write("build/compile_commands.json", R"([{"directory": ")" + folder.string() +
                                             R"(", "file": "queue.c", "command": "cc -c queue.c"},
              {"directory": ")" + folder.string() +
                                             R"(", "file": "main.c", "command": "cc -c main.c"},
              {"directory": ")" + folder.string() +
                                             R"(", "file": "gone.c", "command": "cc -c gone.c"}])");
  }
  ~Project() { fs::remove_all(folder); }
  std::string path(const std::string& name) const { return (folder / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
  }
  ProjectIndex index() const { return {compileDatabaseOf(path("queue.c")), path("cache")}; }
};

TEST(ProjectIndex, IsKeptAcrossSessionsAndReadsOnlyWhatHasChanged) {
  const Project project;
  ProjectIndex first = project.index();
  EXPECT_TRUE(first.refresh());
  EXPECT_EQ(first.filesRead(), 2u);
  EXPECT_FALSE(first.refresh()) << "nothing has changed";

  ProjectIndex second = project.index();
  EXPECT_TRUE(second.refresh());
  EXPECT_EQ(second.filesRead(), 0u);
  ASSERT_EQ(second.graph()->programsReaching(project.path("queue.c")).size(), 1u);

  project.write("queue.c", "int renamed_push(int v) { return v; }\n");
  EXPECT_TRUE(second.refresh());
  EXPECT_EQ(second.filesRead(), 1u);
  EXPECT_TRUE(second.graph()->programsReaching(project.path("queue.c")).empty());
}

TEST(ProjectIndex, ADamagedOneIsMadeAnew) {
  const Project project;
  ProjectIndex first = project.index();
  first.refresh();
  std::string kept;
  {
    std::ifstream stream(first.keptIn(), std::ios::binary);
    kept.assign(std::istreambuf_iterator<char>(stream), {});
  }
  const std::string changed = [&] {
    std::string text = kept;
    text[text.find("queue_push")] = 'Q';
    return text;
  }();
  for (const std::string& damaged :
       {std::string("x"), kept.substr(0, kept.size() / 2), changed, "heddle-index-0" + kept.substr(14)}) {
    std::ofstream(first.keptIn(), std::ios::binary | std::ios::trunc) << damaged;
    ProjectIndex index = project.index();
    EXPECT_TRUE(index.refresh());
    EXPECT_EQ(index.filesRead(), 2u);
    EXPECT_NE(index.problem().find("made anew"), std::string::npos);
    EXPECT_EQ(index.graph()->programsReaching(project.path("queue.c")).size(), 1u);
  }
}

TEST(ProjectIndex, ABrokenDatabaseIsToldAndHasNoFiles) {
  const Project project;
  project.write("build/compile_commands.json", "[{");
  ProjectIndex index = project.index();
  index.refresh();
  EXPECT_NE(index.problem().find("compile_commands.json"), std::string::npos);
  EXPECT_EQ(index.graph()->size(), 0u);
}

}  // namespace
}  // namespace heddle
