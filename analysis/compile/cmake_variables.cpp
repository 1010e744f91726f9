#include "analysis/compile/cmake_variables.h"

#include "analysis/support/word.h"

namespace heddle {
namespace {

constexpr size_t kMostValue = size_t{64} << 10;
constexpr size_t kMostKept = size_t{32} << 20;
constexpr int kMostNested = 8;  // ${${NAME}}

}  // namespace

CMakeVariables::CMakeVariables() : scopes_(1) {}

const std::string* CMakeVariables::find(const std::string& name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto known = scope->find(name); known != scope->end()) {
      if (known->second) return &*known->second;
      break;
    }
  const auto cached = cache_.find(name);
  return cached == cache_.end() ? nullptr : &cached->second;
}

void CMakeVariables::keep(Scope& scope, const std::string& name, const std::string& value) {
  kept_ += name.size() + value.size();
  if (kept_ > kMostKept) return;
  scope[name] = value.size() > kMostValue ? std::string(1, kUnknownValue) : value;
}

void CMakeVariables::set(const std::string& name, const std::string& value) {
  keep(scopes_.back(), name, value);
}

void CMakeVariables::setOutside(const std::string& name, const std::string& value) {
  keep(scopes_.size() > 1 ? scopes_[scopes_.size() - 2] : scopes_.back(), name, value);
}

void CMakeVariables::setCached(const std::string& name, const std::string& value) {
  kept_ += name.size() + value.size();
  if (kept_ <= kMostKept && value.size() <= kMostValue && !find(name)) cache_[name] = value;
}

void CMakeVariables::unset(const std::string& name) {
  scopes_.back()[name] = std::nullopt;
}

std::string CMakeVariables::expandFrom(const std::string& text, size_t& at, char end, int depth) const {
  std::string value;
  while (at < text.size() && text[at] != end && value.size() <= kMostValue) {
    if (text[at] == '\\' && at + 1 < text.size()) {
      const char next = text[at + 1];
      at += 2;
      if (next == ';')
        value += "\\;";
      else
        value += next == 'n' ? '\n' : next == 't' ? '\t' : next;
      continue;
    }
    const bool isEnvironment = text.compare(at, 5, "$ENV{") == 0;
    if (!isEnvironment && text.compare(at, 2, "${") != 0) {
      value += text[at++];
      continue;
    }
    at += isEnvironment ? 5 : 2;
    if (depth >= kMostNested) return value + kUnknownValue;
    const std::string name = expandFrom(text, at, '}', depth + 1);
    if (at < text.size()) ++at;
    if (isEnvironment) continue;  // a build that is asked for nothing special
    const std::string* const known = find(name);
    if (!isKnownValue(name))
      value += kUnknownValue;
    else if (known)
      value += *known;
  }
  return value;
}

std::string CMakeVariables::expand(const std::string& text) const {
  size_t at = 0;
  return expandFrom(text, at, '\0', 0);
}

std::vector<CMakeArgument> CMakeVariables::expandAll(const std::vector<CMakeArgument>& arguments) const {
  constexpr size_t kMostArguments = 20'000;
  std::vector<CMakeArgument> expanded;
  for (const CMakeArgument& argument : arguments) {
    if (argument.kind == CMakeArgument::Kind::Bracket) {
      expanded.push_back(argument);
    } else if (argument.kind == CMakeArgument::Kind::Quoted) {
      expanded.push_back({expand(argument.text), argument.kind});
    } else {
      for (std::string& part : listOf(expand(argument.text)))
        if (expanded.size() < kMostArguments) expanded.push_back({std::move(part), argument.kind});
    }
  }
  return expanded;
}

}  // namespace heddle
