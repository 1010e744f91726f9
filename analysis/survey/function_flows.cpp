#include "analysis/survey/function_flows.h"

namespace heddle {
namespace {

class ReadCollector : public clang::UninitVariablesHandler {
 public:
  explicit ReadCollector(std::vector<FunctionFlows::UnsetRead>& reads) : reads_(reads) {}
  void handleUseOfUninitVariable(const clang::VarDecl* variable, const clang::UninitUse& use) override {
    reads_.emplace_back(variable, use);
  }

 private:
  std::vector<FunctionFlows::UnsetRead>& reads_;
};

}  // namespace

FunctionFlows::Flow& FunctionFlows::flowOf(const clang::FunctionDecl& function) {
  Flow& flow = flows_[&function];
  if (!flow.analysis) {
    flow.analysis = std::make_unique<clang::AnalysisDeclContext>(nullptr, &function);
    flow.analysis->getCFGBuildOptions().PruneTriviallyFalseEdges = true;
    flow.analysis->getCFGBuildOptions().setAllAlwaysAdd();
  }
  return flow;
}

clang::CFG* FunctionFlows::graphOf(const clang::FunctionDecl& function) {
  return flowOf(function).analysis->getCFG();
}

const std::vector<FunctionFlows::UnsetRead>& FunctionFlows::unsetReadsOf(
    const clang::FunctionDecl& function) {
  Flow& flow = flowOf(function);
  if (flow.unsetReads) return *flow.unsetReads;
  std::vector<UnsetRead>& reads = flow.unsetReads.emplace();
  const clang::CFG* graph = flow.analysis->getCFG();
  if (!graph) return reads;
  ReadCollector collector(reads);
  clang::UninitVariablesAnalysisStats stats = {};
  clang::runUninitializedVariablesAnalysis(function, *graph, *flow.analysis, collector, stats);
  return reads;
}

}  // namespace heddle
