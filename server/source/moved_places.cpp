#include "server/source/moved_places.h"

#include <algorithm>

#include "server/source/c_tokens.h"
#include "server/source/outline.h"

namespace heddle {

MovedPlaces::MovedPlaces(std::string path, const PositionMap& before, const PositionMap& after)
    : MovedPlaces(std::move(path), before, after, {}) {}

MovedPlaces::MovedPlaces(std::string path, const PositionMap& before, const PositionMap& after,
                         const std::set<std::string>& reached)
    : path_(std::move(path)), before_(before), after_(after) {
  if (before.text() == after.text()) return;
  const auto tokensOf = [&](const std::string& text) {
    return withoutUnreached(text, lexC(text), reached).tokens;
  };
  for (const CToken& token : tokensOf(before.text())) from_.push_back(token.range);
  for (const CToken& token : tokensOf(after.text())) to_.push_back(token.range);
}

void MovedPlaces::move(SourcePlace& place) const {
  if (beyond_.line != 0 && place.line > before_.lineCount() && (place.file.empty() || place.file == path_)) {
    place.line = beyond_.line;
    place.column = beyond_.column;
  }
  if (from_.empty() || place.line == 0 || (!place.file.empty() && place.file != path_)) return;
  const size_t offset = before_.offsetOfPlace(place.line, place.column);
  if (place.column == 0) {  // a line goes where its first token goes
    const auto first = std::lower_bound(from_.begin(), from_.end(), offset,
                                        [](const ByteRange& token, size_t at) { return token.begin < at; });
    const size_t index = static_cast<size_t>(first - from_.begin());
    if (index < from_.size() && index < to_.size())
      place.line = after_.positionOf(to_[index].begin, PositionEncoding::Utf8).line + 1;
    return;
  }
  const auto next = std::upper_bound(from_.begin(), from_.end(), offset,
                                     [](size_t at, const ByteRange& token) { return at < token.begin; });
  if (next == from_.begin()) return;
  const size_t index = static_cast<size_t>(next - from_.begin()) - 1;
  if (index >= to_.size()) return;
  const size_t within = std::min(offset - from_[index].begin, to_[index].end - to_[index].begin);
  const TextPosition moved = after_.positionOf(to_[index].begin + within, PositionEncoding::Utf8);
  place.line = moved.line + 1;
  place.column = moved.character + 1;
}

void MovedPlaces::move(Explanation& explanation) const {
  const auto orderings = [this](std::vector<OrderingFact>& facts) {
    for (OrderingFact& fact : facts) {
      move(fact.before);
      move(fact.after);
    }
  };
  for (RelatedPlace& fact : explanation.facts) move(fact.place);
  for (Step& step : explanation.steps) move(step.place);
  for (std::vector<OrderingFact>& core : explanation.cores) orderings(core);
  if (!explanation.passing) return;
  for (Step& step : explanation.passing->steps) move(step.place);
  orderings(explanation.passing->changed);
}

void MovedPlaces::move(Finding& finding) const {
  move(finding.place);
  move(finding.freedAt);
  for (RelatedPlace& related : finding.related) move(related.place);
  for (InputValue& input : finding.inputs) move(input.place);
  for (Step& step : finding.steps) move(step.place);
  for (OrderingFact& fact : finding.core) {
    move(fact.before);
    move(fact.after);
  }
  if (finding.explanation) move(*finding.explanation);
  if (!from_.empty()) finding.repairs.clear();  // their edits are of the text before
}

void MovedPlaces::move(Report& report) const {
  move(report.problemPlace);
  for (Assumption& assumption : report.assumptions) move(assumption.place);
  for (OpenPlace& open : report.open) move(open.place);
  for (UnknownCall& call : report.unknownCalls)
    for (SourcePlace& place : call.places) move(place);
  std::erase_if(report.reached, [this](const SourcePlace& function) {
    return beyond_.line != 0 && function.line > before_.lineCount();
  });
  for (SourcePlace& function : report.reached) move(function);
  for (Finding& finding : report.findings) move(finding);
  for (Finding& warning : report.warnings) move(warning);
  for (SavedRun& run : report.saved) move(run.place);
  for (SizedRun& run : report.sized) {
    for (ChosenSize& size : run.sizes) move(size.place);
    for (Finding& finding : run.findings) move(finding);
  }
  if (!report.reach) return;
  for (ReachedThread& thread : report.reach->threads) move(thread.place);
  for (Unreached& what : report.reach->unreached) move(what.place);
}

}  // namespace heddle
