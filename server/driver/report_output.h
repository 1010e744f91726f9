// ReportOutput: where the reports of one command go: to stdout in the format asked for, or to a file in that
// format with the text on stdout. A terminal gets colours. Sums up all reports at the end.
//
// Threading: one thread.
#pragma once

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "server/driver/check.h"
#include "server/render/sarif_report.h"
#include "server/render/text_report.h"
#include "server/source/suppressions.h"

namespace heddle {

class ReportOutput {
 public:
  ReportOutput(const CheckCommand& command, Streams streams);

  /// False: the file cannot be written, and the user was told.
  bool open();
  void add(const Report& report, const SourceFile& file, const ReplayContext& context,
           const Baseline& suppressed);
  /// Writes what belongs behind the last report. False: not everything could be written, and the user was
  /// told.
  bool close();

 private:
  void toTerminal(const std::string& text, const SourceFile& file);

  const CheckCommand& command_;
  const Streams streams_;
  const bool isStyled_;
  std::ofstream file_;
  std::vector<SarifFile> sarif_;  // one document for all files, at the end
  size_t reports_ = 0, findings_ = 0, possible_ = 0;
  std::map<Verdict, size_t> verdicts_;
  std::map<std::string, ToldBefore> told_;  // by file
};

}  // namespace heddle
