#include "server/driver/live_report.h"

#include <algorithm>
#include <cstdio>
#include <ostream>

#include "analysis/same_bug.h"
#include "server/render/duration_text.h"
#include "server/render/text_report.h"

namespace heddle {
namespace {

constexpr const char* kEraseLine = "\r\033[K";

}  // namespace

LiveReport::LiveReport(std::ostream& err, How how) : err_(err), how_(std::move(how)) {}

LiveReport::~LiveReport() {
  end();
}

Observer LiveReport::observer() {
  Observer observer;
  observer.finding = [this](const Finding& finding) {
    const std::lock_guard lock(mutex_);
    const bool isKnown = std::any_of(findings_.begin(), findings_.end(),
                                     [&](const Pending& known) { return isSameBug(known.finding, finding); });
    if (!isKnown) findings_.push_back({finding, Clock::now()});
  };
  observer.progress = [this](const Progress& progress) {
    const std::lock_guard lock(mutex_);
    progress_ = progress;
  };
  return observer;
}

void LiveReport::begin() {
  ticker_ = std::jthread([this](const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (
        !ended_.wait_for(lock, stop, std::chrono::milliseconds(100), [&] { return stop.stop_requested(); })) {
      lock.unlock();
      tick(Clock::now());
      lock.lock();
    }
  });
}

void LiveReport::end() {
  if (ticker_.joinable()) {
    ticker_.request_stop();
    ticker_.join();
  }
  if (hasLine_) err_ << kEraseLine << std::flush;
  hasLine_ = false;
}

void LiveReport::tick(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  std::string lines;
  for (Pending& pending : findings_) {
    if (pending.isTold || now - pending.found < kHeldBack) continue;
    pending.isTold = true;
    Finding shown = pending.finding;
    how_.showAsWritten(shown);
    lines += "heddle: found after " + secondsText(pending.found - begun_, 1) + ": " +
             placeText(shown.place, how_.file) + ": " + shown.message + " [" + codeOf(shown.kind) + "]\n";
  }
  std::string out;
  if (hasLine_) out += kEraseLine;
  hasLine_ = false;
  out += lines;
  if (how_.isTerminal && now - begun_ >= kHeldBack) {
    out += progressLine(now);
    hasLine_ = true;
  }
  if (!out.empty()) err_ << out << std::flush;
}

std::string LiveReport::progressLine(Clock::time_point now) const {
  std::string line = how_.file + ": " + secondsText(now - begun_, 1);
  if (how_.budget.count() != 0) line += " of " + secondsText(how_.budget, 1);
  line += ", " + count(progress_.paths, "path") + ", " + std::to_string(progress_.openLeaves) + " open";
  line += ", " + count(findings_.size(), "finding");
  constexpr size_t kMost = 78;  // a line that wraps would not be erased
  return line.size() <= kMost ? line : line.substr(line.size() - kMost);
}

}  // namespace heddle
