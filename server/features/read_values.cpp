#include "server/features/read_values.h"

#include <algorithm>
#include <map>

namespace heddle {
namespace {

/// "read x = 2" → "x", "2". False: the text tells no value.
bool split(const std::string& text, std::string& object, std::string& value) {
  const size_t space = text.find(' ');
  const size_t equals = text.rfind(" = ");
  if (space == std::string::npos || equals == std::string::npos || equals < space) return false;
  object = text.substr(space + 1, equals - space - 1);
  value = text.substr(equals + 3);
  return true;
}

class Reads {
 public:
  void add(const std::vector<Step>& steps, const std::vector<ThreadDescription>& threads) {
    std::map<uint32_t, const Step*> written;  // by cell
    for (const Step& step : steps) {
      std::string object, value;
      if (step.kind == "read" && !step.cells.empty() && split(step.event, object, value)) {
        ReadValue seen{value, "", {}};
        if (const auto writer = written.find(step.cells.front()); writer != written.end()) {
          seen.writer = functionOf(writer->second->thread, threads);
          seen.written = writer->second->place;
        }
        note(step.place, object, std::move(seen));
      } else if (step.kind == "write" || step.kind == "update") {
        for (const uint32_t cell : step.cells) written[cell] = &step;
      }
    }
  }

  std::vector<SharedRead> take() { return std::move(found_); }

 private:
  static std::string functionOf(const std::string& label, const std::vector<ThreadDescription>& threads) {
    for (const ThreadDescription& thread : threads)
      if (thread.label == label) return thread.function;
    return label;
  }

  void note(const SourcePlace& place, const std::string& object, ReadValue seen) {
    auto read = std::find_if(found_.begin(), found_.end(),
                             [&](const SharedRead& known) { return known.place == place; });
    if (read == found_.end()) read = found_.insert(found_.end(), SharedRead{place, object, {}});
    if (std::find(read->values.begin(), read->values.end(), seen) == read->values.end())
      read->values.push_back(std::move(seen));
  }

  std::vector<SharedRead> found_;
};

}  // namespace

std::vector<SharedRead> readsOf(const Report& report) {
  Reads reads;
  for (const Finding& finding : report.findings) {
    reads.add(finding.steps, finding.threads);
    if (finding.explanation && finding.explanation->passing)
      reads.add(finding.explanation->passing->steps, finding.threads);
  }
  return reads.take();
}

}  // namespace heddle
