// Reports made by hand, for tests of what is shown.
#pragma once

#include "analysis/report.h"

namespace heddle::testing {

/// x is read by main while T1 writes it:   line 4 `int x;`  7 `x = n;` (T1)  12 `assert(x != 3);` (main)
inline const char* const kRacyText =
    "#include <assert.h>\n"
    "#include <pthread.h>\n"
    "int __VERIFIER_nondet_int(void);\n"
    "int x;\n"
    "void *worker(void *arg) {\n"
    "  int n = __VERIFIER_nondet_int();\n"
    "  x = n;\n"
    "  return 0;\n"
    "}\n"
    "int main(void) {\n"
    "  pthread_t t; pthread_create(&t, 0, worker, 0);\n"
    "  assert(x != 3);\n"
    "  return 0;\n"
    "}\n";

inline Finding sampleFinding(const std::string& file = "racy.c") {
  Finding finding;
  finding.id = "assert-1a2b";
  finding.kind = Property::Assert;
  finding.message = "assertion 'x != 3' failed";
  finding.place = {file, 12, 3, "main"};
  finding.related = {{{file, 7, 5, "worker"}, "T1 writes x = 3 here"}};
  finding.inputs = {{"n", {file, 6, 11, "worker"}, "T1", 3, false}};
  finding.schedule = "T0*1 T1*1 T0*1 | T1=3";
  finding.threads = {{"T0", "main"}, {"T1", "worker"}};
  finding.steps = {{"T0", {file, 11, 16, "main"}, "create T1"},
                   {"T1", {file, 7, 5, "worker"}, "write x = 3"},
                   {"T0", {file, 12, 10, "main"}, "read x = 3"}};
  return finding;
}

inline Report sampleReport(const std::string& file = "racy.c") {
  Report report;
  report.file = file;
  report.entry = "main";
  report.strategy = "forest";
  report.verdict = Verdict::Violated;
  report.properties = {{Property::Assert, Verdict::Violated}, {Property::Race, Verdict::Incomplete}};
  report.assumptions = {{"rand() returns any int", {file, 6, 11, "worker"}}};
  report.findings = {sampleFinding(file)};
  report.commandSource = "inferred";
  report.stats.paths = 3;
  report.stats.executions = 4;
  report.stats.events = 21;
  report.stats.queries = 5;
  report.stats.sat = 3;
  report.stats.unsat = 2;
  report.stats.wallSeconds = 0.25;
  report.stats.firstFindingSeconds = 0.125;
  report.stats.peakRssMb = 40;
  return report;
}

}  // namespace heddle::testing
