// Sessions over real programs: walked backwards, switched, kept.
#include "tests/unit/dap/client.h"

namespace heddle {
namespace {

using test::Client;
using test::json;
using test::ProgramFile;

// The numbers of the lines count.
constexpr const char* kLostUpdate = R"(#include <assert.h>
#include <pthread.h>
struct account { int balance; const char *owner; };
static struct account joint = {100, "ann"};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance_of(struct account *account) {
  pthread_mutex_lock(&lock);
  int balance = account->balance;
  pthread_mutex_unlock(&lock);
  return balance;
}
static void set(struct account *account, int balance) {
  pthread_mutex_lock(&lock);
  account->balance = balance;
  pthread_mutex_unlock(&lock);
}
static void *deposit(void *argument) {
  int amount = *(int *)argument;
  int before = balance_of(&joint);
  set(&joint, before + amount);
  return 0;
}
int main(void) {
  pthread_t first, second;
  int ten = 10, twenty = 20;
  pthread_create(&first, 0, deposit, &ten);
  pthread_create(&second, 0, deposit, &twenty);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(joint.balance == 130);
  return 0;
}
)";

json launchOf(const ProgramFile& file) {
  return {{"program", file.path()}, {"options", {"--steps", "1000000"}}};
}

TEST(DebugSession, StopsAtTheFailedAssertionWithItsClaim) {
  const ProgramFile file(kLostUpdate);
  Client client;
  client.start(launchOf(file));
  client.body("configurationDone");
  const json stopped = client.lastEvent("stopped");
  EXPECT_EQ(stopped.at("reason"), "exception");
  EXPECT_EQ(client.line(), 30);
  EXPECT_EQ(client.function(), "main");
  const json info = client.body("exceptionInfo", {{"threadId", client.thread()}});
  EXPECT_EQ(info.at("exceptionId"), "assert");
  EXPECT_NE(info.at("description").get<std::string>().find("joint.balance"), std::string::npos)
      << info.dump();
}

TEST(DebugSession, WalksBackToTheWriteThatWasLost) {
  const ProgramFile file(kLostUpdate);
  Client client;
  client.start(launchOf(file));
  client.body("configurationDone");
  const std::string end = client.value("joint.balance");
  const json info = client.body("dataBreakpointInfo",
                                {{"name", "joint.balance"}, {"frameId", client.frames().at(0).at("id")}});
  ASSERT_TRUE(info.at("dataId").is_string()) << info.dump();
  const json set = client.body("setDataBreakpoints",
                               {{"breakpoints", {{{"dataId", info.at("dataId")}, {"accessType", "write"}}}}});
  EXPECT_TRUE(set.at("breakpoints").at(0).at("verified").get<bool>());

  const json last = client.move("reverseContinue");
  EXPECT_EQ(last.at("reason"), "data breakpoint");
  EXPECT_EQ(client.line(), 14);
  EXPECT_EQ(client.function(), "set");
  const int64_t lastWriter = client.thread();
  const std::string before = client.value("account->balance");
  EXPECT_EQ(end, before == "110" ? "120" : "110");

  client.move("reverseContinue");
  EXPECT_EQ(client.line(), 14);
  EXPECT_NE(client.thread(), lastWriter);
  EXPECT_EQ(client.value("account->balance"), "100");

  // And forwards again: the same write, in the same place.
  client.move("continue");
  EXPECT_EQ(client.thread(), lastWriter);
  EXPECT_EQ(client.value("account->balance"), before);
}

TEST(DebugSession, SwitchingTheThreadThereMakesItPassAndTheScheduleIsKept) {
  const ProgramFile file(kLostUpdate);
  Client client;
  client.start(launchOf(file));
  client.body("setFunctionBreakpoints", {{"breakpoints", {{{"name", "balance_of"}}}}});
  client.body("configurationDone");
  // Both read the old balance: the one that comes second must wait until the first one has written.
  EXPECT_EQ(client.lastEvent("stopped").at("reason"), "function breakpoint");
  client.move("continue");
  EXPECT_EQ(client.function(), "balance_of");
  const json targets =
      client.body("stepInTargets", {{"frameId", client.frames().at(0).at("id")}}).at("targets");
  int64_t other = 0;
  for (const json& target : targets)
    if (target.at("label").get<std::string>().find("deposit") != std::string::npos)
      other = target.at("id").get<int64_t>();
  ASSERT_NE(other, 0) << targets.dump();
  const json switched = client.body("heddle/switchThread", {{"threadId", other}});
  EXPECT_TRUE(switched.at("passes").get<bool>()) << switched.dump();
  client.body("setFunctionBreakpoints", {{"breakpoints", json::array()}});
  client.move("continue");
  EXPECT_EQ(client.lastEvent("stopped").value("description", ""), "the end of the schedule");

  const std::string kept = file.beside("kept.schedule");
  client.body("heddle/keepSchedule", {{"path", kept}});
  Client again;
  again.start({{"program", file.path()}, {"schedule", kept}});
  again.body("configurationDone");
  EXPECT_EQ(again.lastEvent("stopped").value("description", ""), "the end of the schedule");
}

TEST(DebugSession, StepsOverIntoAndOutOfCallsAndBack) {
  const ProgramFile file(kLostUpdate);
  Client client;
  json launch = launchOf(file);
  launch["stopOnEntry"] = true;
  client.start(launch);
  client.body("setBreakpoints", {{"source", {{"path", file.path()}}},
                                 {"breakpoints", {{{"line", 19}, {"condition", "amount == 20"}}}}});
  client.body("configurationDone");
  EXPECT_EQ(client.lastEvent("stopped").at("reason"), "entry");
  EXPECT_EQ(client.function(), "main");
  client.move("continue");
  EXPECT_EQ(client.lastEvent("stopped").at("reason"), "breakpoint");
  EXPECT_EQ(client.line(), 19);
  EXPECT_EQ(client.value("amount"), "20");
  EXPECT_EQ(client.value("before").substr(0, 7), "not set");
  client.body("setBreakpoints", {{"source", {{"path", file.path()}}}, {"breakpoints", json::array()}});
  EXPECT_EQ(client.value("*(int *)argument"), "20");
  EXPECT_EQ(client.value("((const struct account *)(void *)&joint)->balance"), "100");
  EXPECT_EQ(client.value("*((int *)argument + 0) + (char)1"), "21");
  EXPECT_EQ(client.value("sizeof(struct account)"), "16");
  EXPECT_EQ(client.value("sizeof joint.balance + sizeof(char *)"), "12");
  EXPECT_EQ(client.value("sizeof ((struct account *)0)->balance"), "4") << "what lies there is not read";
  EXPECT_EQ(client.value("sizeof(struct none)").substr(0, 8), "problem:");
  EXPECT_EQ(client.value("*(struct account *)0").substr(0, 8), "problem:");
  EXPECT_EQ(client.value("(struct account)1").substr(0, 8), "problem:");
  client.move("next");
  EXPECT_EQ(client.line(), 20);
  EXPECT_EQ(client.value("before"), "100");
  client.move("stepIn");
  EXPECT_EQ(client.function(), "set");
  EXPECT_EQ(client.line(), 13);
  EXPECT_EQ(client.value("account->owner"), "\"ann\"");
  client.move("stepOut");
  EXPECT_EQ(client.function(), "deposit");
  EXPECT_EQ(client.line(), 21);
  client.move("stepBack");
  EXPECT_EQ(client.line(), 20);
  client.move("stepBack");
  EXPECT_EQ(client.line(), 19);
  EXPECT_EQ(client.value("before").substr(0, 7), "not set");
}

TEST(DebugSession, ShowsLocksStructuresAndExpressions) {
  const ProgramFile file(kLostUpdate);
  Client client;
  client.start(launchOf(file));
  client.body("setBreakpoints", {{"source", {{"path", file.path()}}}, {"breakpoints", {{{"line", 14}}}}});
  client.body("configurationDone");
  ASSERT_EQ(client.line(), 14);
  const json scopes = client.body("scopes", {{"frameId", client.frames().at(0).at("id")}}).at("scopes");
  std::map<std::string, json> byName;
  for (const json& scope : scopes)
    byName[scope.at("name").get<std::string>()] =
        client.body("variables", {{"variablesReference", scope.at("variablesReference")}}).at("variables");
  ASSERT_TRUE(byName.contains("Locals") && byName.contains("Globals") && byName.contains("Locks"));
  EXPECT_NE(byName["Locks"].dump().find("holds lock"), std::string::npos) << byName["Locks"].dump();
  json joint;
  for (const json& global : byName["Globals"])
    if (global.at("name") == "joint") joint = global;
  ASSERT_FALSE(joint.is_null()) << byName["Globals"].dump();
  EXPECT_EQ(joint.at("type"), "struct account");
  EXPECT_EQ(joint.at("value"), "{balance = 100, owner = \"ann\"}");
  const json fields =
      client.body("variables", {{"variablesReference", joint.at("variablesReference")}}).at("variables");
  EXPECT_EQ(fields.at(0).at("name"), "balance");
  EXPECT_EQ(client.value(fields.at(0).at("evaluateName").get<std::string>()), "100");

  EXPECT_EQ(client.value("account->balance + 1"), "101");
  EXPECT_EQ(client.value("(*account).balance == joint.balance && balance > 100"), "1");
  EXPECT_EQ(client.value("account == &joint"), "1");
  EXPECT_EQ(client.value("(unsigned char)(balance * 1000)"),
            std::to_string(static_cast<unsigned char>(std::stoi(client.value("balance")) * 1000)));
  EXPECT_EQ(client.value("account->owner[1]"), "110 'n'");
  EXPECT_EQ(client.value("*&joint.balance"), "100");
  EXPECT_EQ(client.value("-7 / 2 - 7 % 3 << 1"), "-8");
  EXPECT_EQ(client.value("0xffffffff > -1 ? 1 : 2"), "2");
  EXPECT_EQ(client.value("lock"), "locked by " + std::string(client.thread() == 2 ? "T1" : "T2"));
}

TEST(DebugSession, EachWrongExpressionHasOneClearProblem) {
  const ProgramFile file(kLostUpdate);
  Client client;
  client.start(launchOf(file));
  client.body("configurationDone");
  for (const auto& [expression, problem] : std::vector<std::pair<std::string, std::string>>{
           {"", "an operand is missing at the end"},
           {"nobody", "no variable 'nobody' is in scope here"},
           {"1 +", "an operand is missing at the end"},
           {"1 / 0", "a division by zero"},
           {"joint.nothing", "there is no field 'nothing'"},
           {"*ten", "it is no pointer to a known type"},
           {"set(1)", "calls are not evaluated: the program would change"},
           {"joint.balance = 3", "'=' is not expected here"},
           {"(1", "')' is missing"},
           {"1 << 40", "a shift by 40 bits"},
           {std::string(500, '('), "too many operators in one another"}})
    EXPECT_EQ(client.value(expression), "problem: " + problem);
}

TEST(DebugSession, ADeadlockStopsAtTheEndWithWhoHoldsWhat) {
  const ProgramFile file(R"(#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *p) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, one, 0);
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  pthread_join(t, 0);
  return 0;
}
)");
  Client client;
  client.start(launchOf(file));
  client.body("configurationDone");
  EXPECT_EQ(client.lastEvent("stopped").at("reason"), "exception");
  EXPECT_EQ(client.body("exceptionInfo", {{"threadId", 1}}).at("exceptionId"), "deadlock");
  const std::string threads = client.body("threads").dump();
  EXPECT_NE(threads.find("T0 main (waits for lock a, which T1 holds)"), std::string::npos) << threads;
  EXPECT_NE(threads.find("T1 one (waits for lock b, which T0 holds)"), std::string::npos) << threads;
}

