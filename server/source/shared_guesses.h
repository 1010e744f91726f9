// SharedGuesses: what the text of one file suspects of data that threads share without a lock: plain beside
// atomic, flags of threads, a thread that tests what is set behind its start; of hooks that are called under
// a lock which their callers' functions take; and of locks that a callee asserts and its caller has not.
//
// Threading: pure functions.
#pragma once

#include <vector>

#include "analysis/survey/thread_facts.h"
#include "server/source/lock_guesses.h"

namespace heddle {

void addPlainGuesses(const Survey& survey, const ThreadFacts& facts, std::vector<LockGuess>& guesses);
void addFlagGuesses(const Survey& survey, const ThreadFacts& facts, std::vector<LockGuess>& guesses);
void addCallGuesses(const Survey& survey, const ThreadFacts& facts, std::vector<LockGuess>& guesses);
/// Each once for its function and lock.
std::vector<HeldHook> heldHooks(const Survey& survey, const ThreadFacts& facts);
/// `taker`: a function that the user may call and that takes the lock.
std::string toText(const HeldHook& hook, const std::string& taker);

}  // namespace heddle
