#include "analysis/solver/sat/gates.h"

#include <algorithm>
#include <utility>

namespace heddle::sat {

Literal Gates::output(GateKind kind, std::initializer_list<Literal> inputs) {
  const Var v = cdcl_.newVariable(false);
  cdcl_.defineGate(kind, v, {inputs.begin(), inputs.size()});
  return 2 * v;
}

Literal Gates::andOf(Literal a, Literal b) {
  a = folded(a);
  b = folded(b);
  if (a == kFalseLiteral || b == kFalseLiteral || a == negate(b)) return kFalseLiteral;
  if (a == kTrueLiteral || a == b) return b;
  if (b == kTrueLiteral) return a;
  if (a > b) std::swap(a, b);
  Literal& slot = known(GateKind::And, a, b);
  if (slot != kNoLiteral) return slot;
  const Literal o = slot = output(GateKind::And, {a, b});
  cdcl_.addClause({negate(o), a});
  cdcl_.addClause({negate(o), b});
  cdcl_.addClause({o, negate(a), negate(b)});
  return o;
}

Literal Gates::xorOf(Literal a, Literal b) {
  a = folded(a);
  b = folded(b);
  const Literal flip = (a ^ b) & 1;  // of the two signs; the gate itself is over variables
  a &= ~1u;
  b &= ~1u;
  if (a == b) return kFalseLiteral ^ flip;
  if (a == kTrueLiteral) return b ^ 1 ^ flip;
  if (b == kTrueLiteral) return a ^ 1 ^ flip;
  if (a > b) std::swap(a, b);
  Literal& slot = known(GateKind::Xor, a, b);
  if (slot != kNoLiteral) return slot ^ flip;
  const Literal o = slot = output(GateKind::Xor, {a, b});
  cdcl_.addClause({negate(o), a, b});
  cdcl_.addClause({negate(o), negate(a), negate(b)});
  cdcl_.addClause({o, negate(a), b});
  cdcl_.addClause({o, a, negate(b)});
  return o ^ flip;
}

Literal Gates::ite(Literal c, Literal a, Literal b) {
  c = folded(c);
  a = folded(a);
  b = folded(b);
  if (c == kTrueLiteral || a == b) return a;
  if (c == kFalseLiteral) return b;
  if (c & 1) {
    c = negate(c);
    std::swap(a, b);
  }
  if (a == negate(b)) return xorOf(c, b);
  if (a == kTrueLiteral || a == c) return orOf(c, b);
  if (a == kFalseLiteral || a == negate(c)) return andOf(negate(c), b);
  if (b == kTrueLiteral || b == negate(c)) return orOf(negate(c), a);
  if (b == kFalseLiteral || b == c) return andOf(c, a);
  const Literal flip = a & 1;
  a ^= flip;
  b ^= flip;
  Literal& slot = known(GateKind::Ite, c, a, b);
  if (slot != kNoLiteral) return slot ^ flip;
  const Literal o = slot = output(GateKind::Ite, {c, a, b});
  cdcl_.addClause({negate(c), negate(a), o});
  cdcl_.addClause({negate(c), a, negate(o)});
  cdcl_.addClause({c, negate(b), o});
  cdcl_.addClause({c, b, negate(o)});
  // Implied, but they let o follow when both branches agree.
  cdcl_.addClause({negate(a), negate(b), o});
  cdcl_.addClause({a, b, negate(o)});
  return o ^ flip;
}

Literal Gates::majority(Literal a, Literal b, Literal c) {
  Literal in[] = {folded(a), folded(b), folded(c)};
  std::sort(in, in + 3);
  if (in[0] == kTrueLiteral) return orOf(in[1], in[2]);
  if (in[0] == kFalseLiteral) return andOf(in[1], in[2]);
  if (in[0] == in[1] || in[1] == in[2]) return in[1];
  if (in[0] == negate(in[1])) return in[2];
  if (in[1] == negate(in[2])) return in[0];
  const Literal flip = (in[0] & 1) + (in[1] & 1) + (in[2] & 1) >= 2 ? 1 : 0;  // majority is its own dual
  for (Literal& p : in) p ^= flip;
  Literal& slot = known(GateKind::Majority, in[0], in[1], in[2]);
  if (slot != kNoLiteral) return slot ^ flip;
  const Literal o = slot = output(GateKind::Majority, {in[0], in[1], in[2]});
  for (const auto& [x, y] : {std::pair{in[0], in[1]}, std::pair{in[0], in[2]}, std::pair{in[1], in[2]}}) {
    cdcl_.addClause({negate(x), negate(y), o});
    cdcl_.addClause({x, y, negate(o)});
  }
  return o ^ flip;
}

Literal Gates::andAll(std::vector<Literal>& inputs) {
  for (Literal& p : inputs) p = folded(p);
  std::sort(inputs.begin(), inputs.end());
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  if (!inputs.empty() && inputs.front() == kTrueLiteral) inputs.erase(inputs.begin());
  if (inputs.empty()) return kTrueLiteral;
  if (inputs.front() == kFalseLiteral) return kFalseLiteral;
  for (size_t i = 1; i < inputs.size(); ++i)
    if (inputs[i] == negate(inputs[i - 1])) return kFalseLiteral;
  if (inputs.size() == 1) return inputs[0];
  if (inputs.size() == 2) return andOf(inputs[0], inputs[1]);
  const Var v = cdcl_.newVariable(false);
  cdcl_.defineGate(GateKind::And, v, inputs);
  const Literal o = 2 * v;
  for (const Literal p : inputs) cdcl_.addClause({negate(o), p});
  for (Literal& p : inputs) p = negate(p);
  inputs.push_back(o);
  cdcl_.addClause(inputs);
  return o;
}

Literal Gates::orAll(std::vector<Literal>& inputs) {
  for (Literal& p : inputs) p = negate(p);
  return negate(andAll(inputs));
}

}  // namespace heddle::sat
