// What a debug session is about: a program and one schedule of it, from the arguments of `launch`.
//
// Threading: one thread; ends early when `stop` is requested.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "analysis/debug/time_travel.h"
#include "protocol/dap.h"
#include "server/driver/exploration_input.h"
#include "server/engine.h"

namespace heddle::dap {

struct Target {
  std::string problem;     // not empty: there is nothing to debug; one line
  bool noFinding = false;  // because nothing was found
  std::vector<std::string> notes;
  std::string file;      // the analysed one, absolute
  std::string ownText;   // what the file says
  std::string explored;  // the same, and a harness behind it if there is one
  Options options;
  std::string claim;  // of the finding; empty: a schedule was given
  SourcePlace claimPlace;
  std::unique_ptr<TimeTravel> travel;
};

/// `userFolder`: as CommonOptions. `told` hears what goes on meanwhile, one line each time.
Target openTarget(const LaunchArguments& arguments, const Engine& engine, const std::string& userFolder,
                  std::stop_token stop, const std::function<void(const std::string&)>& told);

}  // namespace heddle::dap
