#include "analysis/explore/invariants/template_domain.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace heddle {

namespace {

constexpr uint64_t kPrime = (uint64_t{1} << 61) - 1;
constexpr int64_t kMostTimes = 64;  // of a variable
constexpr int64_t kLargestConstant = int64_t{1} << 40;
constexpr size_t kMostCompared = 24;  // variables of one width

uint64_t times(uint64_t a, uint64_t b) {
  return static_cast<uint64_t>(static_cast<unsigned __int128>(a) * b % kPrime);
}

uint64_t minus(uint64_t a, uint64_t b) {
  return a >= b ? a - b : a + kPrime - b;
}

uint64_t inverse(uint64_t a) {
  uint64_t result = 1;
  for (uint64_t exponent = kPrime - 2; exponent != 0; exponent >>= 1, a = times(a, a))
    if (exponent & 1) result = times(result, a);
  return result;
}

uint64_t residue(int64_t value) {
  const int64_t rest = value % static_cast<int64_t>(kPrime);
  return rest < 0 ? static_cast<uint64_t>(rest + static_cast<int64_t>(kPrime)) : static_cast<uint64_t>(rest);
}

int64_t nearest(uint64_t value) {
  return value <= kPrime / 2 ? static_cast<int64_t>(value) : -static_cast<int64_t>(kPrime - value);
}

size_t leadOf(const std::vector<uint64_t>& row) {
  return static_cast<size_t>(std::find_if(row.begin(), row.end(), [](uint64_t x) { return x != 0; }) -
                             row.begin());
}

}  // namespace

TemplateDomain::TemplateDomain(TermTable& terms, std::vector<Term> variables, Comparisons comparisons,
                               const std::map<unsigned, std::vector<uint64_t>>& constants)
    : terms_(terms), variables_(std::move(variables)) {
  constexpr unsigned kNumber = 32, kSize = 64;
  for (size_t i = 0; i < variables_.size(); ++i) {
    const unsigned width = terms_.width(variables_[i]);
    auto group =
        std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) { return g.width == width; });
    if (group == groups_.end()) group = groups_.insert(group, {width, {}, {}});
    group->members.push_back({i, false, variables_[i]});
  }
  // The size of a block is a number of elements, made wider.
  for (Group& group : groups_) {
    if (group.width != kSize) continue;
    std::vector<Member> widened;
    for (size_t i = 0; i < variables_.size(); ++i)
      if (terms_.width(variables_[i]) == kNumber)
        widened.push_back({i, true, terms_.sext(variables_[i], kSize)});
    group.members.insert(group.members.begin(), widened.begin(), widened.end());
  }
  // What threads count is then a sum of what memory holds, and not the other way round.
  if (comparisons == Comparisons::SignedWithSums)
    for (Group& group : groups_) std::reverse(group.members.begin(), group.members.end());
  compare(comparisons, constants);
}

void TemplateDomain::compare(Comparisons comparisons,
                             const std::map<unsigned, std::vector<uint64_t>>& constants) {
  const bool all = comparisons == Comparisons::All;
  keepsSums_ = comparisons != Comparisons::Signed;
  for (const Group& group : groups_) {
    if (group.members.size() > kMostCompared) continue;
    std::vector<Term> known;
    if (const auto at = constants.find(group.width); at != constants.end())
      for (const uint64_t value : at->second) known.push_back(terms_.constant(value, group.width));
    const auto claim = [&](TermOp op, Term a, Term b) { comparisons_.push_back(terms_.binary(op, a, b)); };
    for (const Member& first : group.members) {
      if (first.isWidened) continue;
      const Term x = first.term;
      for (const Term k : known) {
        claim(TermOp::Sle, x, k);
        claim(TermOp::Sle, k, x);
        if (all) claim(TermOp::Ule, x, k);
      }
      for (const Member& second : group.members) {
        if (second.isWidened || second.variable == first.variable) continue;
        const Term y = second.term;
        claim(TermOp::Slt, x, y);
        claim(TermOp::Sle, x, y);
        if (!all) continue;
        claim(TermOp::Ule, x, y);
        for (const Term k : known) claim(TermOp::Ule, terms_.binary(TermOp::Sub, x, y), k);
      }
    }
  }
  std::erase_if(comparisons_, [&](Term claim) { return terms_.isConst(claim); });
  std::sort(comparisons_.begin(), comparisons_.end());
  comparisons_.erase(std::unique(comparisons_.begin(), comparisons_.end()), comparisons_.end());
}

uint64_t TemplateDomain::valueOf(const Member& member, const std::vector<uint64_t>& point) const {
  const uint64_t bits = point[member.variable];
  return static_cast<uint64_t>(signExtend(bits, terms_.width(variables_[member.variable])));
}

bool TemplateDomain::isTrue(Term claim, const std::vector<uint64_t>& point) const {
  std::vector<uint64_t> symbols(terms_.symbolCount());
  for (size_t i = 0; i < variables_.size(); ++i) symbols[terms_.node(variables_[i]).value] = point[i];
  return terms_.evaluate(claim, symbols) & 1;
}

