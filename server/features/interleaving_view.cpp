#include "server/features/interleaving_view.h"

#include <algorithm>
#include <map>

#include "protocol/uri.h"
#include "server/convert/source_token.h"
#include "server/render/interleaving.h"

namespace heddle {
namespace {

bool writes(const Step& step) {
  return step.kind == "write" || step.kind == "update";
}
bool reads(const Step& step) {
  return step.kind == "read" || step.kind == "update";
}

bool touch(const Step& a, const Step& b) {
  return std::find_first_of(a.cells.begin(), a.cells.end(), b.cells.begin(), b.cells.end()) != a.cells.end();
}

/// "write x = 2" → object "x", value "2".
void splitText(const Step& step, lsp::InterleavingStep& out) {
  const size_t space = step.event.find(' ');
  if (space == std::string::npos) return;
  std::string rest = step.event.substr(space + 1);
  constexpr std::string_view kAgain = " again";  // of a lock that a wait has given back
  if (step.kind == "lock" && rest.ends_with(kAgain)) rest.resize(rest.size() - kAgain.size());
  const size_t equals = rest.rfind(" = ");
  if (equals == std::string::npos) {
    if (!step.cells.empty()) out.object = rest;
    return;
  }
  out.object = rest.substr(0, equals);
  out.value = rest.substr(equals + 3);
}

class Builder {
 public:
  Builder(const Finding& finding, const lsp::DocumentUri& uri, const PositionMap& map,
          const ReplayContext& context, PositionEncoding encoding)
      : finding_(finding), uri_(uri), map_(map), context_(context), encoding_(encoding) {}

  std::vector<lsp::InterleavingThread> threads() {
    for (const ThreadDescription& thread : finding_.threads) lane(thread.label, titleOf(thread));
    for (const Step& step : finding_.steps) lane(step.thread, "");
    return lanes_;
  }

  lsp::InterleavingExecution execution(const std::string& name, const std::vector<Step>& steps) {
    lsp::InterleavingExecution out;
    out.name = name;
    out.inputs = renderInputs(finding_.inputs);
    for (const Step& step : steps) out.steps.push_back(stepOf(step));
    edges(steps, out);
    bars(steps, out);
    return out;
  }

  /// Orderings, between the first steps at their places. `turned`: the execution has them the other way
  /// round.
  void addOrderings(const std::vector<OrderingFact>& facts, const std::vector<Step>& steps,
                    lsp::InterleavingExecution& out, bool turned = false) const {
    using Iterator = std::vector<Step>::const_iterator;
    const auto find = [&](Iterator begin, const SourcePlace& place, const std::string& thread) {
      return std::find_if(begin, steps.end(), [&](const Step& step) {
        return step.thread == thread && step.place.line == place.line && step.place.file == place.file &&
               (place.column == 0 || step.place.column == place.column);
      });
    };
    for (const OrderingFact& fact : facts) {
      const Iterator from = turned ? find(steps.begin(), fact.after, fact.afterThread)
                                   : find(steps.begin(), fact.before, fact.beforeThread);
      const Iterator to =
          turned ? find(from, fact.before, fact.beforeThread) : find(from, fact.after, fact.afterThread);
      if (from == steps.end() || to == steps.end()) continue;
      const auto a = static_cast<uint32_t>(from - steps.begin()),
                 b = static_cast<uint32_t>(to - steps.begin());
      out.steps[a].core = out.steps[b].core = true;
      out.edges.push_back({a, b, "core", true});
    }
  }

 private:
  uint32_t lane(const std::string& label, const std::string& function) {
    const auto [known, isNew] = laneOf_.try_emplace(label, static_cast<uint32_t>(lanes_.size()));
    if (isNew) lanes_.push_back({label, function});
    return known->second;
  }

  lsp::InterleavingStep stepOf(const Step& step) {
    lsp::InterleavingStep out;
    out.thread = lane(step.thread, "");
    out.kind = step.kind.empty() ? "failure" : step.kind;
    out.text = step.event;
    if (!step.kind.empty()) splitText(step, out);
    if (step.place.line == 0) return out;
    const bool here = step.place.file.empty() || step.place.file == documentOf(context_);
    if (here) {
      const size_t offset = map_.offsetOfPlace(step.place.line, step.place.column);
      out.location = lsp::Location{uri_, toLsp(map_, tokenAt(map_.text(), offset), encoding_)};
    } else if (step.place.file.starts_with("/")) {
      const lsp::Position at{step.place.line - 1, step.place.column == 0 ? 0 : step.place.column - 1};
      out.location = lsp::Location{lsp::uriFromPath(step.place.file), {at, at}};
    }
    return out;
  }

