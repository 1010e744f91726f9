#include "analysis/interp/core/event_texts.h"

#include <cstdio>
#include <cstring>

#include "analysis/interp/core/execution.h"

namespace heddle {

bool EventTexts::isHidden(const Event& event) const {
  if (event.rule || event.cells.empty() || !isAccess(event.kind)) return false;
  const Cell& cell = locations_.cell(event.cells.front());
  const ObjectName& name = names_.info(cell.object).name;
  if (name.kind != ObjectKind::Library) return false;
  const bool isResult = name.site == 0 && name.owner != kNone;
  const bool isLife = name.site >= Program::kFirstLife && name.size == 1;
  // Named after what it belongs to (see syncObject): a thread's result, or an object of the program.
  const bool isState = name.owner == kNone && name.size == kSyncBytes && cell.offset == kUsableByte;
  const bool isOfThread = isState && names_.info(name.site).name.kind == ObjectKind::Library;
  return isResult || isOfThread || ((isLife || isState) && event.kind == EventKind::Read);
}

void EventTexts::describe(Thread&, const std::string& text) {
  if (options_.recordTrace) run_.result.trace.back().text = text;
}

std::string EventTexts::printed(const Thread& t, const Target& target, unsigned size,
                                const Value& value) const {
  const ObjectName& name = names_.info(target.object->id).name;
  const TypeNode* type = program_.scalarAt(run_.place(t), name, target.offset);
  return program_.describeAt(run_.place(t), name, target.offset, size) + " = " +
         valueText(type, size, value.bits);
}

std::string EventTexts::valueText(const TypeNode* type, unsigned size, uint64_t bits) const {
  const int64_t number = signExtend(bits & widthMask(size * 8), size * 8);
  if (type && type->size == size) {
    for (const auto& [enumerated, text] : type->enumerators)
      if (enumerated == number) return text;
    switch (type->kind) {
      case TypeKind::Unsigned:
        return std::to_string(bits & widthMask(size * 8));
      case TypeKind::Boolean:
        return bits <= 1 ? (bits ? "true" : "false") : std::to_string(bits);
      case TypeKind::Character:
        if (bits >= ' ' && bits <= '~') return {'\'', static_cast<char>(bits), '\''};
        return bits == 0 ? "'\\0'" : std::to_string(number);
      case TypeKind::Floating: {
        char text[32];
        double real = 0;
        if (size == 4) {
          float narrow = 0;
          std::memcpy(&narrow, &bits, 4);
          real = static_cast<double>(narrow);
        } else {
          std::memcpy(&real, &bits, 8);
        }
        std::snprintf(text, sizeof text, "%g", real);
        return text;
      }
      case TypeKind::Pointer:
        if (bits == 0) return "NULL";
        break;
      default:
        break;
    }
  }
  // A pointer prints as what it points to.
  if (size * 8 == program_.pointerBits() && bits >= kFirstAddress) {
    const ObjectId pointee = names_.objectAt(bits);
    if (pointee != kNone && bits - names_.info(pointee).base <= names_.info(pointee).name.size) {
      const ObjectName& object = names_.info(pointee).name;
      const uint64_t offset = bits - names_.info(pointee).base;
      if (object.kind != ObjectKind::Heap) return "&" + program_.describe(object, offset, 1);
      // Several pointers lead there; which of them is meant the text does not say.
      return "&(" + program_.describe(object) + ")" + (offset ? " + " + std::to_string(offset) : "");
    }
  }
  return std::to_string(number);
}

void EventTexts::retitle(const Thread& t, EventKind kind) {
  std::vector<TraceEntry>& trace = run_.result.trace;
  if (options_.recordTrace && !trace.empty() && trace.back().thread == t.id) trace.back().kind = kind;
}

}  // namespace heddle
