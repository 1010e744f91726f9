#include "server/source/linked_survey.h"

#include <map>

#include "server/source/c_tokens.h"
#include "server/source/outline.h"

namespace heddle {
namespace {

bool definesFunction(const Outline& outline, const std::string& name) {
  for (const OutlineFunction& function : outline.functions)
    if (function.name == name && !function.isStatic) return true;
  return false;
}

}  // namespace

Survey withLinked(Survey survey, const Snapshot& snapshot) {
  if (snapshot.unitsFollow || survey.declared.empty()) return survey;
  std::map<const Unit*, Outline> outlines;  // of units that name one of the functions
  std::erase_if(survey.declared, [&](const SurveyFunction& function) {
    for (const Unit& unit : snapshot.units) {
      const auto overlay = snapshot.overlays.find(unit.path);
      const std::string& text = overlay == snapshot.overlays.end() ? unit.text : overlay->second;
      if (text.find(function.name) == std::string::npos) continue;
      auto outline = outlines.find(&unit);
      if (outline == outlines.end()) outline = outlines.emplace(&unit, outlineOf(text, lexC(text))).first;
      if (definesFunction(outline->second, function.name)) return false;
    }
    return true;
  });
  return survey;
}

}  // namespace heddle
