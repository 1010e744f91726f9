// ProofChecker: follows a search's derivation with nothing but unit propagation and reachability.
//
// Learnt clauses and cores are checked by reverse unit propagation (Goldberg and Novikov, DATE 2003; what
// DRUP files hold): with all literals false, propagation must come to a conflict. A clause of the order
// theory must close a cycle. Nothing is forgotten, so that forgetting in the search cannot hide a mistake;
// memory grows with the derivation.
//
// Threading: belongs to its search.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "analysis/solver/sat/proof.h"

namespace heddle::sat {

class ProofChecker final : public ProofSink {
 public:
  enum class OnMistake : uint8_t { Record, Abort };
  /// Stops checking once it has visited `workLimit` watches and edges; 0: no limit.
  explicit ProofChecker(uint64_t workLimit = 0, OnMistake onMistake = OnMistake::Record)
      : workLimit_(workLimit), onMistake_(onMistake) {}

  void onClause(std::span<const Literal> clause) override;
  void onAtom(Var v, uint32_t a, uint32_t b) override;
  void onEdge(uint32_t a, uint32_t b) override;
  void onOrderLemma(std::span<const Literal> clause) override;
  void onLearnt(std::span<const Literal> clause) override;
  void onUnsat(std::span<const Literal> core) override;

  /// Empty while every step was right; else the first that was not.
  const std::string& problem() const { return problem_; }
  /// False once the work limit was reached: what came after is unchecked.
  bool complete() const { return workLimit_ == 0 || work_ < workLimit_; }
  struct Counters {
    uint64_t clauses = 0, lemmas = 0, learnt = 0, answers = 0;  // checked
  };
  const Counters& counters() const { return counters_; }

 private:
  using Edge = std::pair<uint32_t, uint32_t>;

  bool active() const { return problem_.empty() && complete(); }
  void add(std::span<const Literal> clause);
  bool followsByPropagation(std::span<const Literal> clause);
  bool closesCycle(std::span<const Literal> clause);
  bool reaches(uint32_t from, uint32_t to, const std::vector<Edge>& more);
  bool propagate();
  void assign(Literal p);
  /// Root assignments since the last call become edges that hold for ever.
  void settle();
  bool isAtom(Var v) const { return v < atoms_.size() && atoms_[v].first != atoms_[v].second; }
  Edge edgeOf(Literal p) const;
  void addEdge(Edge e);
  void fail(const char* what, std::span<const Literal> clause);
  void grow(Var v);
  int value(Literal p) const { return values_[p]; }

  std::vector<std::vector<Literal>> clauses_;
  std::vector<std::vector<uint32_t>> watches_;  // by literal: clauses to visit when it becomes false
  std::vector<int8_t> values_;                  // by literal
  std::vector<Literal> trail_;
  size_t head_ = 0, settled_ = 0;
  bool contradiction_ = false;

  std::vector<Edge> atoms_;                 // by variable; equal ends: none
  std::vector<std::vector<uint32_t>> out_;  // by node: edges that hold for ever
  std::vector<uint32_t> seen_, stack_;
  uint32_t epoch_ = 0;

  uint64_t workLimit_, work_ = 0;
  OnMistake onMistake_;
  Counters counters_;
  std::string problem_;
};

}  // namespace heddle::sat
