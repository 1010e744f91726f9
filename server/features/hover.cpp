#include "server/features/hover.h"

#include <algorithm>

#include "server/render/explanation.h"
#include "server/render/interleaving.h"

namespace heddle {
namespace {

/// Program text in a claim must not become markup.
std::string escapeMarkdown(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (std::string_view("\\`*_{}[]<>#|~").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

/// A line with `names` in backquotes, which stay code; everything else is escaped, but for a list's mark.
std::string markdownLine(const std::string& line) {
  const size_t mark = line.starts_with("- ") ? 2 : 0;
  std::string out = line.substr(0, mark);
  size_t begin = mark;
  while (begin < line.size()) {
    const size_t open = line.find('`', begin);
    const size_t close = open == std::string::npos ? open : line.find('`', open + 1);
    if (close == std::string::npos) return out + escapeMarkdown(line.substr(begin));
    out += escapeMarkdown(line.substr(begin, open - begin)) + line.substr(open, close + 1 - open);
    begin = close + 1;
  }
  return out;
}

std::string section(const std::string& title, bool markdown) {
  return "\n" + (markdown ? "**" + title + "**" : title + ":") + "\n";
}

std::string codeBlock(const std::string& text, bool markdown) {
  // A fence longer than any in the text cannot be closed by it.
  size_t longest = 2, run = 0;
  for (char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return markdown ? "\n" + fence + "text\n" + text + fence + "\n" : text;
}

}  // namespace

std::string hoverText(const LocatedFinding& located, const ReplayContext& context, bool markdown) {
  const Finding& finding = located.finding;
  const std::string claim = markdown ? "**" + escapeMarkdown(finding.message) + "**" : finding.message;
  std::string out = claim + " [" + codeOf(finding.kind) + "]\n";
  if (located.stale)
    out += std::string("\n") +
           (markdown ? "*stale: the text has changed since*\n" : "stale: the text has changed since\n");

  if (!finding.inputs.empty()) {
    std::string inputs;
    for (const std::string& line : renderInputs(finding.inputs))
      inputs += (inputs.empty() ? "" : ", ") + line;
    out += "\n" + (markdown ? "**Inputs** " + escapeMarkdown(inputs) : "Inputs: " + inputs) + "\n";
  }
  InterleavingOptions options;
  options.mainFile = documentOf(context);
  options.maxRows = 40;
  // What is first is seen without scrolling: the steps that matter, else all of them.
  const std::vector<ExplanationPart> parts = explanationParts(finding, options);
  const auto steps = std::find_if(parts.begin(), parts.end(), [](const ExplanationPart& part) {
    return part.title.starts_with("Interleaving");
  });
  std::string table;
  if (steps == parts.end())
    table = renderInterleaving(finding.threads, stepsToFailure(finding), options);
  else
    for (const std::string& line : steps->lines) table += line + "\n";
  if (!table.empty())
    out +=
        section(steps == parts.end() ? "Interleaving" : steps->title, markdown) + codeBlock(table, markdown);
  if (const std::string why = claimText(finding); !why.empty())
    out += "\n" + (markdown ? markdownLine(why) : why) + "\n";
  for (auto part = parts.begin(); part != parts.end(); ++part) {
    if (part == steps) continue;
    out += section(part->title, markdown);
    std::string lines;
    for (const std::string& line : part->lines)
      lines += (markdown && !part->table ? markdownLine(line) : line) + "\n";
    out += part->table ? codeBlock(lines, markdown) : (markdown ? "\n" : "") + lines;
  }
  if (!finding.schedule.empty())
    out += section("See it again", markdown) +
           codeBlock(replayCommand(context, finding.schedule) + "\n", markdown);
  return out;
}

static lsp::Hover hoverWith(const std::string& text, ByteRange range, const PositionMap& map,
                            const HoverStyle& style) {
  lsp::Hover hover;
  hover.contents = {style.markdown ? lsp::MarkupKind::Markdown : lsp::MarkupKind::PlainText, text};
  hover.range = toLsp(map, range, style.encoding);
  return hover;
}

lsp::Hover hoverOf(const SharedDataAt& data, const PositionMap& map, const HoverStyle& style) {
  const auto plain = [&](const std::string& text) { return style.markdown ? escapeMarkdown(text) : text; };
  std::string text = (style.markdown ? "**" + plain(data.data) + "**" : data.data) + " is shared\n\n";
  for (const std::string& line : describeSharedData(data)) text += "- " + plain(line) + "\n";
  return hoverWith(text, data.range, map, style);
}

std::optional<lsp::Hover> hoverAt(const FileSession& session, const PositionMap& map,
                                  const lsp::Position& position, const ReplayContext& context,
                                  const HoverStyle& style) {
  const size_t offset = map.offsetOf(fromLsp(position), style.encoding);
  const auto covers = [&](ByteRange range) { return offset >= range.begin && offset <= range.end; };
  std::string text;
  std::optional<ByteRange> range;
  for (const LocatedFinding& located : session.shown) {
    if (!covers(located.range)) continue;
    if (!text.empty()) text += style.markdown ? "\n---\n\n" : "\n";
    text += hoverText(located, context, style.markdown);
    if (!range) range = located.range;
  }
  if (!range && session.problem && covers(session.problem->range)) {
    text = style.markdown ? escapeMarkdown(session.problem->message) : session.problem->message;
    range = session.problem->range;
  }
  if (!range) return std::nullopt;
  return hoverWith(text, *range, map, style);
}

}  // namespace heddle
