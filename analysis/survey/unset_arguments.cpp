#include "analysis/survey/unset_arguments.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/survey/block_states.h"
#include "analysis/survey/local_events.h"
#include "analysis/survey/source_line.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace heddle {
namespace {

constexpr unsigned kNoArgument = ~0u;

/// A function reads what an argument points to, by its manual.
struct ReadArgument {
  llvm::StringRef function;
  unsigned argument = 0;
  llvm::StringRef fields = {};    // that it reads; empty: it is no structure
  unsigned beside = kNoArgument;  // it is not read if this argument is null
};

constexpr ReadArgument kReadArguments[] = {
    {"getsockname", 2, {}, 1},
    {"getpeername", 2, {}, 1},
    {"accept", 2, {}, 1},
    {"accept4", 2, {}, 1},
    {"recvfrom", 5, {}, 4},
    {"getsockopt", 4, {}, 3},
    {"getline", 0},
    {"getdelim", 0},
    {"compress", 1},
    {"uncompress", 1},
    {"sigaddset", 0},
    {"sigdelset", 0},
    {"sigprocmask", 1},
    {"pthread_sigmask", 1},
    {"sigsuspend", 0},
    {"sigwait", 0},
    {"pthread_attr_setdetachstate", 0},
    {"pthread_attr_setstacksize", 0},
    {"pthread_mutexattr_settype", 0},
    {"pthread_mutexattr_setpshared", 0},
    {"pthread_condattr_setclock", 0},
    {"pthread_create", 1},
    {"pthread_mutex_init", 1},
    {"pthread_cond_init", 1},
    {"sigaction", 1, "sa_flags sa_mask"},
    {"setitimer", 1, "it_interval it_value"},
    {"timer_settime", 2, "it_interval it_value"},
    {"timerfd_settime", 2, "it_interval it_value"},
    {"getaddrinfo", 2, "ai_flags ai_family ai_socktype ai_protocol"},
    {"epoll_ctl", 3, "events"},
    {"sendmsg", 1, "msg_name msg_iov msg_iovlen msg_controllen"},
    {"recvmsg", 1, "msg_name msg_iov msg_iovlen msg_controllen"},
    {"nanosleep", 0, "tv_sec tv_nsec"},
    {"clock_nanosleep", 2, "tv_sec tv_nsec"},
    {"pthread_cond_timedwait", 2, "tv_sec tv_nsec"},
    {"pthread_mutex_timedlock", 1, "tv_sec tv_nsec"},
    {"sem_timedwait", 1, "tv_sec tv_nsec"},
    {"pselect", 4, "tv_sec tv_nsec"},
    {"ppoll", 2, "tv_sec tv_nsec"},
    {"select", 4, "tv_sec tv_usec"},
    {"poll", 0, "fd events"},
    {"fcntl", 2, "l_type l_whence l_start l_len"},
    {"tcsetattr", 2, "c_iflag c_oflag c_cflag c_lflag c_cc"},
    {"mktime", 0, "tm_sec tm_min tm_hour tm_mday tm_mon tm_year tm_isdst"},
    {"timegm", 0, "tm_sec tm_min tm_hour tm_mday tm_mon tm_year"},
    {"bind", 1, "sin_family sin_port sin_addr"},
    {"connect", 1, "sin_family sin_port sin_addr"},
    {"bind", 1, "sin6_family sin6_port sin6_addr sin6_scope_id"},
    {"connect", 1, "sin6_family sin6_port sin6_addr sin6_scope_id"},
    {"bind", 1, "sun_family sun_path"},
    {"connect", 1, "sun_family sun_path"},
    {"inflateInit_", 0, "zalloc zfree next_in"},
    {"inflateInit2_", 0, "zalloc zfree next_in"},
    {"deflateInit_", 0, "zalloc zfree"},
    {"deflateInit2_", 0, "zalloc zfree"},
};

/// A function sets what an argument points to only if it succeeds.
struct SetArgument {
  llvm::StringRef function;
  unsigned argument = 0;
};

constexpr SetArgument kSetArguments[] = {
    {"pthread_create", 0}, {"pipe", 0},      {"pipe2", 0},      {"socketpair", 3}, {"stat", 1},
    {"lstat", 1},          {"fstat", 1},     {"fstatat", 2},    {"statfs", 1},     {"statvfs", 1},
    {"getaddrinfo", 3},    {"inet_pton", 2}, {"asprintf", 0},   {"vasprintf", 0},  {"posix_memalign", 0},
    {"getrlimit", 1},      {"tcgetattr", 1}, {"getsockopt", 3}, {"waitpid", 1},    {"wait", 0},
    {"timer_create", 2},   {"ioctl", 2},     {"read", 1},       {"recv", 1},
};

llvm::StringRef readerName(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  return callee && callee->getIdentifier() ? callee->getName() : "";
}

bool isNullArgument(const clang::Expr& argument, clang::ASTContext& context) {
  const clang::Expr* inner = argument.IgnoreParenCasts();
  if (const auto* literal = llvm::dyn_cast<clang::CompoundLiteralExpr>(inner))
    inner = literal->getInitializer();
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(inner); list && list->getNumInits() == 1)
    inner = list->getInit(0)->IgnoreParenCasts();
  return inner->isNullPointerConstant(context, clang::Expr::NPC_ValueDependentIsNotNull) !=
         clang::Expr::NPCK_NotNull;
}

