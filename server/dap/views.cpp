#include "server/dap/views.h"

#include <algorithm>
#include <filesystem>

#include "server/dap/breakpoints.h"

namespace heddle::dap {

namespace {

constexpr uint64_t kMostChildren = 10'000;  // of one value, where the client asks for all

json plain(const std::string& name, const std::string& value) {
  return json(Variable{name, value, std::nullopt, 0, std::nullopt, std::nullopt});
}

}  // namespace

void Views::forget() {
  frames_.clear();
  references_.clear();
}

std::optional<Views::FrameId> Views::frame(int64_t frameId) const {
  if (frameId < 1 || static_cast<size_t>(frameId) > frames_.size()) return std::nullopt;
  return frames_[static_cast<size_t>(frameId) - 1];
}

bool Views::isInHarness(const SourcePlace& place) const {
  const auto lines = std::count(target_.ownText.begin(), target_.ownText.end(), '\n') + 1;
  return place.file == target_.file && static_cast<int64_t>(place.line) > lines;
}

Source Views::sourceOf(const SourcePlace& place) const {
  const std::string name = std::filesystem::path(place.file).filename().string();
  if (isInHarness(place)) return {name + " with its harness", std::nullopt, 1};
  return {name, place.file, std::nullopt};
}

json Views::threads(Execution& state) const {
  json list = json::array();
  for (const ThreadState& thread : ThreadView(state).threads())
    list.push_back({{"id", idOf(thread.id)},
                    {"name", thread.name + (thread.state.empty() ? "" : " (" + thread.state + ')')}});
  return {{"threads", std::move(list)}};
}

json Views::stackTrace(Execution& state, const StackTraceArguments& arguments) {
  json list = json::array();
  const auto thread = static_cast<ThreadId>(arguments.threadId - 1);
  const std::vector<FrameView> frames = ThreadView(state).frames(thread);
  const int64_t first = std::max<int64_t>(0, arguments.startFrame.value_or(0));
  int64_t count = arguments.levels.value_or(0);
  if (count <= 0) count = static_cast<int64_t>(frames.size());
  for (size_t i = static_cast<size_t>(first); i < frames.size() && count-- > 0; ++i) {
    const FrameView& frame = frames[i];
    frames_.push_back({thread, frame.index});
    StackFrame shown{static_cast<int64_t>(frames_.size()), frame.function, std::nullopt, frame.place.line,
                     frame.place.column};
    if (!frame.place.file.empty() && frame.place.line != 0) shown.source = sourceOf(frame.place);
    list.push_back(json(shown));
  }
  return {{"stackFrames", std::move(list)}, {"totalFrames", frames.size()}};
}

json Views::scopes(int64_t frameId) {
  const std::optional<FrameId> known = frame(frameId);
  if (!known) return nullptr;
  json list = json::array();
  const auto add = [&](const char* name, Scope scope, const char* hint) {
    references_.emplace_back(ScopeOf{scope, *known});
    json one = {{"name", name}, {"variablesReference", references_.size()}, {"expensive", false}};
    if (hint) one["presentationHint"] = hint;
    list.push_back(std::move(one));
  };
  add("Locals", Scope::Locals, "locals");
  add("Globals", Scope::Globals, nullptr);
  add("Locks", Scope::Locks, nullptr);
  if (!target_.travel->inputs().empty()) add("Inputs", Scope::Inputs, nullptr);
  return {{"scopes", std::move(list)}};
}

Variable Views::shown(const ValueView& values, const std::string& name, const DebugValue& value,
                      const std::string& path) {
  Variable out;
  out.name = name;
  out.value = values.text(value);
  if (const std::string type = values.typeText(value); !type.empty()) out.type = type;
  const uint64_t count = values.childCount(value);
  if (count > 0) {
    references_.emplace_back(Inside{value, path});
    out.variablesReference = static_cast<int64_t>(references_.size());
    if (values.kindOf(value) == TypeKind::Array) out.indexedVariables = static_cast<int64_t>(count);
  }
  if (!path.empty()) out.evaluateName = path;
  return out;
}

json Views::scopeVariables(Execution& state, const ScopeOf& scope) {
  json list = json::array();
  const ThreadView threads(state);
  const ValueView values(state);
  switch (scope.scope) {
    case Scope::Locals:
      for (const NamedValue& local : threads.locals(scope.frame.thread, scope.frame.index))
        list.push_back(json(shown(values, local.name, local.value, local.name)));
      break;
    case Scope::Globals:
      for (const NamedValue& global : threads.globals(scope.frame.thread))
        list.push_back(json(shown(values, global.name, global.value, global.name)));
      break;
    case Scope::Locks:
      for (const ThreadState& thread : threads.threads()) {
        std::string text;
        for (const std::string& lock : threads.heldLocks(thread.id))
          text += (text.empty() ? "holds " : ", ") + lock;
        if (!thread.state.empty()) text += (text.empty() ? "" : "; ") + thread.state;
        list.push_back(plain(thread.name, text.empty() ? "holds none" : text));
      }
      break;
    case Scope::Inputs:
      for (const UsedInput& input : target_.travel->inputs()) {
        const int64_t number = input.isSigned ? signExtend(input.bits, input.width)
                                              : static_cast<int64_t>(input.bits & widthMask(input.width));
        list.push_back(
            plain(target_.travel->names().label(input.thread) + ' ' + input.name, std::to_string(number)));
      }
      break;
  }
  return list;
}

std::optional<json> Views::variables(Execution& state, const VariablesArguments& arguments) {
  if (arguments.variablesReference < 1 ||
      static_cast<size_t>(arguments.variablesReference) > references_.size())
    return std::nullopt;
  const Reference reference = references_[static_cast<size_t>(arguments.variablesReference) - 1];
  if (const auto* scope = std::get_if<ScopeOf>(&reference))
    return json{{"variables", scopeVariables(state, *scope)}};
  const Inside& inside = std::get<Inside>(reference);
  const ValueView values(state);
  const bool isArray = values.kindOf(inside.value) == TypeKind::Array;
  const bool isPointer = values.kindOf(inside.value) == TypeKind::Pointer;
  json list = json::array();
  if (arguments.filter && (*arguments.filter == "indexed") != isArray) return json{{"variables", list}};
  const auto from = static_cast<uint64_t>(std::max<int64_t>(0, arguments.start.value_or(0)));
  const auto asked = static_cast<uint64_t>(std::max<int64_t>(0, arguments.count.value_or(0)));
  for (const NamedValue& child : values.children(inside.value, from, asked ? asked : kMostChildren)) {
    const std::string path = isPointer                      ? "*(" + inside.path + ')'
                             : isArray                      ? inside.path + child.name
                             : child.name[0] == '('         ? inside.path
                             : inside.path.starts_with('*') ? '(' + inside.path + ")." + child.name
                                                            : inside.path + '.' + child.name;
    list.push_back(json(shown(values, child.name, child.value, path)));
  }
  return json{{"variables", std::move(list)}};
}

std::variant<json, std::string> Views::evaluated(Execution& state, FrameId frame,
                                                 const std::string& expression) {
  const Evaluated value = evaluate(state, frame.thread, frame.index, expression);
  if (const auto* problem = std::get_if<ExpressionProblem>(&value)) return problem->text;
  const Variable out = shown(ValueView(state), "", std::get<DebugValue>(value), '(' + expression + ')');
  json body = {{"result", out.value}, {"variablesReference", out.variablesReference}};
  if (out.type) body["type"] = *out.type;
  if (out.indexedVariables) body["indexedVariables"] = *out.indexedVariables;
  return body;
}

json Views::dataInfo(Execution& state, const DataBreakpointInfoArguments& arguments,
                     std::optional<FrameId> otherwise) {
  const auto none = [](const std::string& why) { return json{{"dataId", nullptr}, {"description", why}}; };
  std::string expression = arguments.name;
  std::optional<FrameId> at = arguments.frameId ? frame(*arguments.frameId) : otherwise;
  const auto reference = static_cast<size_t>(arguments.variablesReference.value_or(0));
  if (reference >= 1 && reference <= references_.size()) {
    const Reference& of = references_[reference - 1];
    if (const auto* scope = std::get_if<ScopeOf>(&of)) {
      at = scope->frame;
    } else {
      const Inside& inside = std::get<Inside>(of);
      const TypeKind kind = ValueView(state).kindOf(inside.value);
      expression = kind == TypeKind::Pointer ? "*(" + inside.path + ')'
                   : kind == TypeKind::Array ? inside.path + arguments.name
                                             : '(' + inside.path + ")." + arguments.name;
    }
  }
  if (!at) return none("there is no frame to look for it in");
  const Evaluated value = evaluate(state, at->thread, at->index, expression);
  if (const auto* problem = std::get_if<ExpressionProblem>(&value)) return none(problem->text);
  const auto& found = std::get<DebugValue>(value);
  if (!found.address) return none("'" + expression + "' has no address: nobody else can write it");
  const ValueView values(state);
  const uint64_t size = std::max<uint64_t>(1, values.sizeOf(found));
  const std::string name = values.nameOf(*found.address, size);
  return {{"dataId", dataIdOf(*found.address, size, name)},
          {"description", name},
          {"accessTypes", {"read", "write", "readWrite"}},
          {"canPersist", false}};
}

}  // namespace heddle::dap
