#include "analysis/interp/core/model_context.h"

#include <utility>

#include "analysis/interp/core/execution.h"

namespace heddle {

ModelContext::ModelContext(Execution& run)
    : program(run.program),
      names(run.names),
      terms(run.terms),
      locations(run.locations),
      memory(run.memory),
      options(run.options),
      result(run.result),
      process(run.process),
      ended(run.ended),
      prologue(run.prologue),
      run_(run) {}

PlaceId ModelContext::place(const Thread& t) const {
  return run_.place(t);
}

Thread* ModelContext::thread(ThreadId id) {
  return run_.thread(id);
}

size_t ModelContext::threadCount() const {
  return run_.threads().size();
}

Thread& ModelContext::addThread(ThreadId id, FunctionId function, const Value& argument, PlaceId createdAt) {
  return run_.addThread(id, function, argument, createdAt);
}

bool ModelContext::isAlone(const Thread& t) const {
  return run_.isAlone(t);
}

void ModelContext::stop(Thread& t) {
  run_.stop(t);
}

void ModelContext::finish(Thread& t) {
  run_.finish(t);
}

bool ModelContext::noteReachedEnd(Thread& t) {
  return run_.noteReachedEnd(t);
}

bool ModelContext::leaveProcess(Thread& t) {
  return run_.leaveProcess(t);
}

void ModelContext::exitProcess(Thread& t) {
  run_.exitProcess(t);
}

void ModelContext::endPrologue() {
  run_.endPrologue();
}

EventSink& ModelContext::sink() {
  return run_.sink();
}

void ModelContext::fail(Thread& t, FailureKind kind, std::string message, PlaceId at) {
  run_.fail(t, kind, std::move(message), at);
}

void ModelContext::failHere(Thread& t, FailureKind kind, std::string message) {
  run_.failHere(t, kind, std::move(message));
}

void ModelContext::unsupported(Thread& t, std::string what) {
  run_.unsupported(t, std::move(what));
}

void ModelContext::bound(Thread& t, const Bound& hit) {
  run_.bound(t, hit);
}

void ModelContext::noteUnknownCall(Thread& t, const std::string& name) {
  run_.noteUnknownCall(t, name);
}

void ModelContext::assume(PlaceId at, const std::string& text) {
  run_.assume(at, text);
}

bool ModelContext::isMadeUp(const MemoryObject* object, uint64_t address) const {
  return run_.accesses.isMadeUp(object, address);
}

void ModelContext::assumeFit(Thread& t) {
  run_.accesses.assumeFit(t);
}

void ModelContext::takeFromThisExecution(PlaceId at, const std::string& what) {
  run_.takeFromThisExecution(at, what);
}

void ModelContext::print(std::string_view text) {
  run_.print(text);
}

bool ModelContext::branch(Thread& t, const Value& condition, BranchRole role, int errorSide) {
  return run_.branch(t, condition, role, errorSide);
}

void ModelContext::choose(Thread& t, const Value& value) {
  run_.choose(t, value);
}

bool ModelContext::chooseSize(Thread& t, const Value& count, uint64_t each) {
  return run_.chooseSize(t, count, each);
}

Value ModelContext::settled(Thread& t, const Value& value) {
  return run_.undefined.settled(t, value);
}

Value ModelContext::used(Thread& t, const Value& value, const char* how) {
  return run_.undefined.used(t, value, how);
}

Value ModelContext::input(Thread& t, unsigned width, bool isSigned, const std::string& name, bool exactName) {
  return run_.inputs.fresh(t, width, isSigned, name, exactName);
}

Value ModelContext::inputAsResult(Thread& t, unsigned width, bool isSigned, const std::string& name) {
  return run_.inputs.asResult(t, width, isSigned, name);
}

Value ModelContext::happens(Thread& t, uint64_t operation, std::string what) {
  return run_.inputs.happens(t, operation, std::move(what));
}

MemoryObject* ModelContext::newObject(Thread& t, ObjectKind kind, uint32_t site, uint64_t size) {
  return run_.newObject(t, kind, site, size);
}

bool ModelContext::visible(Thread& t, const Target& target, uint64_t size, bool write) {
  return run_.accesses.visible(t, target, size, write);
}

Value ModelContext::load(Thread& t, const Target& target, unsigned size, bool asEvent) {
  return run_.accesses.load(t, target, size, asEvent);
}

void ModelContext::noteWritten(Thread& t, MemoryObject& object) {
  run_.states.noteWritten(t, object);
}

bool ModelContext::endsWhileLocked(Thread& t, const MemoryObject& object, const char* what, bool byItself) {
  return run_.endsWhileLocked(t, object, what, byItself);
}

MemoryObject* ModelContext::endStackLives(Thread& t, size_t first, bool threadLocals) {
  return run_.lives.endStackLives(t, first, threadLocals);
}

void ModelContext::endStackLife(Thread& t, MemoryObject& object) {
  run_.lives.endStackLife(t, object);
}

bool ModelContext::endLife(Thread& t, MemoryObject& object, bool asEvent) {
  return run_.lives.end(t, object, asEvent);
}

MemoryObject* ModelContext::reusedFor(Thread& t, const MemoryObject& object) {
  return run_.reuse.reusedFor(t, object);
}

uint64_t ModelContext::nextHeapTime() {
  return ++run_.reuse.time;
}

void ModelContext::noteFreed(MemoryObject& object) {
  run_.reuse.freed.push_back(&object);
}

void ModelContext::noteStackObject(uint64_t size) {
  run_.calls.stackBytes += sizeof(MemoryObject) + size;
}

void ModelContext::unwind(Thread& t, size_t frames) {
  run_.calls.unwind(t, frames);
}

MutexState& ModelContext::mutex(const Target& target) {
  return run_.sync.mutex(target);
}

SyncObject* ModelContext::syncObject(const Target& target, bool usable) {
  return run_.sync.object(target, usable);
}

bool ModelContext::isSynchronization(const MemoryObject& object, uint64_t offset) const {
  return run_.sync.isSynchronization(object, offset);
}

MemoryObject* ModelContext::threadResult(ThreadId id) {
  return run_.sync.threadResult(id);
}

SyncObject* ModelContext::cancelRequest(ThreadId id) {
  return run_.sync.cancelRequest(id);
}

std::vector<Target> ModelContext::robustHeld(const Thread& t) const {
  return run_.sync.robustHeld(t);
}

bool ModelContext::isWaitedFor(const SyncObject& object) {
  return run_.isWaitedFor(object);
}

void ModelContext::beginSection(Thread& t) {
  run_.sections.begin(t);
}

void ModelContext::endSection(Thread& t) {
  run_.sections.end(t);
}

void ModelContext::hasEffect(Thread& t) {
  run_.loops.hasEffect(t);
}

void ModelContext::noteEffect(Thread& t, const Value& condition) {
  run_.loops.noteEffect(t, condition);
}

LookAhead ModelContext::lookAhead(Thread& t, std::span<const Value> results) {
  return run_.spurious.lookAhead(t, results);
}

bool ModelContext::isCounted(const Thread& t, const LookAhead& ahead) const {
  return run_.spurious.isCounted(t, ahead);
}

bool ModelContext::mayHappen(Thread& t, bool isCounted, BoundKind bound) {
  return run_.spurious.mayHappen(t, isCounted, bound);
}

void ModelContext::noteHappened(Thread& t, bool isCounted, bool happened) {
  run_.spurious.noteHappened(t, isCounted, happened);
}

void ModelContext::describe(Thread& t, const std::string& text) {
  run_.texts.describe(t, text);
}

void ModelContext::retitle(const Thread& t, EventKind kind) {
  run_.texts.retitle(t, kind);
}

}  // namespace heddle
