#include "analysis/survey/null_needs.h"

#include <algorithm>
#include <set>
#include <utility>

#include "llvm/ADT/StringSwitch.h"

namespace heddle {
namespace {

using NullKind = NullEvent::Kind;
using NullNeed = NullSummary::Need;
using NullStep = NullFlow::Step;

/// Arguments that functions of the C library need, one bit each.
struct NeededArguments {
  unsigned always = 0;
  unsigned sized = 0;
};

NeededArguments neededByLibrary(llvm::StringRef name) {
  name.consume_front("__builtin_");
  return llvm::StringSwitch<NeededArguments>(name)
      .Cases({"strlen",  "strchr",   "strrchr", "strdup",   "strndup", "atoi",   "atol",    "atof",
              "strtol",  "strtoul",  "strtoll", "strtoull", "strtod",  "fclose", "fprintf", "vfprintf",
              "fseek",   "ftell",    "fgetc",   "getc",     "feof",    "ferror", "fileno",  "rewind",
              "fscanf",  "closedir", "readdir", "pclose",   "puts",    "mktime", "asctime", "opendir",
              "sprintf", "vsprintf", "fseeko",  "ftello",   "setbuf",  "setvbuf"},
             NeededArguments{1, 0})
      .Cases({"strcpy", "strcat", "strcmp", "strcasecmp", "strstr", "strpbrk", "strspn", "strcspn", "fputs",
              "fopen", "sscanf", "popen"},
             NeededArguments{3, 0})
      .Cases({"strncpy", "strncat", "strncmp", "strncasecmp", "memcpy", "memmove", "memcmp"},
             NeededArguments{0, 3})
      .Cases({"memset", "memchr", "strnlen"}, NeededArguments{0, 1})
      .Cases({"fputc", "putc", "ungetc"}, NeededArguments{2, 0})
      .Cases({"fread", "fwrite"}, NeededArguments{8, 1})
      .Case("fgets", NeededArguments{4, 1})
      .Case("strftime", NeededArguments{12, 0})
      .Default({});
}

/// A call of memory or text functions whose last argument says how many bytes: some, whatever happens.
bool isOfBytes(const clang::CallExpr& call, const clang::ASTContext& context) {
  const llvm::StringRef name = NullNeeds::nameOf(call);
  clang::Expr::EvalResult size;
  return call.getNumArgs() >= 2 && (name.contains("mem") || name.contains("str")) &&
         call.getArg(call.getNumArgs() - 1)->EvaluateAsInt(size, context) && size.Val.getInt() != 0;
}

bool mayEndByName(llvm::StringRef name) {
  for (const char* part : {"exit", "abort", "fatal", "panic", "usage", "bail", "throw", "longjmp", "assert"})
    if (name.contains_insensitive(part)) return true;
  return name == "die" || name.starts_with("die_") || name.ends_with("_die") || name == "err" ||
         name == "errx" || name == "error" || name == "fail" || name.contains_insensitive("outofmem") ||
         name.contains_insensitive("out_of_mem") || name.contains_insensitive("oom");
}

/// A function that fails by its last block, by what it returns there.
bool isFailureOf(const clang::CFGBlock& block, const clang::ASTContext& context) {
  for (auto element = block.rbegin(); element != block.rend(); ++element) {
    const auto part = element->getAs<clang::CFGStmt>();
    const auto* back = part ? llvm::dyn_cast<clang::ReturnStmt>(part->getStmt()) : nullptr;
    if (!back) continue;
    clang::Expr::EvalResult value;
    const clang::Expr* returned = back->getRetValue();
    return returned && returned->getType()->isSignedIntegerType() &&
           returned->EvaluateAsInt(value, context) && value.Val.getInt().isNegative();
  }
  return false;
}

}  // namespace

llvm::StringRef NullNeeds::nameOf(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  return callee && callee->getIdentifier() ? callee->getName() : llvm::StringRef();
}

NullLibrary NullNeeds::libraryOf(llvm::StringRef name) {
  name.consume_front("__builtin_");
  return llvm::StringSwitch<NullLibrary>(name)
      .Cases({"malloc", "calloc", "realloc", "strdup", "strndup", "reallocarray", "aligned_alloc"},
             NullLibrary::Allocation)
      .Cases({"strchr", "strrchr", "strstr", "strpbrk", "memchr", "strcasestr", "memrchr", "memmem"},
             NullLibrary::Search)
      .Cases({"localtime", "gmtime"}, NullLibrary::Time)
      .Cases({"fopen", "fdopen", "opendir", "popen", "tmpfile", "getenv", "secure_getenv", "fgets",
              "getpwuid", "getpwnam", "getgrgid", "getgrnam", "dlsym", "dlopen", "strtok", "gethostbyname"},
             NullLibrary::Other)
      .Default(NullLibrary::None);
}

bool NullNeeds::isAllocation(llvm::StringRef name) {
  const NullLibrary library = libraryOf(name);
  if (library == NullLibrary::Allocation) return true;
  if (library == NullLibrary::Other) return name.contains("open");
  return name.contains_insensitive("alloc") || name.contains_insensitive("strdup");
}

NullFlow::End NullNeeds::endOf(const clang::CallExpr& call) {
  using End = NullFlow::End;
  const clang::FunctionDecl* callee = call.getDirectCallee();
  if (!callee || !callee->getIdentifier()) return call.getType()->isVoidType() ? End::Maybe : End::No;
  const clang::FunctionDecl* body = callee->getDefinition();
  if (body && body->hasBody()) return summaryOf(*body).isEnd ? End::Yes : End::No;
  const llvm::StringRef name = callee->getName();
  if (call.getType()->isVoidType() && mayEndByName(name)) return End::Yes;
  return name.contains_insensitive("error") || name.contains_insensitive("fail") ? End::Maybe : End::No;
}

NullFlow NullNeeds::flowOf(const clang::FunctionDecl& function) {
  return NullFlow(flows_, function, [&](const clang::CallExpr& call) { return endOf(call); });
}

bool NullNeeds::isUse(const NullEvent& event, bool isSized) {
  if (event.kind == NullKind::Used) return true;
  if (event.kind != NullKind::Given) return false;
  const NullNeed need = needOf(*event.call, event.argument);
  return need == NullNeed::Always || (isSized && need == NullNeed::Sized);
}

NullNeed NullNeeds::needOf(const clang::CallExpr& call, unsigned argument) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  if (!callee || !callee->getIdentifier() || argument >= 8) return NullNeed::None;
  const clang::FunctionDecl* body = callee->getDefinition();
  if (body && body->hasBody()) {
    const NullSummary& summary = summaryOf(*body);
    return argument < summary.needs.size() ? summary.needs[argument] : NullNeed::None;
  }
  const NeededArguments needed = neededByLibrary(callee->getName());
  if (needed.always >> argument & 1) return NullNeed::Always;
  if ((needed.sized >> argument & 1) == 0) return NullNeed::None;
  return isOfBytes(call, context_) ? NullNeed::Always : NullNeed::Sized;
}

