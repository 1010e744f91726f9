#include "analysis/survey/linear_value.h"

#include <algorithm>

namespace heddle {
namespace {

constexpr int64_t kMostLinear = int64_t{1} << 48;
constexpr size_t kMostTerms = 8, kMostFacts = 60;

bool isSmallLinear(int64_t value) {
  return value < kMostLinear && value > -kMostLinear;
}

/// The same with a first factor that is positive: `a - b` and `b - a` are zero together.
std::pair<LinearFacts::Terms, int64_t> signless(const LinearValue& value) {
  if (value.terms.empty() || value.terms.begin()->second > 0) return {value.terms, value.constant};
  const LinearValue turned = linearSum(LinearValue::number(0), value, -1);
  return {turned.terms, turned.constant};
}

bool hasOneOf(const LinearFacts::Terms& terms, const std::set<std::string>& symbols) {
  return std::any_of(terms.begin(), terms.end(),
                     [&](const auto& term) { return symbols.contains(term.first); });
}

}  // namespace

bool LinearValue::mentionsOneOf(const std::set<std::string>& symbols) const {
  return hasOneOf(terms, symbols);
}

std::string LinearValue::text() const {
  if (!isKnown) return "?";
  std::string out;
  for (const auto& [symbol, factor] : terms)
    out += (out.empty() ? "" : "+") + (factor == 1 ? "" : std::to_string(factor) + "*") + symbol;
  return out + (constant == 0 && !out.empty() ? "" : "+" + std::to_string(constant));
}

LinearValue linearSum(const LinearValue& a, const LinearValue& b, int64_t times) {
  if (!a.isKnown || !b.isKnown || !isSmallLinear(times)) return LinearValue::unknown();
  LinearValue sum = a;
  int64_t part = 0;
  if (__builtin_mul_overflow(b.constant, times, &part) || !isSmallLinear(part)) return LinearValue::unknown();
  sum.constant += part;
  for (const auto& [symbol, factor] : b.terms) {
    if (__builtin_mul_overflow(factor, times, &part) || !isSmallLinear(part)) return LinearValue::unknown();
    int64_t& own = sum.terms[symbol];
    own += part;
    if (own == 0) sum.terms.erase(symbol);
  }
  return sum.terms.size() > kMostTerms || !isSmallLinear(sum.constant) ? LinearValue::unknown() : sum;
}

void LinearFacts::addNotNegative(const LinearValue& value, uint32_t line, bool isOfAddresses) {
  if (!value.isKnown || value.terms.empty() || bounds_.size() > kMostFacts) return;
  const auto [known, isNew] = bounds_.try_emplace(value.terms, Bound{value.constant, line, isOfAddresses});
  if (!isNew && value.constant < known->second.constant)
    known->second = {value.constant, line, isOfAddresses};
}

void LinearFacts::addNotZero(const LinearValue& value) {
  if (value.isKnown && !value.terms.empty() && notZero_.size() <= kMostFacts)
    notZero_.insert(signless(value));
}

void LinearFacts::meet(const LinearFacts& other) {
  for (auto bound = bounds_.begin(); bound != bounds_.end();) {
    const auto found = other.bounds_.find(bound->first);
    if (found == other.bounds_.end()) {
      bound = bounds_.erase(bound);
      continue;
    }
    bound->second = std::max(bound->second, found->second);
    ++bound;
  }
  std::erase_if(notZero_, [&](const auto& one) { return !other.notZero_.contains(one); });
}

void LinearFacts::forget(const std::set<std::string>& symbols) {
  std::erase_if(bounds_, [&](const auto& bound) { return hasOneOf(bound.first, symbols); });
  std::erase_if(notZero_, [&](const auto& one) { return hasOneOf(one.first, symbols); });
}

std::optional<LinearFacts::Excess> LinearFacts::most(const LinearValue& value) const {
  std::optional<Excess> least;
  for (const auto& [terms, bound] : bounds_) {
    // As often as its first symbol takes away that of the value.
    const auto [symbol, factor] = *terms.begin();
    const auto own = value.terms.find(symbol);
    if (own == value.terms.end() || own->second % factor != 0 || own->second / factor >= 0) continue;
    const LinearValue rest = linearSum(value, {terms, bound.constant, true}, -(own->second / factor));
    if (!rest.isKnown) continue;
    if (rest.isNumber() && (!least || rest.constant < least->most))
      least = {rest.constant, bound.line, bound.isOfAddresses};
    for (const auto& [more, second] : bounds_) {
      const auto other = rest.terms.find(more.begin()->first);
      const int64_t times = other == rest.terms.end() ? 1 : -(other->second / more.begin()->second);
      const LinearValue both = linearSum(rest, {more, second.constant, true}, times);
      if (times > 0 && both.isNumber() && both.constant <= 0) return std::nullopt;
    }
  }
  if (!least) return std::nullopt;
  const auto isTested = [&](const auto& one) {
    return std::all_of(one.first.begin(), one.first.end(),
                       [&](const auto& term) { return value.terms.contains(term.first); }) &&
           one.first.size() == value.terms.size();
  };
  return std::any_of(notZero_.begin(), notZero_.end(), isTested) ? std::nullopt : least;
}

bool LinearFacts::limits(const std::string& symbol) const {
  const auto isOf = [&](const Terms& terms) {
    const auto found = terms.find(symbol);
    return found != terms.end() && found->second < 0;
  };
  return std::any_of(bounds_.begin(), bounds_.end(), [&](const auto& bound) { return isOf(bound.first); }) ||
         std::any_of(notZero_.begin(), notZero_.end(),
                     [&](const auto& one) { return one.first.contains(symbol) && one.first.size() > 1; });
}

}  // namespace heddle
