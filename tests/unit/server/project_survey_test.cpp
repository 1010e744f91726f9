// Which files of a folder make up one program.
#include "server/driver/project_survey.h"

#include <gtest/gtest.h>

namespace heddle::test {
namespace {

SourceFile fileOf(const std::string& name) {
  SourceFile file;
  file.given = file.absolute = "/project/" + name;
  return file;
}

SurveyFunction functionOf(const std::string& name, std::set<std::string> uses) {
  SurveyFunction function;
  function.name = name;
  function.uses = std::move(uses);
  return function;
}

/// The names of the files that are linked to the first one.
std::vector<std::string> linked(const std::vector<std::pair<std::string, HarnessPlan>>& plans,
                                const ProjectSurvey::Limit& limit) {
  std::vector<SourceFile> files;
  std::map<std::string, HarnessPlan> byPath;
  for (const auto& [name, plan] : plans) {
    files.push_back(fileOf(name));
    byPath[files.back().given] = plan;
  }
  const ProjectSurvey survey(
      files, [&](const SourceFile& file, const Budget&) { return byPath.at(file.given); }, Budget(), 1);
  std::vector<std::string> names;
  for (const SurveyedFile& file : survey.files())
    if (file.file == &files.front())
      for (const SourceFile* other : survey.unitsOf(file, limit).linked)
        names.push_back(other->given.substr(other->given.rfind('/') + 1));
  return names;
}

TEST(ProjectSurvey, WhatTheProgramComesToIsLinkedFirst) {
  HarnessPlan program, queue, clock, options;
  program.hasEntry = true;
  program.functions = {functionOf("main", {"push"}), functionOf("usage", {"describe"})};
  queue.functions = {functionOf("push", {"now"}), functionOf("print", {"describe"})};
  clock.functions = {functionOf("now", {})};
  options.functions = {functionOf("describe", {})};
  const std::vector<std::pair<std::string, HarnessPlan>> plans = {
      {"main.c", program}, {"a_options.c", options}, {"queue.c", queue}, {"z_clock.c", clock}};
  EXPECT_EQ(linked(plans, {24, 1 << 20}), (std::vector<std::string>{"queue.c", "z_clock.c", "a_options.c"}));
  EXPECT_EQ(linked(plans, {2, 1 << 20}), (std::vector<std::string>{"queue.c", "z_clock.c"}));
}

TEST(ProjectSurvey, WhoSetsUpTheObjectsOfAHarnessIsLinkedBeforeAllElse) {
  HarnessPlan handle, loop, log;
  handle.functions = {functionOf("handle_stop", {"say"})};
  handle.elsewhere = {"loop_init"};
  loop.functions = {functionOf("loop_init", {})};
  log.functions = {functionOf("say", {})};
  const std::vector<std::pair<std::string, HarnessPlan>> plans = {
      {"handle.c", handle}, {"a_log.c", log}, {"loop.c", loop}};
  EXPECT_EQ(linked(plans, {1, 1 << 20}), (std::vector<std::string>{"loop.c"}));
  EXPECT_EQ(linked(plans, {24, 1 << 20}), (std::vector<std::string>{"loop.c", "a_log.c"}));
}

TEST(ProjectSurvey, AFileOfAnotherSystemIsLinkedLast) {
  HarnessPlan program, system;
  program.hasEntry = true;
  program.functions = {functionOf("main", {"now"})};
  system.functions = {functionOf("now", {})};
  const ProjectSurvey::Limit limit = {24, 1 << 20};
  EXPECT_EQ(linked({{"unix/main.c", program}, {"unix/cygwin.c", system}, {"unix/linux.c", system}}, limit),
            (std::vector<std::string>{"linux.c"}));
  EXPECT_EQ(linked({{"os/main.c", program}, {"os/macos/time.c", system}, {"linux/time.c", system}}, limit),
            (std::vector<std::string>{"time.c"}));
  EXPECT_EQ(linked({{"unix/main.c", program}, {"unix/cygwin.c", system}}, limit),
            (std::vector<std::string>{"cygwin.c"}));
}

}  // namespace
}  // namespace heddle::test
