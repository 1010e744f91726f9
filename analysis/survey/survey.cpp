#include "analysis/survey/survey.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <tuple>

#include "analysis/repair/syntax_tree.h"
#include "analysis/survey/bare_locks.h"
#include "analysis/survey/compared_rooms.h"
#include "analysis/survey/compared_values.h"
#include "analysis/survey/declared_lives.h"
#include "analysis/survey/empty_fences.h"
#include "analysis/survey/file_locks.h"
#include "analysis/survey/function_flows.h"
#include "analysis/survey/function_paths.h"
#include "analysis/survey/function_survey.h"
#include "analysis/survey/late_counts.h"
#include "analysis/survey/left_out_functions.h"
#include "analysis/survey/lock_ends.h"
#include "analysis/survey/member_functions.h"
#include "analysis/survey/null_arguments.h"
#include "analysis/survey/object_frees.h"
#include "analysis/survey/passed_arrays.h"
#include "analysis/survey/result_uses.h"
#include "analysis/survey/shared_buffers.h"
#include "analysis/survey/signal_handlers.h"
#include "analysis/survey/signal_orders.h"
#include "analysis/survey/silent_conditions.h"
#include "analysis/survey/single_threads.h"
#include "analysis/survey/source_line.h"
#include "analysis/survey/split_sections.h"
#include "analysis/survey/taken_members.h"
#include "analysis/survey/tested_pointers.h"
#include "analysis/survey/thread_facts_look.h"
#include "analysis/survey/type_survey.h"
#include "analysis/survey/unsignalled_changes.h"
#include "analysis/survey/value_looks.h"
#include "analysis/survey/value_slips.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/IR/Module.h"

namespace heddle {

namespace {

constexpr size_t kMostFunctions = 4000;

/// Of headers there may be thousands, and each call is looked up.
const SurveyFunction* inlinedNamed(const Survey& survey, const std::string& name) {
  const auto found = std::lower_bound(
      survey.inlined.begin(), survey.inlined.end(), name,
      [](const SurveyFunction& function, const std::string& wanted) { return function.name < wanted; });
  return found == survey.inlined.end() || found->name != name ? nullptr : &*found;
}

/// What inline functions of headers do, at any depth, who calls them does.
void addInlined(const Survey& survey, const std::set<std::string>& callees, std::set<std::string>& known,
                SurveyFunction& out) {
  for (const std::string& name : callees) {
    const SurveyFunction* callee = inlinedNamed(survey, name);
    if (!callee || !known.insert(name).second) continue;
    out.locks |= callee->locks;
    out.waits |= callee->waits;
    out.isAtomic |= callee->isAtomic;
    addInlined(survey, callee->callees, known, out);
  }
}

/// Functions that the initial value of a variable names, and that may be called through it: a table for
/// people has their addresses as numbers.
void addAddressed(const clang::Stmt& value, std::set<std::string>& addressed) {
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&value);
      cast && cast->getCastKind() == clang::CK_PointerToIntegral)
    return;
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&value))
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl());
        function && function->getIdentifier())
      addressed.insert(function->getName().str());
  for (const clang::Stmt* part : value.children())
    if (part) addAddressed(*part, addressed);
}

/// A mutex that is passed by value is one of the function's own, whatever its callers do with theirs.
void addCopiedLocks(FileLocks& locks, const clang::FunctionDecl& function, SurveyFunction& out) {
  for (const clang::ParmVarDecl* parameter : function.parameters())
    if (parameter->getType()->isRecordType() && !lockKind(parameter->getType()).empty())
      out.slips.push_back({LockSlip::Kind::Copied, parameter->getName().str(),
                           lineOf(parameter->getBeginLoc(), locks.context()), 0, ""});
}

void addLockPaths(FileLocks& locks, const clang::FunctionDecl& function, SurveyFunction& out) {
  if (!locks.touchesLocks(function)) return;
  FunctionPaths paths(locks, function);
  if (paths.follow()) paths.addTo(out);
  addCopiedLocks(locks, function, out);
}

/// What attributes of the function name.
void addOtherNames(const clang::FunctionDecl& function, std::set<std::string>& addressed) {
  if (const auto* alias = function.getAttr<clang::AliasAttr>()) addressed.insert(alias->getAliasee().str());
  if (const auto* resolved = function.getAttr<clang::IFuncAttr>())
    addressed.insert(resolved->getResolver().str());
}

