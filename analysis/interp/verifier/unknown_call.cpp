// Calls of functions that are neither defined nor modelled, where memory is touched: what they change is any
// value, as far as Environment::unknown lets them, and what they return is any value or a new object. All of
// it is named as an assumption, and what was invented is marked among the inputs.
//
// Which memory is changed is decided by types and addresses, never by what is known to be shared, so that a
// replay asks for the same inputs.
#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "analysis/interp/core/call.h"

namespace heddle {

namespace unknown_calls {
namespace {

constexpr uint64_t kTextBytes = 4;              // of a text that is left behind, its end included
constexpr uint64_t kOpaqueBytes = 16;           // of an object whose type is not known
constexpr uint64_t kLargestAsked = 1ull << 40;  // bytes; more is not to be had
constexpr size_t kMostScalars = 64;             // that are changed in one object
constexpr size_t kMostObjects = 64;             // that are followed

/// Part of an object that is changed.
struct Piece {
  uint64_t offset = 0;
  unsigned bytes = 0;
  bool isPointer = false;
  uint32_t target = kNoShape;
};

/// The numbers and addresses of a variable's type.
void collect(const TypeTable& types, TypeIndex index, uint64_t offset, std::vector<Piece>& out) {
  if (index == kNoType || out.size() >= kMostScalars) return;
  const TypeNode& type = types.at(index);
  switch (type.kind) {
    case TypeKind::Opaque:
      return;
    case TypeKind::Pointer:
      out.push_back({offset, 8, true, kNoShape});
      return;
    case TypeKind::Array: {
      const uint64_t each = type.element == kNoType ? 0 : types.at(type.element).size;
      for (uint64_t at = 0; each != 0 && at + each <= type.size && out.size() < kMostScalars; at += each)
        collect(types, type.element, offset + at, out);
      return;
    }
    case TypeKind::Record:
    case TypeKind::Union:
      for (const TypeMember& member : type.members) {
        collect(types, member.type, offset + member.offset, out);
        if (type.kind == TypeKind::Union) return;
      }
      return;
    default:
      if (type.size == 1 || type.size == 2 || type.size == 4 || type.size == 8)
        out.push_back({offset, static_cast<unsigned>(type.size), false, kNoShape});
  }
}

class UnknownCallModel {
 public:
  explicit UnknownCallModel(Call& call)
      : call_(call),
        execution_(call.context),
        in_(call.context.program.code[call.thread.pc]),
        effect_(unknownEffectOf(call.context.program.environment, call.name)) {
    const auto& declared = execution_.program.declared;
    const auto found = declared.find(call.name);
    declared_ = found == declared.end() ? nullptr : &found->second;
  }

  Task<> run() {
    if (in_.aux > 2) co_return execution_.unsupported(call_.thread, "call of '" + call_.name + "'");
    execution_.noteUnknownCall(call_.thread, call_.name);
    execution_.assume(execution_.place(call_.thread), assumption());
    if (effect_ == UnknownEffect::Arguments) {
      for (size_t i = 0; i < call_.arguments.size(); ++i) {
        const bool goesOn = co_await changeTarget(i);
        if (!goesOn) co_return;
      }
    } else if (effect_ == UnknownEffect::Reachable) {
      const bool goesOn = co_await changeReachable();
      if (!goesOn) co_return;
    }
    co_await giveResult();
  }

 private:
  std::string assumption() const {
    std::string text = "'" + call_.name + "', defined elsewhere, ";
    switch (effect_) {
      case UnknownEffect::Arguments:
        text += "changes nothing but what its arguments point to";
        break;
      case UnknownEffect::Reachable:
        text += "changes nothing but what its arguments and global variables lead to";
        break;
      default:
        text += "changes nothing that the program can see";
    }
    if (declared_ && std::any_of(declared_->parameters.begin(), declared_->parameters.end(),
                                 [](const auto& parameter) { return parameter.isFunction; }))
      text += kCallsNothingBack;
    if (in_.width)
      text += in_.flags & kPointerResult ? " and returns a new object" : " and returns any value";
    if (allocates()) text += " of as many zero bytes as it is asked for";
    return text;
  }

  bool hasInName(std::string_view part) const {
    const auto isSame = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
    return std::search(call_.name.begin(), call_.name.end(), part.begin(), part.end(), isSame) !=
           call_.name.end();
  }

