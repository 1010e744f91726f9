#include "analysis/repair/realize.h"

#include <fstream>
#include <memory>
#include <sstream>

#include "analysis/compile/guarded_files.h"
#include "analysis/repair/plan_scene.h"
#include "clang/Format/Format.h"

namespace heddle {
namespace {

/// The edits of one file, with white space as the file's .clang-format wants it if it has one.
std::string formatted(const Snapshot& snapshot, const std::string& path, const std::string& text,
                      const std::vector<ByteEdit>& edits) {
  const auto files = guardedFiles(snapshot.overlays, snapshot.command.directory);
  auto style = clang::format::getStyle("file", path, "none", text, files.get());
  if (!style) {  // a damaged .clang-format is no reason to refuse a repair
    llvm::consumeError(style.takeError());
    return applied(text, edits);
  }
  if (style->DisableFormat) return applied(text, edits);
  clang::tooling::Replacements replacements;
  for (const ByteEdit& edit : edits)
    if (llvm::Error error = replacements.add({path, static_cast<unsigned>(edit.begin),
                                              static_cast<unsigned>(edit.end - edit.begin), edit.text})) {
      llvm::consumeError(std::move(error));
      return applied(text, edits);
    }
  style->SortIncludes = {};
  auto better = clang::format::formatReplacements(text, replacements, *style);
  if (!better) {
    llvm::consumeError(better.takeError());
    return applied(text, edits);
  }
  auto result = clang::tooling::applyAllReplacements(text, *better);
  if (!result) {
    llvm::consumeError(result.takeError());
    return applied(text, edits);
  }
  return *result;
}

/// What the callback on the syntax tree fills; shared with it, because a crash may abandon it.
struct Work {
  RepairPlan plan;
  RealizeStyle style;
  Realization result;
  std::map<std::string, std::vector<ByteEdit>> edits;

  void run(clang::ASTContext& context) {
    PlanScene scene(context, plan, style);
    switch (plan.kind) {
      case RepairPlan::Kind::CriticalSections:
        realizeCriticalSections(scene);
        break;
      case RepairPlan::Kind::AtomicAccess:
        realizeAtomicAccess(scene);
        break;
      case RepairPlan::Kind::LockOrder:
        realizeLockOrder(scene);
        break;
      case RepairPlan::Kind::SignalWait:
        realizeSignalWait(scene);
        break;
      case RepairPlan::Kind::MoveBeforeCreate:
        realizeMoveBeforeCreate(scene);
        break;
      case RepairPlan::Kind::LoopAroundWait:
        realizeLoopAroundWait(scene);
        break;
    }
    bool conflict = false;
    edits = scene.edits.sorted(conflict);
    if (conflict) scene.fail("the edits overlap");
    if (edits.empty()) scene.fail("nothing would change");
    result.title = scene.title;
    result.problem = scene.problem;
    result.newLock = scene.newLock;
  }
};

}  // namespace

std::string textIn(const Snapshot& snapshot, const std::string& path) {
  if (path == snapshot.path) return snapshot.text;
  if (const auto overlay = snapshot.overlays.find(path); overlay != snapshot.overlays.end())
    return overlay->second;
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (stream && stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  return text.str();
}

Snapshot patched(const Snapshot& snapshot, const std::map<std::string, std::string>& texts) {
  Snapshot result = snapshot;
  for (const auto& [path, text] : texts) (path == snapshot.path ? result.text : result.overlays[path]) = text;
  return result;
}

Realization realize(const Snapshot& snapshot, const RepairPlan& plan, const RealizeStyle& style) {
  auto work = std::make_shared<Work>();
  work->plan = plan;
  work->style = style;
  const std::string problem =
      withSyntaxTree(snapshot, [work](clang::ASTContext& context) { work->run(context); });
  if (!problem.empty()) {
    Realization failed;
    failed.problem = problem;
    return failed;
  }
  Realization result = std::move(work->result);
  if (!result.problem.empty()) return result;
  for (const auto& [path, edits] : work->edits)
    result.texts[path] = formatted(snapshot, path, textIn(snapshot, path), edits);
  return result;
}

}  // namespace heddle
