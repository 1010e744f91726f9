#include <algorithm>
#include <array>

#include "analysis/support/name_words.h"
#include "analysis/survey/have_common.h"
#include "analysis/survey/linear_flow.h"
#include "analysis/survey/source_line.h"

namespace heddle {
namespace {

/// They return no more than the size that they are given, with the text in front of it.
constexpr std::array<std::string_view, 9> kLinearReads = {
    "read", "pread", "recv", "recvfrom", "readlink", "pread64", "readlinkat", "fread", "SSL_read"};

const clang::Expr* readSize(const clang::CallExpr& call, llvm::StringRef name) {
  const std::string_view all(name.data(), name.size());
  if (std::find(kLinearReads.begin(), kLinearReads.end(), all) == kLinearReads.end()) return nullptr;
  const unsigned index = name == "readlinkat" ? 3 : 2;
  if (call.getNumArgs() <= index) return nullptr;
  return call.getArg(index);
}

bool isCharPointer(clang::QualType type) {
  return type->isPointerType() && type->getPointeeType()->isAnyCharacterType() &&
         !type->getPointeeType().isConstQualified();
}

/// The parameter is a number of bytes, by its name in one of the declarations.
bool isSizeNamed(const clang::FunctionDecl& function, unsigned index) {
  return std::any_of(function.redecls_begin(), function.redecls_end(), [&](const clang::FunctionDecl* one) {
    const clang::ParmVarDecl* parameter = one->getParamDecl(index);
    return parameter->getIdentifier() && hasWord({parameter->getName().data(), parameter->getName().size()},
                                                 {"size", "sz", "len", "length", "bytes", "nbytes", "n"});
  });
}

const clang::CallExpr* callIn(const clang::Expr& value) {
  return llvm::dyn_cast<clang::CallExpr>(value.IgnoreParenCasts());
}

}  // namespace

llvm::StringRef linearCallee(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  if (!callee || !callee->getIdentifier()) return "";
  llvm::StringRef name = callee->getName();
  name.consume_front("__builtin___");
  name.consume_front("__builtin_");
  if (name.ends_with("_chk")) {
    name.consume_back("_chk");
    name.consume_front("__");
  }
  return name;
}

bool isQuietCallee(llvm::StringRef name) {
  static const std::set<std::string, std::less<>> kQuiet = {
      "read",      "write",    "recv",        "send",          "recvfrom",     "sendto",        "readlink",
      "fread",     "fwrite",   "fgets",       "printf",        "fprintf",      "snprintf",      "sprintf",
      "vsnprintf", "vsprintf", "abort",       "exit",          "isdigit",      "isspace",       "tolower",
      "toupper",   "open",     "close",       "fopen",         "fclose",       "atoi",          "getcwd",
      "sscanf",    "expect",   "object_size", "__assert_fail", "realpath",     "getenv",        "perror",
      "puts",      "fputs",    "unreachable", "time",          "gettimeofday", "clock_gettime", "pread",
      "strtol",    "strtoul"};
  if (kQuiet.contains(std::string_view(name.data(), name.size()))) return true;
  return name.starts_with("str") || name.starts_with("mem") || name.contains("alloc") ||
         name.ends_with("free") || name.starts_with("__ctype");
}

LinearAllocation linearAllocation(const clang::CallExpr& call) {
  const llvm::StringRef name = linearCallee(call);
  if (!name.contains_insensitive("alloc") || name.contains_insensitive("realloc") ||
      name.contains_insensitive("dealloc") || name.ends_with_insensitive("size"))
    return {};
  // These make elements of a size of their own, or more than they are asked for.
  constexpr llvm::StringRef kOthers[] = {"pool", "cache", "slab", "page", "mallocz", "zone"};
  if (std::any_of(std::begin(kOthers), std::end(kOthers),
                  [&](const llvm::StringRef other) { return name.contains_insensitive(other); }))
    return {};
  const clang::QualType result = call.getType();
  if (!result->isPointerType() ||
      !(result->getPointeeType()->isVoidType() || result->getPointeeType()->isAnyCharacterType()))
    return {};
  std::vector<const clang::Expr*> sizes;
  bool isSized = false;
  const clang::FunctionDecl* callee = call.getDirectCallee();
  for (unsigned i = 0; i < std::min(callee->getNumParams(), call.getNumArgs()); ++i)
    if (callee->getParamDecl(i)->getType()->isIntegerType()) {
      sizes.push_back(call.getArg(i));
      isSized |= isSizeNamed(*callee, i);
    }
  isSized |= hasWord({name.data(), name.size()}, {"malloc", "calloc", "alloca", "valloc", "pvalloc",
                                                  "xmalloc", "xcalloc", "zmalloc", "zcalloc"});
  if (!isSized) return {};
  if (sizes.size() == 1) return {sizes[0], nullptr};
  if (sizes.size() == 2 && name.contains_insensitive("calloc")) return {sizes[0], sizes[1]};
  return {};
}

int sizeParameterOf(const clang::FunctionDecl& function, unsigned pointer) {
  if (pointer + 1 >= function.getNumParams()) return -1;
  const clang::ParmVarDecl *first = function.getParamDecl(pointer),
                           *next = function.getParamDecl(pointer + 1);
  if (!isCharPointer(first->getType()) || !next->getType()->isIntegerType() || !next->getIdentifier())
    return -1;
  const llvm::StringRef name = next->getName();
  const bool isSize = name.contains_insensitive("size") || name.contains_insensitive("siz") ||
                      name.contains_insensitive("len") || name.contains_insensitive("cap") ||
                      hasWord({name.data(), name.size()}, {"sz", "max", "n"});
  return isSize ? static_cast<int>(pointer + 1) : -1;
}

bool printsText(const clang::CallExpr& call) {
  for (const clang::Expr* argument : call.arguments()) {
    const auto* format = llvm::dyn_cast<clang::StringLiteral>(argument->IgnoreParenCasts());
    if (format && format->getCharByteWidth() == 1) {
      llvm::StringRef text = format->getString();
      return text.contains("%s") || text.contains("%-s");
    }
  }
  return false;
}

std::optional<LinearFlow::Target> LinearFlow::targetOf(const clang::Expr& pointer,
                                                       const LinearState& state) const {
  const LinearValue value = valueOf(pointer, state);
  if (!value.isKnown) return std::nullopt;
  // An array that the text names.
  const clang::Expr* part = &pointer;
  while (true) {
    part = part->IgnoreParenCasts();
    if (const auto* array = context_.getAsConstantArrayType(part->getType())) {
      const LinearValue base = addressOf(*part, state);
      const int64_t bytes = sizeOf(clang::QualType(array, 0));
      if (llvm::isa<clang::MemberExpr>(part) && array->getSize().ule(1)) break;
      if (!base.isKnown || bytes <= 0) return std::nullopt;
      return Target{base.text(),
                    linearDifference(value, base),
                    {LinearValue::number(bytes), 0, llvm::isa<clang::DeclRefExpr>(part)}};
    }
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(part);
        binary && binary->isAdditiveOp() && part->getType()->isPointerType()) {
      part = binary->getLHS()->getType()->isPointerType() ? binary->getLHS() : binary->getRHS();
    } else if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(part);
               address && address->getOpcode() == clang::UO_AddrOf) {
      const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(address->getSubExpr()->IgnoreParens());
      if (!element) break;
      part = element->getBase();
    } else {
      break;
    }
  }
  for (const auto& [symbol, factor] : value.terms) {
    const auto room = state.rooms.find(symbol);
    if (factor == 1 && room != state.rooms.end())
      return Target{symbol, linearDifference(value, LinearValue::symbol(symbol)), room->second};
  }
  return std::nullopt;
}