TEST(DebugSession, AStepIsFoundByTheWordsOfTheInterleaving) {
  const ProgramFile file(R"(#include <assert.h>
#include <pthread.h>
static int x;
static void *one(void *p) {
  x = 1;
  x = 2;
  x = 1;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, one, 0);
  pthread_join(t, 0);
  assert(x == 0);
  return 0;
}
)");
  Client client;
  client.start(launchOf(file));
  client.body("configurationDone");
  const auto goTo = [&](int64_t occurrence) {
    client.move("heddle/goTo", {{"thread", "T1"}, {"text", "write x = 1"}, {"occurrence", occurrence}});
    const json next = client.lastEvent("heddle/position").at("next").at(0);
    EXPECT_EQ(next, json({{"thread", "T1"}, {"text", "write x = 1"}, {"occurrence", occurrence}}));
    return client.line();
  };
  EXPECT_EQ(goTo(1), 7);
  EXPECT_EQ(goTo(0), 5);
  EXPECT_NE(client.problem("heddle/goTo", {{"thread", "T1"}, {"text", "write x = 9"}}), "");
  EXPECT_NE(client.problem("heddle/goTo", json::object()), "");
}

TEST(DebugSession, ARaceStopsBeforeItsSecondAccess) {
  const ProgramFile file(R"(#include <pthread.h>
static int x;
static void *one(void *p) {
  x = 1;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, one, 0);
  x = 2;
  pthread_join(t, 0);
  return 0;
}
)");
  Client client;
  client.start(launchOf(file));
  client.body("configurationDone");
  EXPECT_EQ(client.lastEvent("stopped").at("reason"), "exception");
  EXPECT_EQ(client.body("exceptionInfo", {{"threadId", 1}}).at("exceptionId"), "race");
  EXPECT_TRUE(client.line() == 4 || client.line() == 10);
}

