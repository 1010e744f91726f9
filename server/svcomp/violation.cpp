#include "server/svcomp/violation.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "analysis/failure_class.h"
#include "server/convert/position_map.h"
#include "server/source/c_tokens.h"

namespace heddle::svcomp {
namespace {

/// A text in which statements and calls are found by its tokens.
class Statements {
 public:
  explicit Statements(const std::string& text) : map_(text), lexed_(lexC(map_.text())) {
    uint32_t depth = 0;
    for (const CToken& token : lexed_.tokens) {
      const std::string_view word = wordOf(token);
      if (word == ")" && depth > 0) --depth;
      depths_.push_back(depth);
      if (word == "(") ++depth;
      if (word == "{" || word == "}") depth = 0;
    }
  }

  size_t tokenAt(const SourcePlace& place) const {
    return tokenAtOffset(map_.offsetOfPlace(place.line, place.column));
  }

  std::string_view word(size_t token) const {
    return token < lexed_.tokens.size() ? wordOf(lexed_.tokens[token]) : std::string_view();
  }

  /// The first token of the statement that the token is in.
  size_t statementOf(size_t token) const {
    if (lexed_.tokens.empty()) return 0;
    size_t at = std::min(token, lexed_.tokens.size() - 1);
    while (at > 0 && !isEnd(at - 1)) --at;
    while (at < token && (word(at) == "else" || word(at) == "do")) ++at;
    return at;
  }

  /// The parenthesis that closes the call of the function that the token names; none where it names none.
  std::optional<size_t> closingOf(size_t token) const {
    if (word(token + 1) != "(") return std::nullopt;
    for (size_t at = token + 2; at < lexed_.tokens.size(); ++at)
      if (word(at) == ")" && depths_[at] == depths_[token + 1]) return at;
    return std::nullopt;
  }

  /// The first call of a function of this name behind the token.
  std::optional<size_t> callBehind(size_t token, const std::set<std::string_view>& names) const {
    for (size_t at = token; at < lexed_.tokens.size(); ++at)
      if (names.contains(word(at)) && word(at + 1) == "(") return at;
    return std::nullopt;
  }

  /// The name in the definition of a function.
  std::optional<size_t> definitionOf(std::string_view name) const {
    for (size_t at = 0; at < lexed_.tokens.size(); ++at) {
      if (word(at) != name || depths_[at] != 0) continue;
      if (const std::optional<size_t> closing = closingOf(at); closing && word(*closing + 1) == "{")
        return at;
    }
    return std::nullopt;
  }

  void locate(size_t token, Waypoint& point) const {
    if (token >= lexed_.tokens.size()) return;
    const TextPosition at = map_.positionOf(lexed_.tokens[token].range.begin, PositionEncoding::Utf8);
    point.line = at.line + 1;
    point.column = at.character + 1;
  }

 private:
  std::string_view wordOf(const CToken& token) const {
    return std::string_view(map_.text()).substr(token.range.begin, token.range.end - token.range.begin);
  }

  bool isEnd(size_t token) const {
    const std::string_view w = word(token);
    return lexed_.tokens[token].kind == CTokenKind::DirectiveEnd ||
           (depths_[token] == 0 && (w == ";" || w == "{" || w == "}"));
  }

  size_t tokenAtOffset(size_t offset) const {
    const auto behind =
        std::upper_bound(lexed_.tokens.begin(), lexed_.tokens.end(), offset,
                         [](size_t at, const CToken& token) { return at < token.range.begin; });
    return behind == lexed_.tokens.begin() ? 0 : static_cast<size_t>(behind - lexed_.tokens.begin()) - 1;
  }

  PositionMap map_;
  CText lexed_;
  std::vector<uint32_t> depths_;  // of tokens: in so many parentheses
};

class Writer {
 public:
  Writer(const Finding& finding, const std::string& file, const std::string& text)
      : finding_(finding), file_(file), statements_(text) {}

  std::vector<std::vector<Waypoint>> segments() {
    const std::vector<Step>& steps = finding_.steps;
    for (size_t i = 0; i < steps.size(); ++i) {
      inputsBefore(steps[i].thread, steps[i].operation);
      if (steps[i].kind == "create")
        creation(steps[i]);
      else if (isSwitch(i))
        statement(steps[i]);
    }
    for (const ThreadDescription& thread : finding_.threads) inputsBefore(thread.label, UINT64_MAX);
    segments_.push_back(targets());
    return std::move(segments_);
  }

  std::vector<Waypoint> targets() {
    // The threads' numbers are known from their creations.
    if (ids_.size() == 1)
      for (const Step& step : finding_.steps)
        if (step.kind == "create") noteCreated(step);
    std::vector<Waypoint> targets;
    if (isRace(finding_) && !finding_.steps.empty()) {
      for (const Step* step : racingSteps()) targets.push_back(targetAt(step->place, step->thread));
      return targets;
    }
    const std::string thread = finding_.steps.empty() ? "T0" : finding_.steps.back().thread;
    targets.push_back(targetAt(finding_.place, thread));
    return targets;
  }

