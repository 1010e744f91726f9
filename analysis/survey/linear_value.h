// LinearValue: a number or an address as a sum of symbols with factors, and what is known of such sums. Two
// texts with one sum mean the same number; symbols that nothing is known of stand for what was there first.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

struct LinearValue {
  std::map<std::string, int64_t> terms;  // factors by symbol, none is 0
  int64_t constant = 0;
  bool isKnown = true;

  static LinearValue unknown() { return {{}, 0, false}; }
  static LinearValue number(int64_t value) { return {{}, value, true}; }
  static LinearValue symbol(const std::string& name) { return {{{name, 1}}, 0, true}; }
  bool isNumber() const { return isKnown && terms.empty(); }
  bool mentions(const std::string& symbol) const { return terms.contains(symbol); }
  bool mentionsOneOf(const std::set<std::string>& symbols) const;
  std::string text() const;
  bool operator==(const LinearValue&) const = default;
};

/// a + times * b
LinearValue linearSum(const LinearValue& a, const LinearValue& b, int64_t times = 1);
inline LinearValue linearDifference(const LinearValue& a, const LinearValue& b) {
  return linearSum(a, b, -1);
}

/// What conditions say of sums.
class LinearFacts {
 public:
  using Terms = std::map<std::string, int64_t>;
  struct Bound {
    int64_t constant = 0;  // the terms and it are not negative
    uint32_t line = 0;
    bool isOfAddresses = false;  // two addresses are compared
    auto operator<=>(const Bound&) const = default;
  };
  struct Excess {
    int64_t most = 0;
    uint32_t line = 0;  // of the condition
    bool isOfAddresses = false;
  };

  void addNotNegative(const LinearValue& value, uint32_t line, bool isOfAddresses = false);
  void addNotZero(const LinearValue& value);
  /// Keeps what both say.
  void meet(const LinearFacts& other);
  void forget(const std::set<std::string>& symbols);
  /// The largest that one condition lets the value be; nothing: there is none, or others say less, which may
  /// also be together.
  std::optional<Excess> most(const LinearValue& value) const;
  /// Some condition says that it is not too large.
  bool limits(const std::string& symbol) const;
  bool operator==(const LinearFacts&) const = default;

 private:
  std::map<Terms, Bound> bounds_;
  std::set<std::pair<Terms, int64_t>> notZero_;
};

}  // namespace heddle
