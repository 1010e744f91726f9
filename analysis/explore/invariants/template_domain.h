// TemplateDomain: what can be said of the variables of one location: equations with small coefficients, and
// comparisons of two variables, of a variable or the distance of two with a constant. An element holds what
// is true of all points that it was given.
//
// Equations are over the integers where they are found, and modulo 2^width where they are claimed.
//
// Threading: belongs to one proof.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "analysis/model/term.h"

namespace heddle {

class TemplateDomain {
 public:
  enum class Comparisons : uint8_t {
    Signed,          // signed ones of two variables, and with constants; none of a variable that is a sum
    SignedWithSums,  // also of a variable that is a sum of others; sums are of what memory holds
    All,             // also unsigned ones, and distances of two variables
  };
  /// `constants`: by width, to compare with.
  TemplateDomain(TermTable& terms, std::vector<Term> variables, Comparisons comparisons,
                 const std::map<unsigned, std::vector<uint64_t>>& constants);

  bool isEmpty() const { return isEmpty_; }  // no point was given
  const std::vector<Term>& variables() const { return variables_; }
  /// One more point, by variable. False: all that is claimed holds of it already.
  bool add(const std::vector<uint64_t>& point);
  /// No more claimed.
  void drop(Term claim);
  /// What is claimed, each of width 1; solved equations first.
  std::vector<Term> claims() const;
  /// The equations, as variable → the sum that it equals; no such variable stands in any sum.
  const std::vector<std::pair<Term, Term>>& solved() const { return solved_; }
  const std::vector<Term>& comparisons() const { return comparisons_; }

 private:
  /// A variable, or a narrower one with its sign: then it is only part of sums.
  struct Member {
    size_t variable;
    bool isWidened;
    Term term;
  };
  struct Group {
    unsigned width;
    std::vector<Member> members;
    std::vector<std::vector<uint64_t>> basis;  // of the points, with a leading 1, modulo a prime
  };
  uint64_t valueOf(const Member& member, const std::vector<uint64_t>& point) const;
  struct Equation {
    size_t group;
    size_t solves;               // as in `times`
    std::vector<int64_t> times;  // [0]: the constant; then by member
  };
  bool holds(const Equation& equation, const std::vector<uint64_t>& point) const;
  bool extend(Group& group, const std::vector<uint64_t>& point);
  void solve();
  void forgetSums();
  void compare(Comparisons comparisons, const std::map<unsigned, std::vector<uint64_t>>& constants);
  bool isTrue(Term claim, const std::vector<uint64_t>& point) const;

  TermTable& terms_;
  std::vector<Term> variables_;
  std::vector<Group> groups_;
  std::vector<Equation> equations_;
  std::vector<std::pair<Term, Term>> solved_;
  std::vector<Term> comparisons_;
  bool isEmpty_ = true, keepsSums_ = false;
  bool isPartial_ = false;  // some equation of the points is not claimed, for its numbers are not small
};

}  // namespace heddle
