#include "server/driver/unknown_option.h"

#include <array>
#include <utility>

namespace heddle {
namespace {

constexpr std::array<std::pair<const char*, UnknownEffect>, 4> kEffects = {
    {{"nothing", UnknownEffect::Nothing},
     {"arguments", UnknownEffect::Arguments},
     {"reachable", UnknownEffect::Reachable},
     {"refused", UnknownEffect::Refused}}};

std::string nameOf(UnknownEffect effect) {
  for (const auto& [name, value] : kEffects)
    if (value == effect) return name;
  return "";
}

void setOf(Environment& environment, const std::string& function, UnknownEffect effect) {
  for (auto& [name, value] : environment.unknownByName)
    if (name == function) {
      value = effect;
      return;
    }
  environment.unknownByName.emplace_back(function, effect);
}

}  // namespace

std::optional<std::string> parseUnknown(const std::vector<std::string>& words, Environment& out) {
  Environment changed = out;
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    const std::string function = equals == std::string::npos ? "" : word.substr(0, equals);
    const std::string effect = equals == std::string::npos ? word : word.substr(equals + 1);
    bool isKnown = false;
    for (const auto& [name, value] : kEffects) {
      if (effect != name) continue;
      isKnown = true;
      if (equals == std::string::npos)
        changed.unknown = value;
      else
        setOf(changed, function, value);
    }
    if (!isKnown || (equals != std::string::npos && function.empty()))
      return "'" + word +
             "' is unknown; use nothing, arguments, reachable or refused, or FUNCTION= before one";
  }
  out = std::move(changed);
  return std::nullopt;
}

std::vector<std::string> unknownWords(const Environment& environment) {
  std::vector<std::string> words;
  if (environment.unknown != Environment{}.unknown) words.push_back(nameOf(environment.unknown));
  for (const auto& [function, effect] : environment.unknownByName)
    words.push_back(function + "=" + nameOf(effect));
  return words;
}

}  // namespace heddle