 private:
  /// The last step and the last one of another thread that touches what it touches.
  std::vector<const Step*> racingSteps() const {
    const Step& last = finding_.steps.back();
    for (auto at = finding_.steps.rbegin() + 1; at != finding_.steps.rend(); ++at)
      if (at->thread != last.thread &&
          std::find_first_of(at->cells.begin(), at->cells.end(), last.cells.begin(), last.cells.end()) !=
              at->cells.end())
        return {&*at, &last};
    return {&last};
  }

  Waypoint targetAt(const SourcePlace& place, const std::string& thread) {
    Waypoint point = follow("target", thread);
    size_t token = statements_.tokenAt(place);
    const std::set<std::string_view> errors = {"reach_error", "__VERIFIER_error"};
    // What stands for a definition of the program's: the violation is in that.
    if (isErrorLocation(finding_) && !errors.contains(statements_.word(token)))
      if (const auto definition = statements_.definitionOf(statements_.word(token)))
        if (const auto call = statements_.callBehind(*definition, errors)) token = *call;
    statements_.locate(statements_.statementOf(token), point);
    return point;
  }

  Waypoint follow(const char* type, const std::string& thread) {
    Waypoint point;
    point.type = type;
    point.action = "follow";
    const auto id = ids_.find(thread);
    point.thread = id == ids_.end() ? 0 : id->second;
    point.file = file_;
    return point;
  }

  void noteCreated(const Step& step) {
    const size_t blank = step.event.rfind(' ');
    if (blank != std::string::npos)
      ids_.emplace(step.event.substr(blank + 1), static_cast<uint32_t>(ids_.size()));
  }

  void creation(const Step& step) {
    Waypoint point = follow("function_enter", step.thread);
    noteCreated(step);
    const std::optional<size_t> closing = statements_.closingOf(statements_.tokenAt(step.place));
    if (!closing) return;
    statements_.locate(*closing, point);
    segments_.push_back({point});
  }

  /// No statement makes the step.
  static bool isSilent(const Step& step) { return step.kind == "start" || step.kind == "end"; }

  /// The step is the first or the last one that a statement makes in a stretch of one thread.
  bool isSwitch(size_t i) const {
    const std::vector<Step>& steps = finding_.steps;
    if (isSilent(steps[i])) return false;
    const auto isOther = [&](const Step& step) { return !isSilent(step) && step.thread != steps[i].thread; };
    const auto isOwn = [&](const Step& step) { return !isSilent(step) && step.thread == steps[i].thread; };
    const auto at = steps.begin() + static_cast<ptrdiff_t>(i);
    const auto before = std::find_if(std::reverse_iterator(at), steps.rend(),
                                     [](const Step& step) { return !isSilent(step); });
    const auto behind = std::find_if(at + 1, steps.end(), [](const Step& step) { return !isSilent(step); });
    return before == steps.rend() || !isOwn(*before) || (behind != steps.end() && isOther(*behind));
  }

  void statement(const Step& step) {
    Waypoint point = follow("assumption", step.thread);
    point.constraint = "1";
    point.format = "c_expression";
    statements_.locate(statements_.statementOf(statements_.tokenAt(step.place)), point);
    segments_.push_back({point});
  }

  void inputsBefore(const std::string& thread, uint64_t operation) {
    size_t& next = inputs_[thread];
    for (; next < finding_.inputs.size(); ++next) {
      const InputValue& input = finding_.inputs[next];
      if (input.thread != thread) continue;
      if (input.operation >= operation) return;
      const size_t token = statements_.tokenAt(input.place);
      const std::optional<size_t> closing = statements_.closingOf(token);
      if (!closing || statements_.word(token).find("nondet") == std::string_view::npos) continue;
      Waypoint point = follow("function_return", thread);
      point.constraint =
          "\\result == " + (input.isUnsigned ? std::to_string(static_cast<uint64_t>(input.value))
                                             : std::to_string(input.value));
      point.format = "acsl_expression";
      statements_.locate(*closing, point);
      segments_.push_back({point});
    }
  }

  const Finding& finding_;
  const std::string& file_;
  const Statements statements_;
  std::map<std::string, uint32_t> ids_ = {{"T0", 0}};  // by label
  std::map<std::string, size_t> inputs_;               // by label: of finding_.inputs, the next to look at
  std::vector<std::vector<Waypoint>> segments_;
};

std::multiset<uint32_t> targetLines(const std::vector<Waypoint>& points) {
  std::multiset<uint32_t> lines;
  for (const Waypoint& point : points)
    if (point.type == "target") lines.insert(point.line);
  return lines;
}

}  // namespace

std::vector<std::vector<Waypoint>> segmentsOf(const Finding& finding, const std::string& file,
                                              const std::string& text) {
  return Writer(finding, file, text).segments();
}

bool endsAtTarget(const Witness& witness, const Finding& finding, const std::string& file,
                  const std::string& text) {
  if (witness.segments.empty()) return false;
  const std::multiset<uint32_t> wanted = targetLines(witness.segments.back());
  const std::multiset<uint32_t> own = targetLines(Writer(finding, file, text).targets());
  // Others name only one side of a race.
  return !wanted.empty() && std::includes(own.begin(), own.end(), wanted.begin(), wanted.end());
}

}  // namespace heddle::svcomp