bool NullNeeds::isFallible(const clang::FunctionDecl& function) {
  const clang::FunctionDecl* body = function.getDefinition();
  return body && body->hasBody() && summaryOf(*body).isFallible;
}

const NullSummary& NullNeeds::summaryOf(const clang::FunctionDecl& function) {
  constexpr unsigned kMostDepth = 8;
  const auto [known, isNew] = known_.try_emplace(&function);
  if (!isNew || depth_ >= kMostDepth) {
    if (isNew) known_.erase(known);
    static const NullSummary kNothing;
    return isNew ? kNothing : known->second;
  }
  NullSummary& summary = known->second;
  ++depth_;
  if (const NullFlow flow = flowOf(function); flow.isWhole()) {
    summary.isEnd = !flow.isReached(flow.graph().getExit());
    std::vector<NullNeed> needs(function.getNumParams(), NullNeed::None);
    for (unsigned i = 0; i < needs.size(); ++i)
      if (function.getParamDecl(i)->getType()->isPointerType()) {
        needs[i] = needIn(flow, *function.getParamDecl(i));
        if (needs[i] == NullNeed::None && isWanted(flow, *function.getParamDecl(i)))
          needs[i] = NullNeed::Wanted;
      }
    if (function.getReturnType()->isPointerType()) summary.isFallible = isFallibleIn(flow);
    summary.needs = std::move(needs);
  }
  --depth_;
  return summary;
}