bool hasField(const clang::RecordDecl& record, llvm::StringRef name) {
  return std::any_of(record.field_begin(), record.field_end(),
                     [&](const clang::FieldDecl* field) { return field->getName() == name; });
}

/// How the text uses a pointer.
struct PointerUses {
  unsigned reads = 0;   // of members that it leads to
  unsigned others = 0;  // anything else
};

void addUses(const clang::Stmt& part, const clang::ParmVarDecl& pointer, bool isRead, PointerUses& uses) {
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&part); reference)
    uses.others += reference->getDecl() == &pointer ? 1 : 0;
  // The value of a member, which is no array.
  const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(&part);
  const bool isValue = cast && cast->getCastKind() == clang::CK_LValueToRValue;
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(&part);
  const auto* base = member && isRead
                         ? llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts())
                         : nullptr;
  if (base && base->getDecl() == &pointer) {
    ++uses.reads;
    return;
  }
  const bool goesOn = isValue || (isRead && (member || llvm::isa<clang::ParenExpr>(part)));
  for (const clang::Stmt* child : part.children())
    if (child) addUses(*child, pointer, goesOn, uses);
}

/// What the callee, whose text is known, does with the argument is to read what it points to.
bool isOnlyRead(const clang::CallExpr& call, unsigned argument) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  const clang::FunctionDecl* definition = callee ? callee->getDefinition() : nullptr;
  if (!definition || !definition->getBody() || argument >= definition->getNumParams()) return false;
  PointerUses uses;
  addUses(*definition->getBody(), *definition->getParamDecl(argument), false, uses);
  return uses.reads > 0 && uses.others == 0;
}

/// Of one variable, on some way.
struct LocalState {
  bool isWhole = false;
  std::set<std::string> fields;
  std::set<const clang::CallExpr*> pending;  // have set it if they have succeeded, which nobody has tested
  bool operator==(const LocalState&) const = default;
};

/// What runs along the ways of one function.
class ArgumentStates {
 public:
  ArgumentStates(clang::ASTContext& context, const clang::FunctionDecl& function,
                 std::vector<ValueSlip>& slips)
      : context_(context), function_(function), slips_(slips), events_(context, *function.getBody()) {}

  void follow(const clang::CFG& graph) {
    auto before =
        followBlocks(graph, States(), [&](const auto& block, States& states) { run(block, states, false); },
                     TakeAllWays(), meet, {BlockOrder::Newest});
    for (auto& [block, states] : LastFirst(before)) run(*block, states, true);
  }

 private:
  using States = std::map<const clang::VarDecl*, LocalState>;

  /// False: nothing changes.
  static bool meet(States& into, const States& more) {
    bool isChanged = false;
    for (const auto& [variable, state] : more) {
      LocalState& met = into[variable];
      const LocalState old = met;
      met.isWhole |= state.isWhole;
      met.fields.insert(state.fields.begin(), state.fields.end());
      met.pending.insert(state.pending.begin(), state.pending.end());
      isChanged |= met != old;
    }
    return isChanged;
  }