  /// "zmalloc(size)", "pool_alloc(pool, size)", "xcalloc(count, size)": projects have their own.
  bool allocates() const {
    const bool isUntyped = declared_ && declared_->result.size() == 1 && declared_->result[0].isPointer &&
                           declared_->result[0].target == kNoShape;
    const size_t numbers = numbersPassed().size();
    return isUntyped && (in_.flags & kPointerResult) && numbers >= 1 && numbers <= 2 && hasInName("alloc") &&
           !hasInName("realloc");
  }

  /// Which arguments are no addresses.
  std::vector<size_t> numbersPassed() const {
    std::vector<size_t> numbers;
    for (size_t i = 0; i < in_.c; ++i)
      if (!passed(i).isPointer && !passed(i).isMemory) numbers.push_back(i);
    return numbers;
  }

  /// Its address; nothing: return at once.
  Task<std::optional<uint64_t>> allocated() {
    uint64_t size = 1;
    for (const size_t i : numbersPassed()) {
      const Value number = call_.argument(i);
      if (!execution_.chooseSize(call_.thread, number, size)) co_return std::nullopt;
      if (number.bits != 0 && size > kLargestAsked / number.bits) co_return 0;
      size *= number.bits;
    }
    MemoryObject* made = co_await allocateHeap(call_, size, true);
    if (execution_.ended) co_return std::nullopt;
    if (!made) co_return 0;
    made->isSizeAssumed = true;
    co_return made->base;
  }

  /// What the text says of argument `i`; null: nothing.
  const DeclaredFunction::Parameter* parameter(size_t i) const {
    // Parts of records stand among the arguments, or an address for the result.
    if (!declared_ || declared_->passesRecords || i >= declared_->parameters.size()) return nullptr;
    return &declared_->parameters[i];
  }

  const CallArgument& passed(size_t i) const { return execution_.program.arguments[in_.b + i]; }

  /// The object that the address lies in, if the function may write there; null: none, and nothing fails.
  MemoryObject* writable(uint64_t address, uint64_t& offset) const {
    MemoryObject* object = execution_.memory.at(address);
    if (!object || object->kind == ObjectKind::Function || object->kind == ObjectKind::Library ||
        object->readOnly || address < object->base || !object->contains(address - object->base, 1))
      return nullptr;
    offset = address - object->base;
    return object;
  }

  Value invented(unsigned bytes, const std::string& what) {
    const Value value =
        execution_.input(call_.thread, bytes * 8, true, "what '" + call_.name + "' left " + what, true);
    execution_.result.inputs.back().isInvented = true;
    return value;
  }

  /// False: return at once.
  Task<bool> changeTarget(size_t i) {
    if (!passed(i).isPointer || passed(i).isMemory) co_return true;
    const DeclaredFunction::Parameter* const told = parameter(i);
    if (told && !told->isChanged) co_return true;
    const bool takesCallback =
        declared_ && std::any_of(declared_->parameters.begin(), declared_->parameters.end(),
                                 [](const auto& other) { return other.isFunction; });
    const bool isTyped = told && told->target != kNoShape;
    if (!isTyped && hasInName("free")) co_return true;  // who gives an object back reads it no more
    // An address without a type beside a function is what the function will be given.
    if (!isTyped && takesCallback) co_return true;
    const Value address = call_.copied(i);
    execution_.choose(call_.thread, address);
    uint64_t offset = 0;
    MemoryObject* object = writable(address.bits, offset);
    if (!object) co_return true;
    const uint64_t base = object->base;
    uint64_t known = 0;
    const bool goesOn = co_await changeObject(*object, offset, told, address.bits, known);
    if (!goesOn) co_return false;
    takeAsWritten(base, offset, known);
    co_return true;
  }

  /// `told`: null, or what the text says of the argument, whose address is that. Adds to `known` the number
  /// of bytes whose types tell what is written.
  Task<bool> changeObject(MemoryObject& given, uint64_t offset, const DeclaredFunction::Parameter* told,
                          uint64_t address, uint64_t& known) {
    MemoryObject* const object = &given;
    const bool isTyped = told && told->target != kNoShape;
    const std::string where =
        "in '" + execution_.program.describe(execution_.names.info(object->id).name) + "'";
    std::vector<Piece> pieces;
    if (isTyped) {
      const ObjectShape& shape = declared_->shapes[told->target];
      if (shape.isText) co_return co_await leaveText(address, object->live - offset, where);
      if (shape.isWhole) known += shape.size;
      for (const ScalarShape& scalar : shape.scalars)
        pieces.push_back({offset + scalar.offset, scalar.bytes, scalar.isPointer, scalar.target});
    } else if (offset == 0) {
      collect(execution_.program.types, execution_.program.typeOf(execution_.names.info(object->id).name), 0,
              pieces);
      // What its pointers are to point to is not known: they stay.
      const bool isAll = !pieces.empty() && pieces.size() < kMostScalars;
      const size_t pointers = std::erase_if(pieces, [](const Piece& piece) { return piece.isPointer; });
      if (isAll && pointers == 0) known += object->size;
    }
    co_return co_await change(object->base, pieces, where);
  }