void addBody(const clang::ASTContext& context, const clang::FunctionDecl& function, Survey& survey) {
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(function.getBody());
  const bool isOldStyle = !function.hasWrittenPrototype() && function.getNumParams() > 0;
  if (!body || isOldStyle) return;
  const clang::SourceManager& sources = context.getSourceManager();
  const clang::SourceLocation begin = body->getLBracLoc(), end = body->getRBracLoc();
  if (begin.isMacroID() || end.isMacroID() || sources.getFileID(begin) != sources.getMainFileID() ||
      sources.getFileID(end) != sources.getMainFileID())
    return;
  survey.bodies[function.getName().str()] = {sources.getFileOffset(begin), sources.getFileOffset(end)};
}

bool hasHook(clang::QualType type) {
  if (type->isFunctionPointerType()) return true;
  const clang::RecordDecl* record = type->getAsRecordDecl();
  record = record ? record->getDefinition() : nullptr;
  if (!record) return false;
  return std::any_of(record->field_begin(), record->field_end(),
                     [](const clang::FieldDecl* field) { return hasHook(field->getType()); });
}

/// `variables`: candidates, in the order of the text.
void addHooksElsewhere(const std::vector<const clang::VarDecl*>& variables, TypeSurvey& types,
                       Survey& survey) {
  std::set<std::string> used;
  for (const auto* functions : {&survey.functions, &survey.inlined})
    for (const SurveyFunction& function : *functions) used.insert(function.uses.begin(), function.uses.end());
  for (const clang::VarDecl* variable : variables) {
    const std::string name = variable->getName().str();
    // Each once.
    if (used.erase(name) != 0)
      survey.hooksElsewhere.push_back({name, types.of(variable->getType()), "", name});
  }
}

