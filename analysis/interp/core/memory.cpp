#include "analysis/interp/core/memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace heddle {

namespace {
constexpr size_t kArena = 64 * 1024;
constexpr size_t kSmall = 4096;
}  // namespace

Memory::Memory(const Program& program, Names& names, TermTable& terms)
    : program_(program), names_(names), terms_(terms) {
  // Globals and functions get the first numbers, so that an index is an object.
  for (uint32_t i = 0; i < program.globals.size(); ++i)
    if (i >= names.objectCount()) names.object({ObjectKind::Global, kNone, i, 0, program.globals[i].size});
  const auto globals = static_cast<uint32_t>(program.globals.size());
  for (uint32_t i = 0; i < program.functions.size(); ++i)
    if (globals + i >= names.objectCount()) names.object({ObjectKind::Function, kNone, i, 0, 16});
}

Memory::~Memory() {
  for (void* block : blocks_) std::free(block);
}

MemoryObject* Memory::create(const ObjectName& name) {
  const ObjectId id = names_.object(name);
  if (id == kNone) return nullptr;
  if (id >= byId_.size()) byId_.resize(std::max<size_t>(id + 1, byId_.size() * 2), nullptr);
  if (!byId_[id]) byId_[id] = &storage_.emplace_back();
  MemoryObject& object = *byId_[id];
  object.id = id;
  object.kind = name.kind;
  object.base = names_.info(id).base;
  object.size = object.live = name.size;
  return &object;
}

MemoryObject* Memory::at(uint64_t address) {
  const ObjectId id = names_.objectAt(address);
  if (id == kNone) return nullptr;
  if (id < byId_.size() && byId_[id]) return byId_[id];
  const ObjectName& name = names_.info(id).name;
  if (name.kind == ObjectKind::Global) return global(name.site);
  if (name.kind == ObjectKind::Function) return create(name);
  return nullptr;
}

MemoryObject* Memory::global(uint32_t index) {
  if (index < byId_.size() && byId_[index]) return byId_[index];
  MemoryObject* object = create(names_.info(index).name);
  if (object) object->readOnly = program_.globals[index].isConstant;
  return object;
}

FunctionId Memory::functionAt(uint64_t address) const {
  const ObjectId id = names_.objectAt(address);
  if (id == kNone) return kNone;
  const ObjectInfo& info = names_.info(id);
  return info.name.kind == ObjectKind::Function && info.base == address ? info.name.site : kNone;
}

bool Memory::mayBeFunction(uint64_t address) {
  const MemoryObject* object = at(address);
  return object && object->isSizeAssumed && object->base == address;
}

bool Memory::touch(MemoryObject& object) {
  if (object.bytes) return true;
  const size_t size = std::max<uint64_t>(object.size, 1);
  if (size <= kSmall) {
    const size_t rounded = (size + 15) / 16 * 16;
    if (arenaUsed_ + rounded > arenaSize_) {
      arenas_.push_back(std::make_unique<uint8_t[]>(kArena));
      arenaUsed_ = 0;
      arenaSize_ = kArena;
    }
    object.bytes = arenas_.back().get() + arenaUsed_;
    arenaUsed_ += rounded;
  } else {
    void* block = std::calloc(size, 1);  // pages come when they are touched
    if (!block) return false;
    blocks_.insert(block);
    object.bytes = static_cast<uint8_t*>(block);
  }
  if (object.kind == ObjectKind::Global || object.kind == ObjectKind::ThreadLocal)
    initialize(object, program_.globals[names_.info(object.id).name.site]);
  return true;
}

void Memory::initialize(MemoryObject& object, const GlobalVariable& global) {
  if (global.isExternal && object.size > 0) object.bytes[0] = static_cast<uint8_t>(streamHandle(global.name));
  if (!global.initializer.empty())
    std::memcpy(object.bytes, global.initializer.data(), global.initializer.size());
  for (const Relocation& relocation : global.relocations) {
    uint64_t value = 0;
    std::memcpy(&value, object.bytes + relocation.offset, relocation.size);
    value += relocation.target == RelocationTarget::Global ? globalBase(relocation.index)
                                                           : functionBase(relocation.index);
    std::memcpy(object.bytes + relocation.offset, &value, relocation.size);
  }
}

void Memory::clear(MemoryObject& object) {
  if (object.bytes) std::memset(object.bytes, 0, object.size);
  object.pieces.clear();
}

void Memory::release(MemoryObject& object) {
  if (!object.bytes || blocks_.erase(object.bytes) == 0) return;
  std::free(object.bytes);
  object.bytes = nullptr;
  object.pieces.clear();
}

void Memory::dropFastPaths() {
  for (MemoryObject& object : storage_) object.fastRead = object.fastWrite = kNone;
}

