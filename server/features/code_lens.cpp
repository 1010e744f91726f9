#include "server/features/code_lens.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "server/features/native_action.h"
#include "server/features/order_lens.h"
#include "server/features/status.h"
#include "server/render/interleaving.h"
#include "server/render/text_report.h"
#include "server/source/harness.h"
#include "server/source/outline.h"

namespace heddle {
namespace {

using lsp::json;

/// Some execution started a thread with the function.
bool hasRun(const Report& report, const std::string& function) {
  if (!report.reach) return false;
  const std::vector<ReachedThread>& threads = report.reach->threads;
  return std::any_of(threads.begin(), threads.end(), [&](const ReachedThread& thread) {
    return thread.function == function && thread.started != 0;
  });
}

/// "T1, T2, T10".
std::string inOrder(std::vector<std::string> labels) {
  std::sort(labels.begin(), labels.end(), [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  std::string text;
  for (const std::string& label : labels) text += (text.empty() ? "" : ", ") + label;
  return text;
}

class Lenses {
 public:
  Lenses(const FileSession& session, const Document& document, const CodeLensStyle& style)
      : session_(session), document_(document), style_(style) {}

  void add(ByteRange range, const std::string& title, const char* name, json argument) {
    lsp::CodeLens lens;
    lens.range = toLsp(*document_.map, range, style_.encoding);
    lens.command = lsp::Command{title, name, std::vector<json>{std::move(argument)}};
    found_.push_back(std::move(lens));
  }

  void addInterleaving(ByteRange range, const LocatedFinding& located) {
    add(range, "show interleaving", style_.client.interleavingPanel ? command::kShowPanel : command::kShow,
        {{"uri", document_.uri}, {"finding", located.finding.id}});
    if (style_.client.debugger)
      add(range, "debug", command::kDebug, {{"uri", document_.uri}, {"finding", located.finding.id}});
  }

  json here() const { return {{"uri", document_.uri}}; }

  /// `through`: the program that the file is explored in, when it does not begin here.
  void addEntry(const OutlineFunction& entry, const std::string& through = "") {
    const lsp::StatusParams status = statusOf(session_, document_, entry.name);
    const char* sign = status.stale                 ? "\u2026 stale: "
                       : status.state == "verified" ? "\u2713 "
                       : status.state == "violated" ? "\u2717 "
                                                    : "";
    const bool runs = session_.running() != nullptr;
    add(entry.nameRange, (through.empty() ? "" : "through " + through + ": ") + sign + status.text,
        runs ? command::kStop : command::kVerify, here());
    if (!runs) add(entry.nameRange, "verify", command::kVerify, here());
    for (const LocatedFinding& located : session_.shown) {
      if (located.suppressed) continue;
      addInterleaving(entry.nameRange, located);
      break;
    }
    const bool isKnown = session_.coverage && session_.coverage->map == document_.map;
    if (style_.canCover && !runs && !status.stale)
      add(entry.nameRange, isKnown ? session_.coverage->shown.text : "coverage",
          style_.client.coverage ? command::kShowCoverage : command::kCover, here());
    if (!runs && !status.stale) addOrders(entry);
    if (const std::string safe = safeRunText(session_, document_); !safe.empty())
      add(entry.nameRange, safe + ": build", command::kBuild, here());
  }

  /// Of a program whose memory orders make a difference.
  void addOrders(const OutlineFunction& entry) {
    if (ordersCanBeAsked(session_, document_))
      add(entry.nameRange, "can memory orders be weaker?", command::kRelax, here());
    if (!session_.orders || session_.orders->map != document_.map) return;
    const WeakerOrders& orders = session_.orders->orders;
    if (orders.changed == 0)
      add(entry.nameRange, "none of " + count(orders.named, "memory order") + " can be weaker",
          command::kRelax, here());
    else
      add(entry.nameRange, toString(orders) + ": write them", command::kApplyOrders, here());
  }

  /// Which of the findings' threads run this function.
  void addThread(const OutlineFunction& function) {
    size_t findings = 0;
    const LocatedFinding* first = nullptr;
    std::vector<std::string> labels;
    for (const LocatedFinding& located : session_.shown) {
      if (located.suppressed || isWarning(located.finding)) continue;
      bool takesPart = false;
      for (const ThreadDescription& thread : located.finding.threads) {
        if (thread.function != function.name) continue;
        takesPart = true;
        if (!first) labels.push_back(thread.label);
      }
      if (!takesPart) continue;
      findings++;
      if (first == nullptr) first = &located;
    }
    const bool runs = !std::holds_alternative<NotRunning>(session_.run);
    if (first != nullptr) {
      add(function.nameRange,
          "thread " + inOrder(std::move(labels)) + ": takes part in " + count(findings, "finding"),
          command::kVerify, here());
      addInterleaving(function.nameRange, *first);
    } else if (session_.lastReport && !runs && !session_.stale) {
      const std::string verdict = toString(session_.lastReport->verdict);
      const bool ran = hasRun(*session_.lastReport, function.name);
      add(function.nameRange, (ran ? "thread: no finding (" : "thread: never ran (") + verdict + ")",
          command::kVerify, here());
    }
  }

  /// What the harness will assume is in the title: nothing that main would have set up has run.
  void addExplore(const OutlineFunction& function) {
    if (!canRunTwice(function)) return;
    add(function.nameRange,
        "explore " + function.name + " || " + function.name + " (any arguments, nothing set up)",
        command::kHarness, {{"uri", document_.uri}, {"function", function.name}});
  }

  std::vector<lsp::CodeLens> take() { return std::move(found_); }

 private:
  const FileSession& session_;
  const Document& document_;
  const CodeLensStyle& style_;
  std::vector<lsp::CodeLens> found_;
};

}  // namespace

std::vector<lsp::CodeLens> codeLensesOf(const FileSession& session, const Document& document,
                                        const std::string& entry, const CodeLensStyle& style) {
  const std::string& text = document.map->text();
  const Outline outline = outlineOf(text, lexC(text));
  Lenses lenses(session, document, style);
  if (const OutlineFunction* function = outline.find(entry)) {
    lenses.addEntry(*function);
  } else {
    bool first = true;
    const std::string& through = session.program.entry;
    if (!through.empty() && through != document.path && !outline.functions.empty()) {
      lenses.addEntry(outline.functions.front(), baseName(through));
      first = false;
    }
    if (session.lastReport && !session.lastReport->harness.empty() && !outline.functions.empty()) {
      lenses.addEntry(outline.functions.front(), "harness " + session.lastReport->harness);
      first = false;
    }
    for (const Harness& harness : harnessesOf(text, lexC(text), outline)) {
      if (!harness.problem.empty() || !std::exchange(first, false)) continue;
      lenses.addEntry({"harness", harness.range, harness.range, {}, false});
    }
    if (first)
      for (const OutlineFunction& candidate : outline.functions) lenses.addExplore(candidate);
  }
  for (const OutlineFunction& function : outline.functions)
    if (function.name != entry && outline.threadFunctions.contains(function.name)) lenses.addThread(function);
  return lenses.take();
}

}  // namespace heddle
