#include "server/features/shared_data.h"

#include <algorithm>
#include <map>
#include <set>

#include "server/features/file_view.h"

namespace heddle {
namespace {

bool isHere(const SharedAccess& access, const LocateContext& context) {
  const std::string& file = access.access.place.file;
  return file.empty() || file == context.path;
}

bool isWrite(const SharedAccess& access) {
  return access.access.kind != AccessKind::Read;
}

std::string locksOf(const SharedAccess& access) {
  std::set<std::string> names;
  for (const auto& [name, taken] : access.held) names.insert("'" + name + "'");
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

std::string describe(const SharedAccess& access, bool namesFile) {
  const SourcePlace& place = access.access.place;
  std::string out = (namesFile ? place.file + ":" : "line ") + std::to_string(place.line) + ", " +
                    (access.access.kind == AccessKind::Read    ? "read"
                     : access.access.kind == AccessKind::Write ? "written"
                                                               : "updated") +
                    " by " + access.access.threadFunction;
  if (access.atomic) return out + ", atomically";
  const std::string locks = locksOf(access);
  if (!locks.empty()) return out + " under " + locks;
  return out + (access.concurrent ? " without a lock" : ", no other thread at the same time");
}

/// Which lock is held at how many of them.
std::string guardOf(const std::vector<const SharedAccess*>& accesses) {
  std::map<std::string, size_t> held;
  size_t plain = 0;
  for (const SharedAccess* access : accesses) {
    if (access->atomic || !access->concurrent) continue;
    ++plain;
    std::set<std::string> names;
    for (const auto& [name, taken] : access->held) names.insert(name);
    for (const std::string& name : names) ++held[name];
  }
  if (plain == 0) return "";
  const auto most = std::max_element(held.begin(), held.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == held.end()) return "no lock is held at any of them";
  const std::string all = std::to_string(plain);
  return "guarded by '" + most->first + "' at " +
         (most->second == plain ? "all " + all : std::to_string(most->second) + " of " + all) +
         " accesses that threads can make at the same time";
}

}  // namespace

std::optional<SharedDataAt> sharedDataAt(const Report& report, size_t offset, const LocateContext& context) {
  std::optional<SharedDataAt> found;
  for (const SharedAccess& access : report.accesses) {
    if (!isHere(access, context)) continue;
    const ByteRange range = locatePlace(access.access.place, context);
    if (offset < range.begin || offset > range.end) continue;
    // Where tokens touch, the one that begins here counts.
    if (!found || range.begin > found->range.begin) found = SharedDataAt{range, access.data, {}, {}, {}};
  }
  if (!found) return std::nullopt;
  for (const Guard& guard : report.guards.found)
    if (guard.written && guard.data == found->data) found->guards.push_back(&guard);
  std::set<std::string> threads;
  for (const SharedAccess& access : report.accesses) {
    if (access.data != found->data) continue;
    threads.insert(access.access.threadFunction);
    if (access.concurrent) threads.insert("");  // several threads may run one function
    if (isHere(access, context))
      found->here.push_back({locatePlace(access.access.place, context), &access});
    else
      found->elsewhere.push_back(&access);
  }
  if (threads.size() < 2) return std::nullopt;
  std::stable_sort(
      found->here.begin(), found->here.end(),
      [](const LocatedAccess& a, const LocatedAccess& b) { return a.range.begin < b.range.begin; });
  return found;
}

std::vector<lsp::DocumentHighlight> highlightsOf(const SharedDataAt& data, const LocateContext& context) {
  std::vector<lsp::DocumentHighlight> highlights;
  for (const LocatedAccess& located : data.here) {
    const lsp::Range range = toLsp(context.map, located.range, context.encoding);
    if (highlights.empty() || highlights.back().range != range)
      highlights.push_back({range, lsp::DocumentHighlightKind::Read});
    if (isWrite(*located.access)) highlights.back().kind = lsp::DocumentHighlightKind::Write;
  }
  return highlights;
}

std::vector<std::string> describeSharedData(const SharedDataAt& data) {
  constexpr size_t kMost = 12;
  std::vector<const SharedAccess*> all;
  for (const LocatedAccess& located : data.here) all.push_back(located.access);
  all.insert(all.end(), data.elsewhere.begin(), data.elsewhere.end());
  std::vector<std::string> lines;
  if (std::string guard = guardOf(all); !guard.empty()) lines.push_back(std::move(guard));
  for (const Guard* guard : data.guards) {
    lines.push_back("line " + std::to_string(guard->place.line) + " says: guarded by '" + guard->lock + "'");
    for (const SourceAccess& access : guard->broken)
      lines.push_back("line " + std::to_string(access.place.line) + ", " + access.threadFunction +
                      ", does not keep to that");
  }
  std::vector<std::string> accesses;
  for (size_t i = 0; i < all.size(); ++i) {
    std::string line = describe(*all[i], i >= data.here.size());
    if (std::find(accesses.begin(), accesses.end(), line) == accesses.end())
      accesses.push_back(std::move(line));
  }
  const size_t shown = std::min(accesses.size(), kMost);
  lines.insert(lines.end(), accesses.begin(), accesses.begin() + static_cast<std::ptrdiff_t>(shown));
  if (accesses.size() > shown) lines.push_back("and " + std::to_string(accesses.size() - shown) + " more");
  return lines;
}

std::optional<SharedDataAt> sharedDataAt(const FileView& view, const lsp::Position& position) {
  const FileSession& session = view.session;
  if (!session.lastReport || session.reported != view.document.map) return std::nullopt;
  const size_t offset = view.document.map->offsetOf(fromLsp(position), view.encoding);
  return sharedDataAt(*session.lastReport, offset, view.context());
}

std::vector<lsp::DocumentHighlight> highlightsAt(const lsp::DocumentHighlightParams& params,
                                                 const FileView& view) {
  const auto data = sharedDataAt(view, params.position);
  return data ? highlightsOf(*data, view.context()) : std::vector<lsp::DocumentHighlight>();
}

}  // namespace heddle