Value Memory::read(const MemoryObject& object, uint64_t offset, unsigned size) {
  Value value;
  std::memcpy(&value.bits, object.bytes + offset, size);
  if (object.pieces.empty()) return value;
  auto piece = object.pieces.upper_bound(offset);
  if (piece != object.pieces.begin()) {
    const auto before = std::prev(piece);
    if (before->first + before->second.size > offset) piece = before;
  }
  if (piece == object.pieces.end() || piece->first >= offset + size) return value;
  if (piece->second.term == kUndefined && piece->first <= offset &&
      piece->first + piece->second.size >= offset + size)
    return {value.bits, piece->second.filler.function == kNone ? kUndefined : kNoTerm};
  if (piece->first == offset && piece->second.size == size) return {value.bits, piece->second.term};
  // Little-endian: later bytes are more significant.
  Value result;
  unsigned have = 0;
  for (uint64_t position = offset; position < offset + size;) {
    const bool inPiece = piece != object.pieces.end() && piece->first <= position;
    uint64_t end = offset + size;
    if (inPiece)
      end = std::min(end, piece->first + piece->second.size);
    else if (piece != object.pieces.end())
      end = std::min(end, piece->first);
    const auto count = static_cast<unsigned>(end - position);
    Value part;
    std::memcpy(&part.bits, object.bytes + position, count);
    if (inPiece) {
      if (piece->second.term != kUndefined)
        part = valueOf(terms_, part.bits,
                       terms_.extract(piece->second.term, static_cast<unsigned>(position - piece->first) * 8,
                                      count * 8));
      ++piece;
    }
    result = have == 0 ? part : concatenated(terms_, part, count * 8, result, have);
    have += count * 8;
    position = end;
  }
  return result;
}

void Memory::postpone(MemoryObject& object, uint64_t offset, uint64_t size, const Filler& filler) {
  std::memset(object.bytes + offset, 0, size);
  erasePieces(object, offset, size);
  object.pieces[offset] = {size, kUndefined, filler};
  hasPostponed_ = true;
  object.fastRead = object.fastWrite = kNone;
}

std::optional<std::pair<uint64_t, Filler>> Memory::takePostponed(MemoryObject& object, uint64_t offset,
                                                                 uint64_t size, bool isPartly) {
  if (!hasPostponed_) return std::nullopt;
  auto piece = object.pieces.upper_bound(offset);
  if (piece != object.pieces.begin()) --piece;
  for (; piece != object.pieces.end() && piece->first < offset + size; ++piece) {
    const uint64_t end = piece->first + piece->second.size;
    if (piece->second.filler.function == kNone || end <= offset) continue;
    if (isPartly && piece->first >= offset && end <= offset + size) continue;
    const std::pair<uint64_t, Filler> found(piece->first, piece->second.filler);
    object.pieces.erase(piece);
    return found;
  }
  return std::nullopt;
}

bool Memory::isPostponed(const MemoryObject& object, uint64_t offset, uint64_t size) {
  return std::any_of(object.pieces.begin(), object.pieces.end(), [&](const auto& entry) {
    const auto& [at, piece] = entry;
    return piece.filler.function != kNone && at < offset + size && offset < at + piece.size;
  });
}

bool Memory::dropPostponed() {
  if (!hasPostponed_) return false;
  bool hasDropped = false;
  for (MemoryObject& object : storage_)
    while (takePostponed(object, 0, object.size)) hasDropped = true;
  hasPostponed_ = false;
  return hasDropped;
}

bool Memory::isNeverWritten(const MemoryObject& object, uint64_t offset, uint64_t size) {
  auto piece = object.pieces.upper_bound(offset);
  if (piece != object.pieces.begin()) --piece;
  for (; piece != object.pieces.end() && piece->first < offset + size; ++piece)
    if (piece->second.term == kUndefined && piece->second.filler.function == kNone &&
        piece->first + piece->second.size > offset)
      return true;
  return false;
}

bool Memory::takeAsWritten(MemoryObject& object, uint64_t offset, uint64_t size) {
  const uint64_t end = offset + size;
  bool hasTaken = false;
  auto piece = object.pieces.upper_bound(offset);
  if (piece != object.pieces.begin()) --piece;
  while (piece != object.pieces.end() && piece->first < end) {
    const uint64_t from = piece->first, to = from + piece->second.size;
    if (piece->second.term != kUndefined || piece->second.filler.function != kNone || to <= offset) {
      ++piece;
      continue;
    }
    hasTaken = true;
    piece = object.pieces.erase(piece);
    if (from < offset) object.pieces[from] = {offset - from, kUndefined};
    if (to > end) object.pieces[end] = {to - end, kUndefined};
  }
  return hasTaken;
}

void Memory::erasePieces(MemoryObject& object, uint64_t offset, uint64_t size) {
  auto piece = object.pieces.upper_bound(offset);
  if (piece != object.pieces.begin()) --piece;
  while (piece != object.pieces.end() && piece->first < offset + size) {
    const uint64_t start = piece->first, end = start + piece->second.size;
    const Term whole = piece->second.term;
    const bool isPostponed = piece->second.filler.function != kNone;
    if (end <= offset) {
      ++piece;
      continue;
    }
    piece = object.pieces.erase(piece);
    const auto keep = [&](uint64_t from, uint64_t to) {
      if (isPostponed) return;  // who writes a part has filled the whole before
      if (whole == kUndefined) {
        object.pieces[from] = {to - from, kUndefined};
        return;
      }
      const Term term = terms_.extract(whole, static_cast<unsigned>(from - start) * 8,
                                       static_cast<unsigned>(to - from) * 8);
      if (!terms_.isConst(term)) object.pieces[from] = {to - from, term};
    };
    if (start < offset) keep(start, offset);
    if (end > offset + size) keep(offset + size, end);
  }
}

void Memory::write(MemoryObject& object, uint64_t offset, unsigned size, const Value& value) {
  std::memcpy(object.bytes + offset, &value.bits, size);
  if (!object.pieces.empty()) erasePieces(object, offset, size);
  if (!value.term) return;
  object.fastRead = object.fastWrite = kNone;
  object.pieces[offset] = {size, value.term};
}

}  // namespace heddle