void surveyTree(clang::ASTContext& context, const PartialUnit& partial, Survey& survey) {
  TypeSurvey types(context, survey.records);
  const LeftOutFunctions leftOut(context, partial);
  survey.unknownTypes = partial.unknownTypes;
  FunctionFlows flows(context);
  FileLocks locks(flows);
  LockEnds ends;
  ObjectFrees frees(locks);
  SingleThreads singles;
  MemberFunctions members(context);
  TestedPointers tested(context);
  NullArguments nulls(context);
  std::vector<const clang::FunctionDecl*> own;   // as `survey.functions`
  std::vector<const clang::VarDecl*> elsewhere;  // declared only, with pointers to functions
  BareLocks bare;
  SilentConditions silent;
  PassedArrays arrays(context);
  SignalOrders signals(flows);
  LateCounts counts(flows);
  ComparedRooms rooms(context);
  ValueLooks values(flows);
  const ThreadFactsLook threads(context);
  const SplitSections sections(context);
  const EmptyFences fences(context);
  const clang::SourceManager& sources = context.getSourceManager();
  const bool isHeader = llvm::StringRef(pathOf(sources.getMainFileID(), context)).ends_with(".h");
  for (const clang::Decl* declaration : context.getTranslationUnitDecl()->decls()) {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration)) {
      if (variable->getInit()) {
        addAddressed(*variable->getInit(), survey.addressed);
        bare.add(*variable->getInit());
        silent.addValue(*variable->getInit());
        singles.add(*variable->getInit());
        addSignalHandlers(*variable->getInit(), survey.signalHandlers);
        members.add(*variable->getInit());
      }
      silent.add(*variable);
      if (sources.isInMainFile(sources.getExpansionLoc(variable->getLocation())))
        bare.add(*variable, lineOf(variable->getLocation(), sources));
      if (variable->hasExternalFormalLinkage() && !variable->hasExternalStorage() &&
          sources.isInMainFile(sources.getExpansionLoc(variable->getLocation())))
        survey.variables.insert(variable->getName().str());
      if (variable->hasExternalFormalLinkage() &&
          variable->hasDefinition() == clang::VarDecl::DeclarationOnly &&
          variable->getTLSKind() == clang::VarDecl::TLS_None && hasHook(variable->getType()))
        elsewhere.push_back(variable);
      continue;
    }
    if (const auto* record = llvm::dyn_cast<clang::RecordDecl>(declaration)) {
      bare.add(*record);
      silent.add(*record);
    }
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
    if (function) addOtherNames(*function, survey.addressed);
    if (!function || !function->doesThisDeclarationHaveABody() || leftOut.contains(*function)) continue;
    const clang::SourceLocation at = sources.getExpansionLoc(function->getLocation());
    const bool isOwn = sources.isInMainFile(at);
    std::vector<SurveyFunction>& functions = isOwn ? survey.functions : survey.inlined;
    if (functions.size() >= kMostFunctions ||
        (!isOwn && isOfSystemFolder(pathOf(sources.getFileID(at), context))))
      continue;
    SurveyFunction found;
    found.name = function->getName().str();
    found.place = {pathOf(sources.getFileID(at), context), sources.getSpellingLineNumber(at),
                   sources.getSpellingColumnNumber(at), found.name};
    // What a header keeps to whoever includes it, others call.
    found.isStatic = function->getStorageClass() == clang::SC_Static && !(isOwn && isHeader);
    found.isVariadic = function->isVariadic();
    for (const clang::ParmVarDecl* parameter : function->parameters()) {
      // A parameter of an array type is a pointer. A va_list, which is such an array here, is none.
      const clang::QualType written = parameter->getOriginalType();
      const bool isMadeUp = !context.hasSameType(written, context.getBuiltinVaListType());
      found.parameters.emplace_back(parameter->getName().str(),
                                    types.of(isMadeUp ? parameter->getType() : written));
      found.parameters.back().second.isArguments = !isMadeUp;
    }
    found.result = types.of(function->getReturnType());
    surveyBody(context, *function, types, found);
    addTakenMembers(*function->getBody(), found.name, types, survey);
    addComparedValues(context, *function, found);
    rooms.add(*function, found);
    addSharedBuffers(context, *function, found);
    ends.add(*function);
    singles.add(*function);
    members.add(*function->getBody());
    bare.add(*function->getBody());
    silent.add(*function->getBody(), *function);
    arrays.add(*function->getBody());
    if (isOwn) {
      addSignalHandlers(*function->getBody(), survey.signalHandlers);
      if (function->hasAttr<clang::DestructorAttr>()) survey.destructors.insert(found.name);
      addSignalUses(*function, survey);
      signals.add(*function, survey);
      counts.add(*function, survey);
      threads.add(*function, survey.threadFacts);
      sections.add(*function, survey);
      fences.add(*function, survey);
      addEndedCalls(flows, *function, found);
    }
    tested.add(*function->getBody());
    nulls.add(*function);
    if (isOwn) {
      addLockPaths(locks, *function, found);
      addBody(context, *function, survey);
      addValueSlips(flows, *function, survey);
      values.add(*function, survey);
      addResultUses(context, *function->getBody(), found, survey);
      frees.addTo(*function, found);
      own.push_back(function);
    }
    survey.addressed.insert(found.addressed.begin(), found.addressed.end());
    // What runs by itself, the library calls back.
    if (function->hasAttr<clang::ConstructorAttr>() || function->hasAttr<clang::DestructorAttr>())
      survey.addressed.insert(found.name);
    functions.push_back(std::move(found));
  }
  signals.finish(survey);
  counts.finish(survey);
  ThreadFactsLook::finish(survey.threadFacts);
  values.finish(survey);
  surveyDeclared(context, types, survey);
  ends.addTo(survey.functions);
  survey.singleThreads = singles.found();
  survey.startedInLoops = singles.startedInLoops();
  survey.hooks = members.found();
  if (partial.functions.empty()) {
    survey.bareLocks = bare.found();
    survey.silentConditions = silent.found();
  }
  survey.tested = tested.found();
  nulls.finish(survey);
  survey.namesRecursive = locks.hasRecursive();
  survey.arraysPassed = arrays.found();
  addHooksElsewhere(elsewhere, types, survey);
  UnsignalledChanges changes(locks, own);
  for (size_t i = 0; i < own.size(); ++i) changes.addTo(*own[i], survey.functions[i]);
  for (const PartialUnit::LeftOut& left : partial.functions) {
    if (!sources.isInMainFile(sources.getExpansionLoc(left.function->getLocation()))) continue;
    survey.leftOut.push_back(left.place);
    if (!leftOut.contains(*left.function)) continue;
    SurveyFunction& found = survey.onlyRead.emplace_back();
    found.name = left.name;
    found.place = left.place;
    for (const clang::CallExpr* call : locks.callsOf(*left.function).all)
      found.callees.insert(call->getDirectCallee()->getName().str());
    addLockPaths(locks, *left.function, found);
  }
  std::sort(survey.valueSlips.begin(), survey.valueSlips.end());
  survey.valueSlips.erase(std::unique(survey.valueSlips.begin(), survey.valueSlips.end()),
                          survey.valueSlips.end());
  std::sort(survey.inlined.begin(), survey.inlined.end(),
            [](const SurveyFunction& a, const SurveyFunction& b) { return a.name < b.name; });
  for (SurveyFunction& function : survey.functions) {
    std::set<std::string> known;
    addInlined(survey, function.callees, known, function);
  }
}

