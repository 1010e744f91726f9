#include "server/driver/report_output.h"

#include <algorithm>
#include <ostream>

#include "server/diagnostics_page.h"
#include "server/render/explain_text.h"
#include "server/render/finding_group.h"
#include "server/render/json_report.h"
#include "server/render/terminal_style.h"
#include "server/render/text_report.h"

namespace heddle {

ReportOutput::ReportOutput(const CheckCommand& command, Streams streams)
    : command_(command),
      streams_(streams),
      isStyled_(command.colour == Colour::Always ||
                (command.colour == Colour::Auto && streams.outIsTerminal)) {}

bool ReportOutput::open() {
  if (command_.output.empty()) return true;
  file_.open(command_.output, std::ios::binary | std::ios::trunc);
  if (file_) return true;
  streams_.err << "heddle: error: " << command_.output
               << ": cannot be written; check the path and its permissions\n";
  return false;
}

void ReportOutput::toTerminal(const std::string& text, const SourceFile& file) {
  if (!isStyled_) {
    streams_.out << text << std::flush;
    return;
  }
  const SourceText source = [&](const std::string& name) -> std::optional<std::string> {
    if (name == file.given) return file.text;
    std::string problem;
    const std::optional<SourceFile> other = readSource(name, problem);
    return other ? std::optional(other->text) : std::nullopt;
  };
  streams_.out << styledForTerminal(text, source) << std::flush;
}

void ReportOutput::add(const Report& report, const SourceFile& file, const ReplayContext& context,
                       const Baseline& suppressed) {
  ++reports_;
  ++verdicts_[report.verdict];
  const auto groups = groupsOf(report.findings, suppressed);
  findings_ +=
      static_cast<size_t>(std::count_if(groups.begin(), groups.end(), [&](const FindingGroup& group) {
        return !suppressed.contains(group.head->id);
      }));
  possible_ += static_cast<size_t>(std::count_if(
      report.warnings.begin(), report.warnings.end(),
      [&](const Finding& warning) { return warning.possible && !suppressed.contains(warning.id); }));
  const std::string text = command_.explain ? renderExplanations(report, context, command_.full)
                           : command_.quiet ? renderFindings(report, context, suppressed)
                                            : renderText(report, context, suppressed, &told_[report.file]);
  if (command_.format == Format::Sarif) sarif_.push_back({report, file.text, suppressed});
  const std::string json =
      command_.format == Format::Json ? dumpLine(reportJson(report, suppressed)) : std::string();
  if (file_.is_open()) file_ << (command_.format == Format::Text ? text : json) << std::flush;
  if (file_.is_open() || command_.format == Format::Text)
    toTerminal(text, file);
  else
    streams_.out << json << std::flush;
  const std::string problem = problemLine(report);
  if (problem.empty()) return;
  streams_.err << problem << '\n' << std::flush;
}

bool ReportOutput::close() {
  if (command_.format == Format::Sarif)
    (file_.is_open() ? file_ : streams_.out)
        << dumpLine(sarifReport(sarif_, diagnosticsSections())) << std::flush;
  if (command_.format == Format::Text && reports_ > 1 && !command_.quiet) {
    std::string line = count(reports_, "exploration") + ":";
    for (const auto& [verdict, number] : verdicts_)
      line += (line.ends_with(':') ? " " : ", ") + std::to_string(number) + " " + toString(verdict);
    line += "; " + count(findings_, "finding");
    if (possible_ != 0) line += ", " + std::to_string(possible_) + " possible";
    streams_.out << line << '\n' << std::flush;
  }
  if (!file_.is_open()) return true;
  file_.close();
  if (file_) return true;
  streams_.err << "heddle: error: " << command_.output
               << ": could not be written in full; is the disk full?\n";
  return false;
}

}  // namespace heddle
