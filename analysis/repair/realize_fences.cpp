// What a thread writes is to be seen before it goes on to look at something else: a full fence behind the
// write. Which writes need one, fences.h finds out.
#include "analysis/repair/statement_move.h"
#include "analysis/repair/statement_writer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace heddle {
namespace {

/// As the program would write it: <stdatomic.h> may not be there.
std::string fenceText(const clang::ASTContext& context) {
  const auto& known = context.Idents;
  const auto word = known.find("memory_order");
  const bool hasHeader =
      word != known.end() && !context.getTranslationUnitDecl()->lookup(word->second).empty();
  return hasHeader ? "atomic_thread_fence(memory_order_seq_cst);"
                   : "__atomic_thread_fence(__ATOMIC_SEQ_CST);";
}

}  // namespace

void realizeFences(PlanScene& scene) {
  if (scene.plan.regions.empty()) return scene.fail("the plan names no access");
  const std::string fence = fenceText(scene.context);
  std::string lines;
  for (const std::vector<SourceAccess>& region : scene.plan.regions) {
    if (region.empty() || !scene.isHere(region.front())) continue;
    const PlacedStatement write = placedStatement(scene, region.front());
    if (write.statement == nullptr) return;
    StatementWriter writer(*write.shape, scene.edits);
    writer.after(write.statement, fence);
    if (!writer.problem().empty()) return scene.fail(writer.problem());
    lines += (lines.empty() ? "" : ", ") + std::to_string(region.front().place.line);
  }
  const bool isOne = lines.find(',') == std::string::npos;
  scene.title = (isOne ? "put a full fence behind line " : "put full fences behind lines ") + lines;
}

}  // namespace heddle