bool TemplateDomain::holds(const Equation& equation, const std::vector<uint64_t>& point) const {
  const Group& group = groups_[equation.group];
  auto sum = static_cast<uint64_t>(equation.times[0]);
  for (size_t i = 0; i < group.members.size(); ++i)
    sum += static_cast<uint64_t>(equation.times[i + 1]) * valueOf(group.members[i], point);
  return (sum & widthMask(group.width)) == 0;
}

/// The basis stays in reduced form: each row leads with 1, where all others have 0.
bool TemplateDomain::extend(Group& group, const std::vector<uint64_t>& point) {
  std::vector<uint64_t> row{1};
  for (const Member& member : group.members)
    row.push_back(residue(static_cast<int64_t>(valueOf(member, point))));
  for (const std::vector<uint64_t>& other : group.basis) {
    const uint64_t factor = row[leadOf(other)];
    for (size_t k = 0; factor != 0 && k < row.size(); ++k) row[k] = minus(row[k], times(factor, other[k]));
  }
  const size_t lead = leadOf(row);
  if (lead == row.size()) return false;
  const uint64_t scale = inverse(row[lead]);
  for (uint64_t& entry : row) entry = times(entry, scale);
  for (std::vector<uint64_t>& other : group.basis) {
    const uint64_t factor = other[lead];
    for (size_t k = 0; factor != 0 && k < row.size(); ++k) other[k] = minus(other[k], times(factor, row[k]));
  }
  group.basis.push_back(std::move(row));
  return true;
}

void TemplateDomain::solve() {
  equations_.clear();
  solved_.clear();
  isPartial_ = false;
  for (size_t number = 0; number < groups_.size(); ++number) {
    const Group& group = groups_[number];
    std::vector<bool> leads(group.members.size() + 1, false);
    for (const std::vector<uint64_t>& row : group.basis) leads[leadOf(row)] = true;
    // Each variable that leads no row equals a sum of those that do.
    for (size_t at = 1; at < leads.size(); ++at) {
      if (leads[at] || group.members[at - 1].isWidened) continue;
      Equation equation{number, at, std::vector<int64_t>(leads.size(), 0)};
      equation.times[at] = 1;
      bool isSmall = true;
      Term sum = terms_.constant(0, group.width);
      for (const std::vector<uint64_t>& row : group.basis) {
        const size_t lead = leadOf(row);
        const int64_t factor = nearest(row[at]);
        equation.times[lead] = -factor;
        isSmall &= std::abs(factor) <= (lead == 0 ? kLargestConstant : kMostTimes);
        const Term by = terms_.constant(static_cast<uint64_t>(factor) & widthMask(group.width), group.width);
        sum = terms_.binary(TermOp::Add, sum,
                            lead == 0 ? by : terms_.binary(TermOp::Mul, by, group.members[lead - 1].term));
      }
      if (!isSmall) {
        isPartial_ = true;
        continue;
      }
      equations_.push_back(std::move(equation));
      solved_.emplace_back(group.members[at - 1].term, sum);
    }
  }
}

/// A comparison of a sum is hard to decide, and mostly follows from those of its summands.
void TemplateDomain::forgetSums() {
  for (const Equation& equation : equations_) {
    const Group& group = groups_[equation.group];
    if (std::count_if(equation.times.begin() + 1, equation.times.end(), [](int64_t t) { return t != 0; }) < 3)
      continue;
    const Term sum = group.members[equation.solves - 1].term;
    std::erase_if(comparisons_, [&](Term claim) {
      const TermNode& node = terms_.node(claim);
      return node.a == sum || node.b == sum;
    });
  }
}

bool TemplateDomain::add(const std::vector<uint64_t>& point) {
  bool changed = isEmpty_;
  const bool breaksEquation = isEmpty_ || isPartial_ ||
                              !std::all_of(equations_.begin(), equations_.end(),
                                           [&](const Equation& equation) { return holds(equation, point); });
  isEmpty_ = false;
  if (breaksEquation) {
    bool grew = false;
    for (Group& group : groups_) grew |= extend(group, point);
    if (grew) {
      solve();
      // Equal modulo 2^width alone, and found in some other way, are not kept.
      changed = true;
    }
    const size_t before = equations_.size();
    for (size_t i = equations_.size(); i-- > 0;) {
      if (holds(equations_[i], point)) continue;
      equations_.erase(equations_.begin() + static_cast<std::ptrdiff_t>(i));
      solved_.erase(solved_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    changed |= equations_.size() != before;
    if (!keepsSums_) forgetSums();
  }
  changed |= std::erase_if(comparisons_, [&](Term claim) { return !isTrue(claim, point); }) != 0;
  return changed;
}

void TemplateDomain::drop(Term claim) {
  std::erase(comparisons_, claim);
  for (size_t i = equations_.size(); i-- > 0;) {
    if (terms_.eq(solved_[i].first, solved_[i].second) != claim) continue;
    equations_.erase(equations_.begin() + static_cast<std::ptrdiff_t>(i));
    solved_.erase(solved_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

std::vector<Term> TemplateDomain::claims() const {
  std::vector<Term> all;
  for (const auto& [variable, sum] : solved_) all.push_back(terms_.eq(variable, sum));
  all.insert(all.end(), comparisons_.begin(), comparisons_.end());
  return all;
}

}  // namespace heddle