/// `held`: locks that are held around the function.
void addCallees(const Survey& survey, const SurveyFunction& function, unsigned depth,
                const std::set<std::string>& held, std::set<std::string>& known, SurveyFunction& out) {
  constexpr unsigned kDepth = 6;
  if (depth > kDepth) return;
  for (const std::string& name : function.callees) {
    const SurveyFunction* callee = survey.findAny(name);
    if (!callee || !known.insert(name).second) continue;
    out.locks |= callee->locks;
    out.waits |= callee->waits;
    out.isAtomic |= callee->isAtomic;
    out.starts.insert(callee->starts.begin(), callee->starts.end());
    out.addressed.insert(callee->addressed.begin(), callee->addressed.end());
    for (const auto& [to, what] : callee->passed) out.passed[to].insert(what.begin(), what.end());
    out.given.insert(callee->given.begin(), callee->given.end());
    out.globalPointers.insert(callee->globalPointers.begin(), callee->globalPointers.end());
    out.taken.insert(callee->taken.begin(), callee->taken.end());
    out.released.insert(callee->released.begin(), callee->released.end());
    std::set<std::string> around = held;
    if (const auto at = function.heldAt.find(name); at != function.heldAt.end())
      around.insert(at->second.begin(), at->second.end());
    for (SurveyAccess access : callee->accesses) {
      access.held.insert(around.begin(), around.end());
      out.accesses.push_back(std::move(access));
    }
    for (SurveyAccess access : callee->pointed) {
      access.held.insert(around.begin(), around.end());
      out.pointed.push_back(std::move(access));
    }
    addCallees(survey, *callee, depth + 1, around, known, out);
  }
}

/// What is accessed many times in the same way.
void tellOnce(std::vector<SurveyAccess>& accesses) {
  const auto key = [](const SurveyAccess& access) {
    return std::tie(access.data, access.whole, access.isWrite, access.isPointer, access.isGlobal,
                    access.isElsewhere, access.isStatic, access.isOwn, access.held);
  };
  std::stable_sort(accesses.begin(), accesses.end(),
                   [&](const SurveyAccess& a, const SurveyAccess& b) { return key(a) < key(b); });
  std::vector<SurveyAccess> once;
  for (SurveyAccess& access : accesses) {
    if (once.empty() || key(once.back()) != key(access))
      once.push_back(std::move(access));
    else
      once.back().lines.insert(access.lines.begin(), access.lines.end());
  }
  accesses = std::move(once);
}

}  // namespace

std::string withName(std::string spelled, const std::string& name) {
  if (const size_t at = spelled.find('@'); at != std::string::npos) spelled.replace(at, 1, name);
  return spelled;
}

const SurveyFunction* Survey::find(const std::string& name) const {
  for (const SurveyFunction& function : functions)
    if (function.name == name) return &function;
  return nullptr;
}

const SurveyFunction* Survey::findAny(const std::string& name) const {
  const SurveyFunction* function = find(name);
  return function ? function : inlinedNamed(*this, name);
}

Survey surveyOf(const Snapshot& snapshot, const Budget& budget) {
  std::chrono::milliseconds limit = std::chrono::seconds(30);
  if (budget.deadline())
    limit = std::clamp<std::chrono::milliseconds>(
        std::chrono::duration_cast<std::chrono::milliseconds>(*budget.deadline() - Budget::Clock::now()),
        std::chrono::milliseconds(1), limit);

  std::string problem;
  Snapshot file = snapshot;
  for (const bool isPartial : {false, true}) {
    if (isPartial && !snapshot.command.isPartial) break;
    file.command.isPartial = isPartial;
    // Shared with the guarded work, which may outlive the call.
    auto survey = std::make_shared<Survey>();
    problem = withPartialTree(
        file,
        [survey](clang::ASTContext& context, const PartialUnit& partial) {
          surveyTree(context, partial, *survey);
        },
        limit);
    survey->isPartial = isPartial;
    if (problem.empty()) return std::move(*survey);
  }
  Survey none;
  none.problem = problem;
  return none;
}

SurveyFunction withCallees(const Survey& survey, const SurveyFunction& function) {
  SurveyFunction out = function;
  std::set<std::string> known{function.name};
  addCallees(survey, function, 0, {}, known, out);
  tellOnce(out.accesses);
  tellOnce(out.pointed);
  return out;
}

std::set<std::string> reachedFrom(const Survey& survey, const std::string& name, bool withThreads) {
  std::set<std::string> reached;
  std::vector<std::string> pending = {name};
  const auto reach = [&](const std::set<std::string>& names) {
    for (const std::string& next : names)
      if (reached.insert(next).second) pending.push_back(next);
  };
  while (!pending.empty()) {
    const SurveyFunction* function = survey.findAny(pending.back());
    pending.pop_back();
    if (!function) continue;
    reach(function->callees);
    if (withThreads) reach(function->starts);
  }
  return reached;
}

}  // namespace heddle
