#include "server/render/scan_html.h"

#include <algorithm>

#include "server/render/interleaving.h"
#include "server/version.h"

namespace heddle {
namespace {

constexpr const char* kStyle = R"(
body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 1em;color:#222;background:#fff}
h1{font-size:1.4em}h2{font-size:1.15em;margin-top:2em}
code,td,pre{font-family:ui-monospace,monospace;font-size:13px}
details{border:1px solid #ccc;border-left:6px solid #b00;border-radius:4px;margin:.6em 0;padding:.4em .8em}
details.possible{border-left-color:#c80}summary{cursor:pointer}
table{border-collapse:collapse;margin:.6em 0}th,td{padding:.15em .7em;text-align:left;vertical-align:top}
th{border-bottom:1px solid #999}tr.now td{background:#ffe9a8}
.violated{color:#b00}.possible{color:#a60}.proven{color:#070}.explored{color:#05a}.unknown{color:#777}
button{font:inherit;padding:0 .8em}pre{white-space:pre-wrap;background:#f5f5f5;padding:.5em}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#1c1c1c}pre{background:#2a2a2a}tr.now td{background:#554400}}
)";

/// Steps through the rows of an interleaving, and shows the functions of one kind.
constexpr const char* kScript = R"(
document.querySelectorAll('.walk').forEach(w=>{let at=-1;const rows=[...w.querySelectorAll('tbody tr')];
const go=d=>{at=Math.max(0,Math.min(rows.length-1,at+d));rows.forEach((r,i)=>r.classList.toggle('now',i===at));
rows[at].scrollIntoView({block:'nearest'})};
w.querySelector('.back').onclick=()=>go(-1);w.querySelector('.on').onclick=()=>go(1)});
document.querySelectorAll('#known input').forEach(b=>b.onchange=()=>
document.querySelectorAll('#ledger tr.f-'+b.value).forEach(r=>r.hidden=!b.checked));
)";

std::string placeHtml(const SourcePlace& place) {
  return escapedHtml(place.file + ":" + std::to_string(place.line));
}

std::string interleavingHtml(const Finding& finding) {
  const std::vector<Step> steps = stepsToFailure(finding);
  if (steps.empty()) return "";
  std::vector<ThreadDescription> threads;
  for (const ThreadDescription& thread : finding.threads)
    if (std::any_of(steps.begin(), steps.end(), [&](const Step& s) { return s.thread == thread.label; }))
      threads.push_back(thread);
  std::string out =
      "<div class=walk><button class=back>back</button> <button class=on>step</button><table><thead><tr>"
      "<th>place</th>";
  for (const ThreadDescription& thread : threads)
    out += "<th>" + escapedHtml(thread.label + " " + titleOf(thread)) + "</th>";
  out += "</tr></thead><tbody>\n";
  for (const Step& step : steps) {
    out +=
        "<tr><td>" + escapedHtml(baseName(step.place.file)) + ":" + std::to_string(step.place.line) + "</td>";
    for (const ThreadDescription& thread : threads)
      out += "<td>" + (thread.label == step.thread ? escapedHtml(step.event) : "") + "</td>";
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string findingHtml(const ScannedFinding& found) {
  const Finding& finding = found.finding;
  std::string out = finding.possible ? "<details class=possible>" : "<details>";
  out += std::string("<summary>") + (finding.possible ? "possible: " : "") + escapedHtml(finding.message) +
         " <code>" + placeHtml(finding.place) + "</code></summary>\n<ul>";
  if (!found.harness.empty()) out += "<li>runs <code>" + escapedHtml(found.harness) + "</code></li>";
  for (const RelatedPlace& related : finding.related)
    out += "<li><code>" + placeHtml(related.place) + "</code> " + escapedHtml(related.message) + "</li>";
  for (const std::string& assumed : finding.assumes) out += "<li>if " + escapedHtml(assumed) + "</li>";
  for (const std::string& input : renderInputs(finding.inputs))
    out += "<li>input " + escapedHtml(input) + "</li>";
  out += "</ul>\n" + interleavingHtml(finding);
  return out + "<pre>" + escapedHtml(replayCommand(found.context, finding.schedule)) + "</pre></details>\n";
}

std::string ledgerHtml(const ScanLedger& ledger) {
  std::string out = "<p id=known>";
  for (const Known known :
       {Known::Violated, Known::Possible, Known::Proven, Known::Explored, Known::Unknown}) {
    const std::string name = toString(known);
    out += "<label class=" + name + "><input type=checkbox checked value=" + name + "> " + name + " " +
           std::to_string(ledger.count(known)) + "</label> ";
  }
  out += "</p>\n<table id=ledger><tr><th>function</th><th>known</th><th>place</th><th></th></tr>\n";
  for (const ScannedFunction& function : ledger.functions()) {
    const std::string known = toString(function.known);
    out += "<tr class=f-" + known + "><td>" + escapedHtml(function.name) + "</td><td class=" + known + ">" +
           known + "</td><td>" + placeHtml(function.place) + "</td><td>" + escapedHtml(function.why) +
           "</td></tr>\n";
  }
  return out + "</table>\n";
}

}  // namespace

std::string escapedHtml(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string scanHtml(const ScanResult& result, const ScanLedger& ledger) {
  const std::string title = "Heddle: " + escapedHtml(result.folder);
  std::string out =
      "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>"
      "<meta name=viewport content=\"width=device-width\"><title>" +
      title + "</title><style>" + kStyle + "</style></head><body>\n<h1>" + title + "</h1>\n<p>" +
      escapedHtml(summaryLine(result, ledger)) + "</p>\n<h2>Findings</h2>\n";
  if (result.findings.empty()) out += "<p>None. That says nothing of functions that are unknown.</p>\n";
  for (const ScannedFinding& found : result.findings) out += findingHtml(found);
  const std::vector<Obstacle> obstacles = ledger.obstacles();
  if (!obstacles.empty()) out += "<h2>What would let more be explored</h2>\n<ul>\n";
  for (const Obstacle& obstacle : obstacles) {
    out += "<li>" + escapedHtml(obstacle.text) + "<details class=possible><summary>" +
           std::to_string(obstacle.files.size()) + "</summary>";
    for (const std::string& file : obstacle.files) out += "<code>" + escapedHtml(file) + "</code><br>";
    out += "</details></li>\n";
  }
  if (!obstacles.empty()) out += "</ul>\n";
  const std::vector<ScannedSuspect> suspects = ledger.suspects();
  if (!suspects.empty()) out += "<h2>What a look at the text suspects</h2>\n<table>\n";
  for (const ScannedSuspect& suspect : suspects)
    out += std::string("<tr><td>") + toString(suspect.state) + "</td><td>" + escapedHtml(suspect.data) +
           "</td><td>" + escapedHtml(suspect.file + ":" + std::to_string(suspect.line)) + "</td><td>" +
           escapedHtml(suspect.why) + "</td></tr>\n";
  if (!suspects.empty()) out += "</table>\n";
  out += "<h2>Functions</h2>\n" + ledgerHtml(ledger);
  return out + "<p>heddle " + heddleVersion() + "</p><script>" + kScript + "</script></body></html>\n";
}

}  // namespace heddle