LinearValue LinearFlow::assigned(const clang::Expr& value, const std::string& key, const clang::Stmt& by,
                                 LinearState& state) const {
  const clang::CallExpr* call = callIn(value);
  if (!call) return valueOf(value, state);
  const std::string id = std::to_string(by.getID(context_)), symbol = key + "@" + id;
  const llvm::StringRef name = linearCallee(*call);
  // Who keeps the length looks at it.
  for (const clang::Expr* argument : call->arguments())
    if (argument->getType()->isPointerType() && value.getType()->isIntegerType())
      if (const auto target = targetOf(*argument, state)) state.texts.erase(target->base);
  if (const LinearAllocation made = linearAllocation(*call); made.size) {
    LinearValue bytes = valueOf(*made.size, state);
    if (made.times) {
      const LinearValue times = valueOf(*made.times, state);
      bytes = times.isNumber()   ? linearSum(LinearValue::number(0), bytes, times.constant)
              : bytes.isNumber() ? linearSum(LinearValue::number(0), times, bytes.constant)
                                 : LinearValue::unknown();
    }
    forget({symbol}, id, state);
    if (bytes.isKnown && !bytes.mentions(symbol))
      state.rooms[symbol] = {bytes, lineOf(*call, context_), true};
    return LinearValue::symbol(symbol);
  }
  if (const clang::Expr* size = readSize(*call, name)) {
    LinearValue most = valueOf(*size, state);
    if (name == "fread") {
      const LinearValue unit = valueOf(*call->getArg(1), state);
      if (!unit.isNumber() || unit.constant != 1) most = LinearValue::unknown();
    }
    forget({symbol}, id, state);
    if (most.isKnown && !most.mentions(symbol))
      state.facts.addNotNegative(linearDifference(most, LinearValue::symbol(symbol)),
                                 lineOf(*call, context_));
    return LinearValue::symbol(symbol);
  }
  if ((name == "snprintf" || name == "vsnprintf") && printsText(*call)) {
    forget({symbol}, id, state);
    state.wishes.insert(symbol);
    return LinearValue::symbol(symbol);
  }
  return valueOf(value, state);
}

