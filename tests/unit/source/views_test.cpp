// Interleaving, lens, status and notes as data, from reports made by hand.
#include <gtest/gtest.h>

#include "server/features/code_lens.h"
#include "server/features/inlay_hints.h"
#include "server/features/interleaving_view.h"
#include "server/features/publish.h"
#include "server/features/status.h"
#include "tests/unit/server/sample_reports.h"

#include <boost/asio/io_context.hpp>

namespace heddle {
namespace {

using testing::kRacyText;

constexpr const char* kPath = "/p/racy.c";

struct Shown {
  boost::asio::io_context loop;
  FileSession session{loop.get_executor(), {}};
  Document document;

  explicit Shown(const std::string& text = kRacyText) {
    document.uri = "file:///p/racy.c";
    document.path = kPath;
    document.version = 3;
    document.map = std::make_shared<const PositionMap>(text);
  }
  void show(const Report& report) {
    const LocateContext context{kPath, *document.map, {}, PositionEncoding::Utf8};
    for (const Finding& finding : report.findings) session.shown.push_back(locate(finding, 3, context));
    const std::string& text = document.map->text();
    session.notes = notesOf(report, outlineOf(text, lexC(text)), context);
    session.lastReport = report;
  }
  std::vector<std::string> lenses(bool panel = false) const {
    std::vector<std::string> out;
    for (const lsp::CodeLens& lens :
         codeLensesOf(session, document, "main", {PositionEncoding::Utf8, {.interleavingPanel = panel}}))
      out.push_back(std::to_string(lens.range.start.line) + " " + lens.command->title + " " +
                    lens.command->command);
    return out;
  }
};

Finding lockedFinding() {
  Finding finding = testing::sampleFinding(kPath);
  const auto step = [](const char* thread, uint32_t line, const char* text, const char* kind,
                       std::vector<uint32_t> cells) {
    return Step{thread, {kPath, line, 3, "f"}, text, kind, std::move(cells)};
  };
  finding.steps = {step("T0", 11, "create T1", "create", {}),  step("T0", 11, "lock m", "lock", {5}),
                   step("T0", 12, "unlock m", "unlock", {5}),  step("T1", 6, "lock m", "lock", {5}),
                   step("T1", 7, "write x = 3", "write", {1}), step("T0", 12, "read x = 3", "read", {1}),
                   step("T0", 12, "read y = 0", "read", {2})};
  finding.core = {{{kPath, 7, 3, "worker"}, "T1", {kPath, 12, 3, "main"}, "T0", ""}};
  return finding;
}

lsp::Interleaving interleaving(const Finding& finding) {
  const PositionMap map{std::string(kRacyText)};
  const LocatedFinding located = locate(finding, 3, {kPath, map, {}, PositionEncoding::Utf8});
  return interleavingOf(located, "file:///p/racy.c", map, {kPath, "main", {}}, PositionEncoding::Utf8);
}

std::vector<std::string> edges(const lsp::InterleavingExecution& execution) {
  std::vector<std::string> out;
  for (const lsp::InterleavingEdge& edge : execution.edges)
    out.push_back(std::to_string(edge.from) + "-" + std::to_string(edge.to) + " " + edge.kind);
  return out;
}

TEST(Interleaving, StepsInLanesWithValuesAndPlaces) {
  const lsp::Interleaving view = interleaving(lockedFinding());
  EXPECT_EQ(view.threads, (std::vector<lsp::InterleavingThread>{{"T0", "main"}, {"T1", "worker"}}));
  ASSERT_EQ(view.executions.size(), 1u);
  const auto& steps = view.executions[0].steps;
  ASSERT_EQ(steps.size(), 7u);
  EXPECT_EQ(steps[4].thread, 1u);
  EXPECT_EQ(steps[4].object, "x");
  EXPECT_EQ(steps[4].value, "3");
  EXPECT_EQ(steps[4].location->range.start.line, 6u);
  EXPECT_EQ(steps[1].object, "m");
  EXPECT_EQ(steps[1].value, "");
  EXPECT_NE(view.replay.find("heddle replay"), std::string::npos);
  EXPECT_NE(view.text.find("write x = 3"), std::string::npos);
}

TEST(Interleaving, TheFailureIsTheLastStep) {
  Finding finding = lockedFinding();
  finding.steps.back().place.function = "main";
  const auto steps = interleaving(finding).executions[0].steps;
  EXPECT_EQ(steps.back().kind, "failure");
  EXPECT_EQ(steps.back().text, finding.message);
}

TEST(Interleaving, OrdersBetweenThreads) {
  EXPECT_EQ(edges(interleaving(lockedFinding()).executions[0]),
            (std::vector<std::string>{"0-3 create", "2-3 lock", "4-5 reads-from", "4-5 core"}));
}

TEST(Interleaving, TheCoreMarksItsSteps) {
  const auto steps = interleaving(lockedFinding()).executions[0].steps;
  EXPECT_TRUE(steps[4].core && steps[5].core);
  EXPECT_FALSE(steps[6].core);
}

TEST(Interleaving, AMutexIsABarFromLockToUnlockOrToTheEnd) {
  EXPECT_EQ(interleaving(lockedFinding()).executions[0].bars,
            (std::vector<lsp::InterleavingBar>{{0, 1, 2, "m"}, {1, 3, std::nullopt, "m"}}));
}

TEST(Interleaving, ARaceTiesItsTwoAccesses) {
  Finding finding = lockedFinding();
  finding.kind = Property::Race;
  finding.steps.pop_back();
  const auto found = edges(interleaving(finding).executions[0]);
  EXPECT_NE(std::find(found.begin(), found.end(), "4-5 race"), found.end());
}

TEST(Interleaving, ThePassingExecutionTurnsOrdersRound) {
  Finding finding = lockedFinding();
  EXPECT_EQ(interleaving(finding).executions.size(), 1u) << "none is known";
  PassingExecution passing;
  passing.steps = {finding.steps[5], finding.steps[4]};
  passing.changed = finding.core;  // T1 wrote before T0 read; now it is the other way round
  finding.explanation.emplace().passing = passing;
  const lsp::Interleaving view = interleaving(finding);
  ASSERT_EQ(view.executions.size(), 2u);
  EXPECT_EQ(view.executions[1].name, "passing");
  EXPECT_EQ(edges(view.executions[1]), std::vector<std::string>{"0-1 core"});
}

TEST(InlayHints, SayWhatIsReadAndWhoWroteIt) {
  Shown shown;
  Report report = testing::sampleReport(kPath);
  Finding& finding = report.findings[0];
  const auto step = [](const char* thread, uint32_t line, uint32_t column, const char* text,
                       const char* kind) {
    return Step{thread, {kPath, line, column, "f"}, text, kind, {1}};
  };
  const Step read0 = step("T0", 12, 10, "read x = 0", "read"),
             read3 = step("T0", 12, 10, "read x = 3", "read");
  finding.steps = {step("T1", 7, 5, "write x = 3", "write"), read3};
  finding.explanation.emplace().passing.emplace().steps = {read0, step("T1", 7, 5, "write x = 3", "write"),
                                                           read3};
  const LocateContext context{kPath, *shown.document.map, {}, PositionEncoding::Utf8};
  std::vector<LocatedRead> reads = locateReads(report, context);
  const auto textOf = [](const lsp::InlayHint& hint) {
    std::string text;
    for (const lsp::InlayHintLabelPart& part : hint.label) text += part.value;
    return text;
  };
  auto hints = inlayHintsOf(reads, shown.document.uri, context, {{0, 0}, {99, 0}});
  ASSERT_EQ(hints.size(), 1u);
  EXPECT_EQ(textOf(hints[0]), "reads 3 (worker), 0");
  EXPECT_EQ(hints[0].position, (lsp::Position{11, 10})) << "behind the x";
  ASSERT_TRUE(hints[0].label[1].location);
  EXPECT_EQ(hints[0].label[1].location->range.start.line, 6u);
  EXPECT_TRUE(inlayHintsOf(reads, shown.document.uri, context, {{0, 0}, {5, 0}}).empty()) << "out of sight";

  shift(reads, {{0, 0}, 1});
  EXPECT_EQ(reads[0].range.begin, locateReads(report, context)[0].range.begin + 1);
}

TEST(CodeLens, VerdictOverMainAndThreadsBelow) {
  Shown shown;
  EXPECT_EQ(shown.lenses(), (std::vector<std::string>{"9 not verified yet heddle.server.verify",
                                                      "9 verify heddle.server.verify"}));
  shown.show(testing::sampleReport(kPath));
  const auto lenses = shown.lenses(true);
  ASSERT_EQ(lenses.size(), 5u);
  EXPECT_NE(lenses[0].find("violated"), std::string::npos);
  EXPECT_EQ(lenses[2], "9 show interleaving heddle.showInterleaving");
  EXPECT_EQ(lenses[3], "4 thread T1: takes part in 1 finding heddle.server.verify");
  EXPECT_EQ(shown.lenses(false)[2], "9 show interleaving heddle.server.show");
}

TEST(CodeLens, WhileItRunsItStops) {
  Shown shown;
  Running& run = shown.session.run.emplace<Running>();
  run.isExploring = true;
  run.counts = {12, 9, 3};
  EXPECT_EQ(shown.lenses(),
            std::vector<std::string>{"9 exploring: 9 paths, 12 executions, 3 open heddle.server.stop"});
}

TEST(Status, EveryStateHasItsOwnName) {
  Shown shown;
  const auto state = [&] { return statusOf(shown.session, shown.document, "main").state; };
  EXPECT_EQ(state(), "idle");
  shown.session.run = AwaitingPause{};
  EXPECT_EQ(state(), "waiting");
  shown.session.run = AwaitingProject{};
  EXPECT_EQ(state(), "waiting");
  EXPECT_NE(statusOf(shown.session, shown.document, "main").text.find("files"), std::string::npos);
  Running& run = shown.session.run.emplace<Running>();
  EXPECT_EQ(state(), "compiling");
  run.isExploring = true;
  EXPECT_EQ(state(), "exploring");
  shown.session.run = NotRunning{};
  for (const Verdict verdict :
       {Verdict::Verified, Verdict::VerifiedWithinBounds, Verdict::Violated, Verdict::Incomplete,
        Verdict::Cancelled, Verdict::Unsupported, Verdict::Error}) {
    shown.session.lastReport = Report{};
    shown.session.lastReport->verdict = verdict;
    EXPECT_EQ(state(), toString(verdict));
  }
}

TEST(Status, CountsAndAGuessedCommand) {
  Shown shown;
  Report report = testing::sampleReport(kPath);
  report.commandSource = "inferred";
  shown.show(report);
  shown.session.shown[0].suppressed = "why";
  const lsp::StatusParams status = statusOf(shown.session, shown.document, "main");
  EXPECT_EQ(status.findings, 0u);
  EXPECT_EQ(status.suppressed, 1u);
  EXPECT_EQ(status.assumptions, 1u);
  EXPECT_TRUE(status.commandGuessed);
  EXPECT_NE(status.text.find("only suppressed"), std::string::npos);
}

TEST(Notes, StandAtTheirPlaceAndSayWhatToDo) {
  Shown shown;
  Report report = testing::sampleReport(kPath);
  report.bounds = {{BoundKind::LoopIterations, "at most 4 iterations of the loop at line 6", {}}};
  report.verdict = Verdict::Incomplete;
  report.problem = "the time budget is spent";
  report.open = {{{kPath, 9, 3, "get"}, "condition", 12}};
  shown.show(report);
  ASSERT_EQ(shown.session.notes.size(), 3u);
  const auto diagnostics = diagnosticsOf(shown.session, shown.document, {}).diagnostics;
  std::map<std::string, uint32_t> lineOfCode;
  for (const lsp::Diagnostic& diagnostic : diagnostics) {
    const std::string code = std::get<std::string>(diagnostic.code->value);
    lineOfCode[code] = diagnostic.range.start.line;
    const bool saysWhere = diagnostic.message.find("12 branches at the condition") != std::string::npos;
    EXPECT_EQ(saysWhere, code == "heddle-budget") << diagnostic.message;
  }
  EXPECT_EQ(lineOfCode["heddle-assumption"], 5u);
  EXPECT_EQ(lineOfCode["heddle-bound"], 9u) << "at main";
  EXPECT_EQ(lineOfCode["heddle-budget"], 9u);
}

TEST(Suppressed, AFindingBecomesAHintWithItsReason) {
  Shown shown(std::string(kRacyText).replace(std::string(kRacyText).find("assert(x != 3);"), 15,
                                             "assert(x != 3); // heddle: ignore[assert] known"));
  shown.show(testing::sampleReport(kPath));
  applySuppressions(shown.session, shown.document, {});
  const auto diagnostics = diagnosticsOf(shown.session, shown.document, {}).diagnostics;
  ASSERT_FALSE(diagnostics.empty());
  EXPECT_EQ(diagnostics[0].severity, lsp::DiagnosticSeverity::Hint);
  EXPECT_EQ(diagnostics[0].message, "suppressed (known): assertion 'x != 3' failed");
}

}  // namespace
}  // namespace heddle