  void run(const clang::CFGBlock& block, States& states, bool isTold) {
    for (const clang::CFGElement& element : block) {
      const auto part = element.getAs<clang::CFGStmt>();
      if (!part) continue;
      const clang::Stmt& statement = *part->getStmt();
      if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement);
          call && readerName(*call) == "__errno_location")
        for (auto& [variable, state] : states) state.pending.clear();
      if (const auto* events = events_.at(statement))
        for (const LocalEvent& event : *events) run(event, statement, states, isTold);
      if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(&statement))
        for (const clang::Decl* one : declared->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one))
            states[variable] = {variable->getInit() != nullptr, {}, {}};
    }
  }

  void run(const LocalEvent& event, const clang::Stmt& statement, States& states, bool isTold) {
    if (event.kind == LocalEvent::Kind::Read) {
      noteTest(*event.variable, states);
      if (isTold) lookAtRead(event, states[event.variable], statement);
      return;
    }
    const bool isGiven = event.kind == LocalEvent::Kind::Given;
    LocalState& state = states[event.variable];
    if (isGiven && isTold && event.field.empty() && mayBeUnset(*event.variable)) lookAtGiven(event, state);
    if (isGiven && isTold && event.field.empty() && !state.pending.empty() &&
        isOnlyRead(*event.call, event.argument))
      lookAtRead(event, state, statement);
    const bool isUnset = !state.isWhole && state.fields.empty();
    state.pending.clear();
    if (isGiven && isUnset && event.field.empty() && mayLeave(*event.call, event.argument))
      state.pending.insert(event.call);
    if (event.field.empty())
      state.isWhole = true;
    else
      state.fields.insert(event.field);
  }

  static bool mayBeUnset(const clang::VarDecl& variable) {
    return !llvm::isa<clang::ParmVarDecl>(variable) && !variable.getInit();
  }

  /// Who reads the result of a call has thought of its failure.
  void noteTest(const clang::VarDecl& read, States& states) const {
    for (auto& [variable, state] : states)
      std::erase_if(state.pending,
                    [&](const clang::CallExpr* call) { return events_.resultOf(*call).variable == &read; });
  }

  bool mayLeave(const clang::CallExpr& call, unsigned argument) const {
    const llvm::StringRef name = readerName(call);
    const bool isKnown =
        std::any_of(std::begin(kSetArguments), std::end(kSetArguments),
                    [&](const auto& set) { return set.function == name && set.argument == argument; });
    if (!isKnown) return false;
    const CallResult::Kind result = events_.resultOf(call).kind;
    // A thread whose creation nobody looks at is told as such.
    return result == CallResult::Kind::Kept ||
           (result == CallResult::Kind::Dropped && name != "pthread_create");
  }

  void lookAtRead(const LocalEvent& event, const LocalState& state, const clang::Stmt& statement) {
    if (!mayBeUnset(*event.variable)) return;
    for (const clang::CallExpr* call : state.pending)
      if (told_.insert({event.variable, call}).second)
        slips_.push_back({ValueSlip::Kind::UnsetFailed, event.variable->getName().str(),
                          function_.getName().str(), lineOf(statement, context_), lineOf(*call, context_),
                          readerName(*call).str()});
  }

  void lookAtGiven(const LocalEvent& event, const LocalState& state) {
    if (state.isWhole) return;
    const llvm::StringRef name = readerName(*event.call);
    for (const ReadArgument& read : kReadArguments) {
      if (read.function != name || read.argument != event.argument) continue;
      const bool isNull = read.beside < event.call->getNumArgs() &&
                          isNullArgument(*event.call->getArg(read.beside), context_);
      if (isNull) continue;
      if (!read.fields.empty())
        lookAtFields(event, read.fields, state);
      else if (state.fields.empty() && !event.variable->getType()->isArrayType())
        tellGiven(event, "");
    }
  }

  void lookAtFields(const LocalEvent& event, llvm::StringRef fields, const LocalState& state) {
    const clang::RecordDecl* record = event.variable->getType()->getAsRecordDecl();
    if (!record || state.fields.empty()) return;
    llvm::SmallVector<llvm::StringRef> needed;
    fields.split(needed, ' ');
    for (const llvm::StringRef field : needed)
      if (!hasField(*record, field)) return;  // another structure of the same name
    for (const llvm::StringRef field : needed)
      if (!state.fields.contains(field.str())) {
        tellGiven(event, ("." + field).str());
        return;
      }
  }

  void tellGiven(const LocalEvent& event, const std::string& field) {
    if (told_.insert({event.variable, event.call}).second)
      slips_.push_back({ValueSlip::Kind::UnsetGiven, event.variable->getName().str() + field,
                        function_.getName().str(), lineOf(*event.call, context_), 0,
                        readerName(*event.call).str()});
  }

  clang::ASTContext& context_;
  const clang::FunctionDecl& function_;
  std::vector<ValueSlip>& slips_;
  const LocalEvents events_;
  std::set<std::pair<const clang::VarDecl*, const clang::CallExpr*>> told_;
};

/// Most functions call none of these.
bool callsKnown(const clang::Stmt& part) {
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&part)) {
    const llvm::StringRef name = readerName(*call);
    const auto isIt = [&](const auto& known) { return known.function == name; };
    if (!name.empty() && (std::any_of(std::begin(kReadArguments), std::end(kReadArguments), isIt) ||
                          std::any_of(std::begin(kSetArguments), std::end(kSetArguments), isIt)))
      return true;
  }
  return std::any_of(part.child_begin(), part.child_end(),
                     [](const clang::Stmt* child) { return child && callsKnown(*child); });
}

}  // namespace

void UnsetArguments::add(const clang::FunctionDecl& function, Survey& survey) {
  if (!function.getIdentifier() || function.isDependentContext() || !function.getBody()) return;
  if (!callsKnown(*function.getBody())) return;
  if (const clang::CFG* graph = flows_.graphOf(function))
    ArgumentStates(context_, function, survey.valueSlips).follow(*graph);
}

}  // namespace heddle