void LinearFlow::fill(const clang::CallExpr& call, LinearState& state) const {
  const llvm::StringRef name = linearCallee(call);
  if (name == "strcat" && call.getNumArgs() == 2) {
    const auto target = targetOf(*call.getArg(0), state);
    const auto text = target ? state.texts.find(target->base) : state.texts.end();
    if (text == state.texts.end()) return;
    const auto* more = llvm::dyn_cast<clang::StringLiteral>(call.getArg(1)->IgnoreParenCasts());
    if (more) text->second.length.constant += static_cast<int64_t>(more->getByteLength());
    return;
  }
  for (unsigned i = 0; i < call.getNumArgs(); ++i) {
    const clang::Expr& argument = *call.getArg(i);
    if (!argument.getType()->isPointerType()) continue;
    const auto target = targetOf(argument, state);
    if (!target) continue;
    if (argument.getType()->getPointeeType().isConstQualified()) continue;
    const clang::FunctionDecl* callee = call.getDirectCallee();
    if (callee && i < callee->getNumParams() && callee->getParamDecl(i)->getType()->isPointerType() &&
        callee->getParamDecl(i)->getType()->getPointeeType().isConstQualified())
      continue;
    state.texts.erase(target->base);
    if (!callee || i + 1 >= call.getNumArgs() || i + 1 >= callee->getNumParams() ||
        !isCharPointer(callee->getParamDecl(i)->getType()) ||
        !callee->getParamDecl(i + 1)->getType()->isIntegerType() || !target->offset.isNumber() ||
        target->offset.constant != 0)
      continue;
    const bool isPrint = name.ends_with("printf");
    if (isPrint && !printsText(call)) continue;
    if (hasWord({name.data(), name.size()},
                {"read",     "recv",    "ntop",   "time",   "date",      "hex",    "number",
                 "int",      "strncpy", "memcpy", "random", "hash",      "digest", "itoa",
                 "strerror", "uuid",    "addr",   "ip",     "ll2string", "double", "float"}) ||
        name.contains("time") || name.contains("ntop") || name.starts_with("mem") || name == "strncpy" ||
        name.contains("strerror") || name.contains("2string"))
      continue;
    const LinearValue size = valueOf(*call.getArg(i + 1), state);
    if (size.isKnown)
      state.texts[target->base] = {linearDifference(size, LinearValue::number(1)), lineOf(call, context_),
                                   name.str()};
  }
}

void LinearFlow::call(const clang::CallExpr& call, LinearState& state) const {
  const std::string id = std::to_string(call.getID(context_));
  const llvm::StringRef name = linearCallee(call);
  const bool isQuiet = isQuietCallee(name);
  std::set<const clang::VarDecl*> given;
  for (const clang::Expr* argument : call.arguments()) {
    const auto* address = llvm::dyn_cast<clang::UnaryOperator>(argument->IgnoreParenCasts());
    if (!address || address->getOpcode() != clang::UO_AddrOf) continue;
    const FreePlace place = freePlaceOf(*address->getSubExpr());
    if (place.root) given.insert(place.root);
  }
  fill(call, state);
  std::set<std::string> keys;
  for (const auto& [key, place] : places_) {
    const bool isGiven = haveCommon(place.variables, given);
    const bool isShared =
        place.isBehind || !place.root->hasLocalStorage() || haveCommon(place.variables, escaped_);
    if (isGiven || (!isQuiet && isShared)) keys.insert(key);
  }
  change(keys, id, state);
  // Bytes that have just been made are no others' text.
  const bool isWrite = name.starts_with("memcpy") || name.starts_with("strcpy") ||
                       name.starts_with("strcat") || name.starts_with("memmove") ||
                       name.starts_with("memset") || name == "snprintf" || name == "sprintf";
  const auto target = isWrite && call.getNumArgs() > 0 ? targetOf(*call.getArg(0), state) : std::nullopt;
  const bool isReading = name == "strlen" || name.contains("alloc") || name.starts_with("strcmp") ||
                         name.starts_with("strchr") || name.starts_with("strrchr") ||
                         name.starts_with("strncmp") || name.starts_with("memcmp") || name == "printf" ||
                         name == "fprintf" || name == "expect" || name == "object_size";
  if (isReading || (target && target->room.isCertain)) return;
  state.contents = id;
}

}  // namespace heddle