  /// It may have written all that it was given from this offset on, so nothing there counts as never written.
  /// Of the first `known` bytes only the padding is left.
  void takeAsWritten(uint64_t base, uint64_t from, uint64_t known) {
    if (execution_.program.environment.undefinedIsInput) return;
    uint64_t offset = 0;
    MemoryObject* object = writable(base + from, offset);
    if (!object) return;
    const uint64_t room = object->size - offset, padded = std::min(known, room);
    const bool hasPadding = Memory::takeAsWritten(*object, offset, padded);
    const bool hasRest = Memory::takeAsWritten(*object, offset + padded, room - padded);
    if (hasPadding || hasRest) execution_.noteWritten(call_.thread, *object);
    if (!hasRest) return;
    execution_.result.unknownRests.insert(
        execution_.program.describe(execution_.names.info(object->id).name));
    execution_.assume(execution_.place(call_.thread),
                      "'" + call_.name + "', defined elsewhere, leaves 0 in the rest of what it is given");
  }

  Task<bool> change(uint64_t base, std::vector<Piece> pieces, std::string where) {
    for (const Piece& piece : pieces) {
      uint64_t offset = 0;
      const MemoryObject* object = writable(base + piece.offset, offset);
      if (!object || !object->contains(offset, piece.bytes)) continue;
      Value value;
      if (!piece.isPointer) {
        value = invented(piece.bytes, where);
      } else if (piece.target != kNoShape) {
        const std::optional<uint64_t> made = co_await newObject(piece.target);
        if (!made) co_return false;
        value = {*made};
      } else {
        value = execution_.sink().leftNull(piece.bytes * 8);
      }
      const bool isWritten = co_await write(base + piece.offset, piece.bytes, value);
      if (!isWritten) co_return false;
    }
    co_return true;
  }

  Task<bool> write(uint64_t address, unsigned bytes, Value value) {
    Target to;
    if (!co_await call_.resolve({address}, bytes, true, to)) co_return false;
    execution_.result.unknownWrites.insert(execution_.place(call_.thread));
    co_await call_.store(to, bytes, value);
    co_return !execution_.ended;
  }

  Task<bool> leaveText(uint64_t address, uint64_t room, std::string where) {
    const uint64_t count = std::min(room, kTextBytes);
    for (uint64_t i = 0; i < count; ++i) {
      Value byte;
      if (i + 1 < count || room == 1) byte = invented(1, where);
      const bool isWritten = co_await write(address + i, 1, byte);
      if (!isWritten) co_return false;
    }
    execution_.assume(execution_.place(call_.thread),
                      "a text that a function defined elsewhere leaves has at most " +
                          std::to_string(kTextBytes - 1) + " characters");
    co_return true;
  }

  /// A new object of the shape, with any content: its address; nothing: return at once.
  Task<std::optional<uint64_t>> newObject(uint32_t index) {
    const ObjectShape* shape = index == kNoShape ? nullptr : &declared_->shapes[index];
    const uint64_t size = !shape || shape->size == 0 ? kOpaqueBytes
                          : shape->isText            ? kTextBytes
                                                     : shape->size;
    MemoryObject* made = co_await allocateHeap(call_, size, true);
    if (execution_.ended) co_return std::nullopt;
    if (!made) co_return 0;
    made->isSizeAssumed = true;
    made->isEndUnknown = size == kOpaqueBytes && (!shape || shape->size == 0);
    const uint64_t base = made->base;
    if (!shape) {
      std::vector<Piece> nulls(kOpaqueBytes / 8);
      for (size_t i = 0; i < nulls.size(); ++i) nulls[i] = {i * 8, 8, true, kNoShape};
      const bool goesOn = co_await change(base, std::move(nulls), "");
      if (!goesOn) co_return std::nullopt;
      co_return base;
    }
    const std::string where = "in a new object";
    if (shape->isText) {
      const bool goesOn = co_await leaveText(base, size, where);
      if (!goesOn) co_return std::nullopt;
      co_return base;
    }
    std::vector<Piece> pieces;
    for (const ScalarShape& scalar : shape->scalars)
      pieces.push_back({scalar.offset, scalar.bytes, scalar.isPointer, scalar.target});
    const bool goesOn = co_await change(base, std::move(pieces), where);
    if (!goesOn) co_return std::nullopt;
    co_return base;
  }