  void edges(const std::vector<Step>& steps, lsp::InterleavingExecution& out) const {
    const auto add = [&](size_t from, size_t to, const char* kind) {
      out.edges.push_back({static_cast<uint32_t>(from), static_cast<uint32_t>(to), kind, false});
    };
    for (size_t i = 0; i < steps.size(); i++) {
      const Step& step = steps[i];
      if (step.kind == "create") {
        const std::string child =
            out.steps[i].object.empty() ? step.event.substr(step.event.find(' ') + 1) : out.steps[i].object;
        for (size_t j = i + 1; j < steps.size(); j++)
          if (steps[j].thread == child) {
            add(i, j, "create");
            break;
          }
      } else if (step.kind == "join") {
        const std::string child = step.event.substr(step.event.find(' ') + 1);
        for (size_t j = i; j-- > 0;)
          if (steps[j].thread == child) {
            add(j, i, "join");
            break;
          }
      }
      if (reads(step)) {
        for (size_t j = i; j-- > 0;)
          if (writes(steps[j]) && touch(steps[j], step)) {
            if (steps[j].thread != step.thread) add(j, i, "reads-from");
            break;
          }
      }
      if (step.kind == "lock") {
        for (size_t j = i; j-- > 0;)
          if (steps[j].kind == "unlock" && touch(steps[j], step)) {
            if (steps[j].thread != step.thread) add(j, i, "lock");
            break;
          }
      }
    }
    // The two accesses of a race are the witness' last steps of different threads.
    if (out.name != "failing" || !isRace(finding_) || steps.size() < 2) return;
    for (size_t j = steps.size() - 1; j-- > 0;)
      if (steps[j].thread != steps.back().thread) {
        if (touch(steps[j], steps.back())) add(j, steps.size() - 1, "race");
        break;
      }
  }

  static void bars(const std::vector<Step>& steps, lsp::InterleavingExecution& out) {
    std::map<std::pair<std::string, uint32_t>, size_t> open;  // thread and mutex → bar
    for (size_t i = 0; i < steps.size(); i++) {
      const Step& step = steps[i];
      if (step.cells.empty()) continue;
      const std::pair key{step.thread, step.cells.front()};
      if (step.kind == "lock") {
        open[key] = out.bars.size();
        out.bars.push_back(
            {out.steps[i].thread, static_cast<uint32_t>(i), std::nullopt, out.steps[i].object});
      } else if (step.kind == "unlock") {
        const auto bar = open.find(key);
        if (bar == open.end()) continue;
        out.bars[bar->second].to = static_cast<uint32_t>(i);
        open.erase(bar);
      }
    }
  }

  const Finding& finding_;
  const lsp::DocumentUri& uri_;
  const PositionMap& map_;
  const ReplayContext& context_;
  PositionEncoding encoding_;
  std::vector<lsp::InterleavingThread> lanes_;
  std::map<std::string, uint32_t> laneOf_;
};

}  // namespace

lsp::Interleaving interleavingOf(const LocatedFinding& located, const lsp::DocumentUri& uri,
                                 const PositionMap& map, const ReplayContext& context,
                                 PositionEncoding encoding) {
  const Finding& finding = located.finding;
  lsp::Interleaving out;
  out.finding = finding.id;
  out.kind = toString(finding.kind);
  out.message = finding.message;
  out.uri = uri;
  out.version = located.version;
  out.stale = located.stale;
  out.schedule = finding.schedule;
  if (!finding.schedule.empty()) {
    out.replay = replayCommand(context, finding.schedule);
    out.arguments = replayWords(context, finding.schedule);
  }
  out.files = context.otherFiles;
  out.files.insert(out.files.begin(), context.file);
  out.options = programOptions(context);
  const std::vector<Step> steps = stepsToFailure(finding);
  Builder builder(finding, uri, map, context, encoding);
  builder.threads();
  out.executions.push_back(builder.execution("failing", steps));
  builder.addOrderings(finding.core, steps, out.executions.back());
  if (finding.explanation && finding.explanation->passing && !finding.explanation->passing->steps.empty()) {
    const PassingExecution& passing = *finding.explanation->passing;
    out.executions.push_back(builder.execution("passing", passing.steps));
    builder.addOrderings(passing.changed, passing.steps, out.executions.back(), true);
  }
  out.threads = builder.threads();
  InterleavingOptions options;
  options.mainFile = documentOf(context);
  options.maxRows = SIZE_MAX;
  options.maxColumn = 60;
  out.text = renderInterleaving(finding.threads, steps, options);
  return out;
}

}  // namespace heddle