TEST(DebugSession, AProgramWithoutAFindingSaysSoAndEnds) {
  const ProgramFile file("int main(void) { return 0; }\n");
  Client client;
  client.start(launchOf(file));
  EXPECT_EQ(client.lastEvent("output").at("output"), "no finding in " + file.path() + " (verified)\n");
  EXPECT_FALSE(client.lastEvent("terminated").is_null());
}

TEST(DebugSession, WhatCannotBeLaunchedHasOneClearProblem) {
  const ProgramFile file("int main(void) { return x; }\n");
  const auto problemOf = [](const json& launch) {
    Client client;
    client.body("initialize", {{"adapterID", "heddle"}});
    const std::string problem = client.problem("launch", launch);
    EXPECT_EQ(problem.find('\n'), std::string::npos) << problem;
    return problem;
  };
  EXPECT_NE(problemOf({{"program", file.path()}}).find("does not compile"), std::string::npos);
  EXPECT_NE(problemOf({{"program", file.beside("none.c")}}).find("no such file"), std::string::npos);
  EXPECT_NE(problemOf({{"program", 3}}).find("'program'"), std::string::npos);
  EXPECT_NE(problemOf(json::object()).find("'program'"), std::string::npos);
  EXPECT_NE(problemOf({{"program", file.path()}, {"options", {"--no-such"}}}).find("--no-such"),
            std::string::npos);
  EXPECT_NE(problemOf({{"program", file.path()}, {"schedule", "T0*x"}}).find("schedule"), std::string::npos);
  EXPECT_NE(problemOf({{"program", file.path()}, {"finding", true}}).find("'finding'"), std::string::npos);
  EXPECT_NE(problemOf({{"program", file.path()}, {"flags", 7}}).find("flags"), std::string::npos);
}