NullNeed NullNeeds::needIn(const NullFlow& flow, const clang::ParmVarDecl& parameter) {
  if (flow.isEscaped(parameter)) return NullNeed::None;
  for (const bool isSized : {false, true}) {
    const auto walk = flow.walkFromEntry(parameter, [&](const NullEvent& event) {
      if (isUse(event, isSized)) return NullStep::Use;
      if (event.kind == NullKind::Tested) return event.isAsserted ? NullStep::SetSide : NullStep::Tested;
      return event.kind == NullKind::Set ? NullStep::Lost : NullStep::GoOn;
    });
    if (walk.isUsedAlways()) return isSized ? NullNeed::Sized : NullNeed::Always;
  }
  return NullNeed::None;
}

/// It uses the parameter on some way, compares it nowhere, and all other ways end with a failure.
bool NullNeeds::isWanted(const NullFlow& flow, const clang::ParmVarDecl& parameter) {
  if (flow.isEscaped(parameter)) return false;
  for (const NullEvent& event : flow.eventsOf(parameter))
    if (event.kind == NullKind::Tested || event.kind == NullKind::Compared || event.kind == NullKind::Set ||
        event.kind == NullKind::Stepped)
      return false;
  const auto walk = flow.walkFromEntry(parameter, [&](const NullEvent& event) {
    return isUse(event, false) && !event.place.isMacroID() ? NullStep::Use : NullStep::GoOn;
  });
  if (walk.uses.empty()) return false;
  const clang::CFGBlock& exit = flow.graph().getExit();
  return std::all_of(exit.pred_begin(), exit.pred_end(), [&](const clang::CFGBlock* last) {
    return !last || !walk.passed.contains(last) || isFailureOf(*last, context_);
  });
}

bool NullNeeds::isFallibleIn(const NullFlow& flow) {
  // Variables that some call has set, which may fail.
  std::set<const clang::VarDecl*> made;
  bool isTested = false;
  for (const clang::Expr* source : flow.calls()) {
    const auto& call = *llvm::cast<clang::CallExpr>(source);
    const clang::FunctionDecl* callee = call.getDirectCallee();
    const bool isNamed = isAllocation(nameOf(call));
    const bool isOfFile = callee && isFallible(*callee);
    if (!isNamed && !isOfFile) continue;
    // `fetch(true)`: which of its ways a function goes, its caller may say.
    const bool isSteered = std::any_of(call.arg_begin(), call.arg_end(), [](const clang::Expr* argument) {
      return argument->getType()->isBooleanType() &&
             llvm::isa<clang::IntegerLiteral, clang::CXXBoolLiteralExpr>(argument->IgnoreParenCasts());
    });
    if (isOfFile && !isNamed && isSteered) continue;
    // What another project function does is a guess by its name: a test of it says that it may fail.
    const bool isKnown = isOfFile || libraryOf(nameOf(call)) != NullLibrary::None;
    for (const NullEvent& event : flow.eventsOf(call)) {
      if (event.target) made.insert(event.target);
      isTested = isTested || event.kind == NullKind::Tested;
      if (event.kind == NullKind::Returned && isKnown && !event.isMoved) return true;
    }
  }
  for (const clang::CFGBlock* block : flow.graph()) {
    const auto test = flow.testOf(*block);
    if (!test || !flow.isReached(*block) || test->of->getBeginLoc().isMacroID() ||
        !made.contains(test->variable))
      continue;
    isTested = true;
    const clang::CFGBlock* ifNull = *(block->succ_begin() + (test->holdsIfNull ? 0 : 1));
    if (!ifNull) continue;
    const auto walk = flow.walk({ifNull, 0}, *test->variable, [](const NullEvent& event) {
      if (event.kind == NullKind::Returned && !event.isMoved && !event.isInner) return NullStep::Use;
      if (event.kind == NullKind::Tested) return NullStep::NullSide;
      return event.kind == NullKind::Set || event.kind == NullKind::Used ? NullStep::Lost : NullStep::GoOn;
    });
    if (!walk.uses.empty() && !walk.mayStop) return true;
  }
  return isTested && std::any_of(flow.returns().begin(), flow.returns().end(), [&](const auto* back) {
           const clang::Expr* value = back->getRetValue();
           const NullFlow::Place place = flow.behind(back);
           if (!value || !place.block || !flow.isReached(*place.block)) return false;
           value = value->IgnoreParenImpCasts();
           const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(value);
           return flow.isNull(*value) ||
                  (choice && (flow.isNull(*choice->getLHS()) || flow.isNull(*choice->getRHS())));
         });
}

}  // namespace heddle