  /// Everything that addresses lead to, from the arguments and from global variables.
  Task<bool> changeReachable() {
    std::vector<uint64_t> waiting;
    for (size_t i = 0; i < call_.arguments.size(); ++i) {
      if (!passed(i).isPointer || passed(i).isMemory) continue;
      const Value address = call_.copied(i);
      execution_.choose(call_.thread, address);
      waiting.push_back(address.bits);
    }
    for (uint32_t i = 0; i < execution_.program.globals.size(); ++i)
      if (!execution_.program.globals[i].isConstant && !execution_.program.globals[i].isThreadLocal)
        waiting.push_back(execution_.memory.globalBase(i));
    std::set<ObjectId> known;
    while (!waiting.empty()) {
      uint64_t offset = 0;
      const MemoryObject* object = writable(waiting.back(), offset);
      waiting.pop_back();
      if (!object || !known.insert(object->id).second) continue;
      if (known.size() > kMostObjects) {
        execution_.unsupported(call_.thread, "a call of '" + call_.name + "' that may change more than " +
                                                 std::to_string(kMostObjects) + " objects");
        co_return false;
      }
      const ObjectName name = execution_.names.info(object->id).name;
      const TypeIndex type = execution_.program.typeOf(name);
      std::vector<Piece> pieces;
      if (type != kNoType)
        collect(execution_.program.types, type, 0, pieces);
      else
        for (uint64_t at = 0; at + 8 <= object->size && pieces.size() < kMostScalars; at += 8)
          pieces.push_back({at, 8, true, kNoShape});
      const uint64_t base = object->base;
      const std::string where = "in '" + execution_.program.describe(name) + "'";
      for (const Piece& piece : pieces) {
        if (execution_.isSynchronization(*object, piece.offset)) continue;
        if (!piece.isPointer) {
          const bool isWritten =
              co_await write(base + piece.offset, piece.bytes, invented(piece.bytes, where));
          if (!isWritten) co_return false;
          continue;
        }
        Target from;
        if (!co_await call_.resolve({base + piece.offset}, 8, false, from)) co_return false;
        const Value held = execution_.settled(call_.thread, co_await call_.load(from, 8));
        if (execution_.ended) co_return false;
        execution_.choose(call_.thread, held);
        uint64_t inner = 0;
        if (writable(held.bits, inner)) {
          waiting.push_back(held.bits);
        } else if (type == kNoType && !execution_.memory.at(held.bits)) {
          const bool isWritten = co_await write(base + piece.offset, 8, invented(8, where));
          if (!isWritten) co_return false;
        }
      }
      takeAsWritten(base, 0, 0);
    }
    co_return true;
  }

  Task<> giveResult() {
    if (in_.width == 0) co_return;
    if (in_.aux == 2) {
      const bool isKnown = declared_ && declared_->result.size() == 2 && !declared_->result[0].isPointer &&
                           !declared_->result[1].isPointer && declared_->result[0].bytes * 8 == in_.width;
      if (!isKnown) co_return execution_.unsupported(call_.thread, "call of '" + call_.name + "'");
      call_.result = execution_.input(call_.thread, in_.width, true, call_.name);
      call_.resultHigh = execution_.input(call_.thread, declared_->result[1].bytes * 8u, true, call_.name);
      co_return;
    }
    if (!(in_.flags & kPointerResult)) {
      call_.result = execution_.inputAsResult(call_.thread, in_.width, true, call_.name);
      execution_.result.inputs.back().isReturned = true;
      co_return;
    }
    if (allocates()) {
      const std::optional<uint64_t> address = co_await allocated();
      if (address) call_.result = {*address};
      co_return;
    }
    const bool isTyped = declared_ && declared_->result.size() == 1 && declared_->result[0].isPointer;
    const std::optional<uint64_t> made = co_await newObject(isTyped ? declared_->result[0].target : kNoShape);
    if (made) call_.result = {*made};
  }

  Call& call_;
  ModelContext& execution_;
  const Instruction& in_;
  const UnknownEffect effect_;
  const DeclaredFunction* declared_ = nullptr;
};

Task<> unknown(Call& call) {
  UnknownCallModel model(call);
  co_await model.run();
}

constexpr ModelledCall kUnknown{"", nullptr, unknown};

}  // namespace
}  // namespace unknown_calls

const ModelledCall& unknownModel() {
  return unknown_calls::kUnknown;
}

}  // namespace heddle