TEST(DebugSession, EveryBadMessageHasOneFailureAndTheSessionGoesOn) {
  const ProgramFile file(kLostUpdate);
  Client client;
  EXPECT_EQ(client.problem("threads"), "the session is not initialized yet");
  for (const char* bad : {"", "{", "[]", "7", "{}", R"({"seq":1})", R"({"seq":"x","type":"request"})",
                          R"({"seq":1,"type":"event"})", R"({"seq":1,"type":"request"})", "\xff\xfe"}) {
    const size_t before = client.messages.size();
    client.raw(bad);
    ASSERT_EQ(client.messages.size(), before + 1) << bad;
    EXPECT_FALSE(client.messages.back().at("success").get<bool>());
    EXPECT_FALSE(client.messages.back().at("message").get<std::string>().empty());
  }
  client.start(launchOf(file));
  EXPECT_EQ(client.problem("restartFrame"), "'restartFrame' is not supported");
  for (const char* command :
       {"stackTrace", "scopes", "variables", "next", "stepBack", "stepIn", "evaluate", "setBreakpoints",
        "setDataBreakpoints", "stepInTargets", "heddle/switchThread", "heddle/keepSchedule", "heddle/goTo"}) {
    for (const json& arguments :
         {json(nullptr), json("x"), json::object(), json{{"threadId", -3}}, json{{"threadId", "a"}},
          json{{"frameId", 99}}, json{{"variablesReference", 1e30}}, json{{"step", -1}}})
      EXPECT_FALSE(client.request(command, arguments).at("success").get<bool>())
          << command << ' ' << arguments.dump();
  }
  client.body("configurationDone");
  EXPECT_EQ(client.line(), 30);
}

}  // namespace
}  // namespace heddle
