#include "server/source/signal_guesses.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace heddle {
namespace {

/// Of the C library, those that are no rare mistake: they take locks, or change what a signal may have
/// interrupted.
constexpr std::array<std::string_view, 49> kUnsafe = {"exit",
                                                      "atexit",
                                                      "malloc",
                                                      "calloc",
                                                      "realloc",
                                                      "free",
                                                      "strdup",
                                                      "printf",
                                                      "fprintf",
                                                      "sprintf",
                                                      "snprintf",
                                                      "vprintf",
                                                      "puts",
                                                      "fputs",
                                                      "fputc",
                                                      "putchar",
                                                      "putc",
                                                      "fwrite",
                                                      "fflush",
                                                      "fopen",
                                                      "fclose",
                                                      "fgets",
                                                      "fread",
                                                      "perror",
                                                      "syslog",
                                                      "vsyslog",
                                                      "openlog",
                                                      "closelog",
                                                      "localtime",
                                                      "gmtime",
                                                      "ctime",
                                                      "asctime",
                                                      "mktime",
                                                      "strftime",
                                                      "strerror",
                                                      "strerror_r",
                                                      "strtok",
                                                      "getenv",
                                                      "setenv",
                                                      "popen",
                                                      "system",
                                                      "vfprintf",
                                                      "vsnprintf",
                                                      "usleep",
                                                      "rand",
                                                      "random",
                                                      "backtrace",
                                                      "backtrace_symbols",
                                                      "pthread_mutex_lock"};

/// They set errno when they fail, and a handler need not look.
constexpr std::array<std::string_view, 12> kSetErrno = {
    "write", "read", "close", "open", "send", "recv", "kill", "waitpid", "fork", "pipe", "sendto", "fsync"};

template <size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Calls for the handler and what it calls in the file, up to some depth. `onlyReturning`: without those
/// that the handler does not come back from.
void forEachCall(const Survey& survey, const SurveyFunction& function, unsigned depth, bool onlyReturning,
                 std::set<std::string>& seen,
                 const std::function<void(const SurveyFunction&, const SurveyCall&)>& visit) {
  constexpr unsigned kDepth = 3;
  if (depth > kDepth || !seen.insert(function.name).second) return;
  for (const SurveyCall& call : function.calls) {
    if (onlyReturning && call.endsProcess) continue;
    visit(function, call);
    if (const SurveyFunction* callee = survey.find(call.callee))
      forEachCall(survey, *callee, depth + 1, onlyReturning, seen, visit);
  }
}

}  // namespace

bool isUnsafeInHandler(std::string_view callee) {
  return contains(kUnsafe, callee);
}

void addSignalGuesses(const Survey& survey, std::vector<LockGuess>& guesses) {
  for (const auto& [function, line] : survey.emptyMasks)
    guesses.push_back({"SIG_BLOCK",
                       function,
                       {line},
                       line,
                       "blocks nothing in '" + function + "': no signal was added to the set"});
  for (const std::string& name : survey.signalHandlers) {
    const SurveyFunction* handler = survey.find(name);
    if (!handler) continue;
    std::set<std::string> seen, told;
    bool keepsErrno = false;
    const SurveyCall* changes = nullptr;
    const SurveyFunction* changer = nullptr;
    forEachCall(survey, *handler, 0, false, seen,
                [&](const SurveyFunction& function, const SurveyCall& call) {
                  keepsErrno |= survey.errnoSetters.contains(function.name);
                  if (!contains(kUnsafe, call.callee) || !told.insert(call.callee).second) return;
                  LockGuess guess{call.callee, function.name, {call.line}, call.line, ""};
                  guess.why = "is called in '" + function.name + "' while '" + name +
                              "' handles a signal: it is not async-signal-safe, and may wait for itself";
                  guesses.push_back(std::move(guess));
                });
    std::set<std::string> seenAgain;
    forEachCall(survey, *handler, 0, true, seenAgain,
                [&](const SurveyFunction& function, const SurveyCall& call) {
                  if (changes || !contains(kSetErrno, call.callee)) return;
                  changes = &call;
                  changer = &function;
                });
    if (!changes || keepsErrno) continue;
    LockGuess guess{"errno", name, {changes->line}, changes->line, ""};
    guess.why = "may be changed by '" + changes->callee + "' in '" + changer->name + "' while '" + name +
                "' handles a signal, and is not put back";
    guesses.push_back(std::move(guess));
  }
}

}  // namespace heddle
