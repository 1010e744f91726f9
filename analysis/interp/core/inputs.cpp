#include "analysis/interp/core/inputs.h"

#include "analysis/interp/core/execution.h"
#include "analysis/interp/core/memory_model.h"

namespace heddle {

namespace {

constexpr size_t kInputsPerLook = 4'096;  // inputs between looks at the budget

}  // namespace

InputRequest Inputs::request(const Thread& t, unsigned width, bool isSigned, const std::string& name) const {
  InputRequest request;
  request.ordinal = t.inputs - t.memoryInputs;
  request.width = width;
  request.isSigned = isSigned;
  const auto known = program_.resultNames.find(t.pc);
  request.name = known == program_.resultNames.end() ? name : known->second;
  return request;
}

Value Inputs::fresh(Thread& t, unsigned width, bool isSigned, const std::string& name, bool exactName) {
  InputRequest asked = request(t, width, isSigned, name);
  if (exactName) asked.name = name;
  return fresh(t, std::move(asked));
}

Value Inputs::asResult(Thread& t, unsigned width, bool isSigned, const std::string& name) {
  InputRequest asked = request(t, width, isSigned, name);
  asked.isResult = true;
  return fresh(t, std::move(asked));
}

Value Inputs::ofUndefined(Thread& t, const Target& target, unsigned size, bool isShared) {
  InputRequest request;
  request.thread = t.id;
  request.memoryOperation = t.operations;
  request.width = size * 8u;
  request.name = program_.describe(names_.info(target.object->id).name);
  // Of shared memory any value stands in no event. When a schedule is replayed, all memory is shared.
  if (isShared && !run_.sink().wasInput(request)) return {};
  const Value value = fresh(t, std::move(request));
  ++t.memoryInputs;
  memory_.write(*target.object, target.offset, size, value);
  run_.states.noteWritten(t, *target.object);
  return value;
}

Value Inputs::ask(const InputRequest& request) {
  run_.budget.spend();  // a loop that asks in each round grows like one with events
  const Value given = run_.sink().input(request);
  if (options_.memoryModel)
    options_.memoryModel->input(request.thread, {given.bits & widthMask(request.width), given.term});
  return given;
}

Value Inputs::fresh(Thread& t, InputRequest request) {
  t.uncertain = true;
  const unsigned width = request.width;
  request.thread = t.id;
  request.place = run_.place(t);
  t.rounds.leaving = false;  // with another value it may do something else
  const bool isBehindLast = run_.sink().isBehindLastInput(request);
  Value value = ask(request);
  // A constant is one of a sequence: the next round would see the next one.
  if (value.term == kNoTerm && !isBehindLast) run_.loops.hasEffect(t);
  value.bits &= widthMask(width);
  if (value.term && terms_.isConst(value.term)) value.term = kNoTerm;
  run_.result.inputs.push_back({t.id, t.inputs++, request.ordinal, request.memoryOperation, width,
                                request.isSigned, request.place, std::move(request.name), value.bits, false,
                                false, t.operations});
  // One call of an unknown function may leave thousands.
  if (run_.result.inputs.size() % kInputsPerLook == 0 && !run_.ended) run_.outOfBudget();
  run_.result.schedule.inputs[inputLabel(t.label, request.memoryOperation)].push_back(
      request.isSigned && width > 1 ? signExtend(value.bits, width) : static_cast<int64_t>(value.bits));
  return value;
}

Value Inputs::happens(Thread& t, uint64_t operation, std::string what) {
  InputRequest request;
  request.thread = t.id;
  request.memoryOperation = operation;
  request.width = 1;
  request.isSigned = false;
  request.place = run_.place(t);
  request.name = std::move(what);
  if (run_.sink().isReplay() && !run_.sink().wasInput(request)) return {};
  t.uncertain = true;
  Value value = ask(request);
  value.bits &= 1;
  if (value.term && terms_.isConst(value.term)) value.term = kNoTerm;
  run_.result.inputs.push_back({t.id, t.inputs++, 0, operation, 1, false, request.place,
                                std::move(request.name), value.bits, false, false, t.operations});
  run_.result.schedule.inputs[inputLabel(t.label, operation)].push_back(static_cast<int64_t>(value.bits));
  ++t.memoryInputs;
  return value;
}

}  // namespace heddle
