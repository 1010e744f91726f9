// Threads that work in phases and meet at a barrier: one of them goes on to write what another one still
// reads in the same phase. They meet once more before the write.
#include "analysis/repair/lock_calls.h"
#include "analysis/repair/statement_move.h"
#include "analysis/repair/statement_writer.h"
#include "clang/AST/Expr.h"

namespace heddle {

void realizeBarrierBetween(PlanScene& scene) {
  if (scene.plan.regions.empty() || scene.plan.regions.front().empty())
    return scene.fail("the plan names no access");
  const SourceAccess& access = scene.plan.regions.front().front();
  const PlacedStatement write = placedStatement(scene, access);
  if (write.statement == nullptr) return;
  // All threads of the phase come to that call, so all come to one more in its block.
  for (const auto* side : {&write.later, &write.earlier})
    for (const clang::Stmt* s : *side) {
      const clang::CallExpr* call = s == withoutLabels(s) ? callOf(s) : nullptr;
      if (call == nullptr || calleeName(*call) != "pthread_barrier_wait") continue;
      StatementWriter writer(*write.shape, scene.edits);
      const auto from = writer.span(s);
      if (!from) return scene.fail(writer.problem());
      writer.before(write.statement,
                    std::string(writer.text(*from).substr(from->begin, from->end - from->begin)));
      scene.fail(writer.problem());
      const std::string barrier = printed(*call->getArg(0), scene.context);
      scene.title = "meet at '" + (barrier.starts_with("&") ? barrier.substr(1) : barrier) +
                    "' before line " + std::to_string(access.place.line) + " as well, in '" +
                    write.shape->function().getName().str() + "'";
      return;
    }
  scene.fail("no barrier is waited at in the block of the access");
}

}  // namespace heddle
