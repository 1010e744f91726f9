#include "analysis/survey/guards.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "analysis/repair/lock_declaration.h"
#include "analysis/repair/realize.h"
#include "analysis/repair/syntax_tree.h"
#include "analysis/repair/text_edits.h"
#include "analysis/survey/guard_writer.h"
#include "analysis/survey/survey.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace heddle {
namespace {

using Line = std::pair<unsigned, uint32_t>;  // a file by its hash, and a line from 1

/// A member or a variable that a function names.
struct NamedUse {
  const clang::ValueDecl* declared;
  const clang::Expr* at;
  const clang::FunctionDecl* in;
  Line line;
};

Line fileLineOf(clang::SourceLocation at, const clang::SourceManager& sources) {
  const auto [file, offset] = sources.getDecomposedLoc(sources.getExpansionLoc(at));
  return {file.getHashValue(), sources.getLineNumber(file, offset)};
}

class UseVisitor : public clang::RecursiveASTVisitor<UseVisitor> {
 public:
  UseVisitor(const clang::SourceManager& sources, std::vector<NamedUse>& uses)
      : sources_(sources), uses_(uses) {}
  // NOLINTBEGIN(readability-identifier-naming): names that Clang calls
  bool TraverseFunctionDecl(clang::FunctionDecl* function) {
    in_ = function;
    const bool more = RecursiveASTVisitor::TraverseFunctionDecl(function);
    in_ = nullptr;
    return more;
  }
  bool VisitMemberExpr(clang::MemberExpr* member) { return add(member->getMemberDecl(), member); }
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    return variable == nullptr || !variable->isFileVarDecl() || add(variable->getCanonicalDecl(), reference);
  }
  // NOLINTEND(readability-identifier-naming)

 private:
  bool add(const clang::ValueDecl* declared, const clang::Expr* at) {
    if (in_ != nullptr && in_->hasBody() && declared->getIdentifier() != nullptr)
      uses_.push_back({declared, at, in_, fileLineOf(at->getExprLoc(), sources_)});
    return true;
  }

  const clang::SourceManager& sources_;
  std::vector<NamedUse>& uses_;
  const clang::FunctionDecl* in_ = nullptr;
};

/// "slots", "count" of "slots[].count".
std::vector<std::string> partsOf(const std::string& data) {
  std::vector<std::string> parts(1);
  bool inIndex = false;
  for (const char c : data) {
    if (c == '[' || c == ']')
      inIndex = c == '[';
    else if (c == '.' || c == '>')
      parts.emplace_back();
    else if (!inIndex && c != '-' && c != '*')
      parts.back() += c;
  }
  return parts;
}

const clang::ValueDecl* lockOf(const clang::Expr* argument) {
  argument = argument->IgnoreParenCasts();
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(argument))
    argument = address->getSubExpr()->IgnoreParenCasts();
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(argument)) return member->getMemberDecl();
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(argument);
  return reference == nullptr ? nullptr : reference->getDecl();
}

class GuardFinder {
 public:
  GuardFinder(clang::ASTContext& context, const Report& report, const Survey& survey)
      : context_(context), sources_(context.getSourceManager()), report_(report), survey_(survey) {
    UseVisitor(sources_, uses_).TraverseDecl(context.getTranslationUnitDecl());
    for (const NamedUse& use : uses_) atLine_[use.line].push_back(&use);
    for (const SharedAccess& access : report.accesses) resolve(access);
    for (const SourcePlace& place : report.reached)
      if (const auto at = offsetOf(place, context))
        reached_.insert(
            {at->first.getHashValue(), sources_.getLineNumber(at->first, static_cast<unsigned>(at->second))});
  }

  void find(Guards& out, GuardWriter& writer) {
    const auto race = report_.properties.find(Property::Race);
    const bool isProved = race != report_.properties.end() && (race->second == Verdict::Verified ||
                                                               race->second == Verdict::VerifiedWithinBounds);
    std::set<const clang::ValueDecl*> seen;
    for (const NamedUse& use : uses_) {
      if (!seen.insert(use.declared).second || !writer.isUsers(*use.declared)) continue;
      if (const auto* attribute = use.declared->getAttr<clang::GuardedByAttr>())
        addWritten(*use.declared, lockOf(attribute->getArg()), out);
      else if (const clang::ValueDecl* lock = isProved ? provedLock(*use.declared) : nullptr) {
        if (!writer.guard(*use.declared, *lock)) continue;
        out.found.push_back(guardOf(*use.declared, *lock));
        proved_[use.declared] = lock;
      }
    }
    std::stable_sort(out.found.begin(), out.found.end(), [](const Guard& a, const Guard& b) {
      return std::tie(a.place.file, a.place.line, a.place.column) <
             std::tie(b.place.file, b.place.line, b.place.column);
    });
    for (const clang::FunctionDecl* function : definedFunctions(context_)) addNeeds(*function, out, writer);
  }

 private:
  /// The member or variable of an access: the innermost part of its name that its line names once.
  void resolve(const SharedAccess& access) {
    const auto at = offsetOf(access.access.place, context_);
    if (!at) return;
    const Line line = {at->first.getHashValue(),
                       sources_.getLineNumber(at->first, static_cast<unsigned>(at->second))};
    const auto named = atLine_.find(line);
    if (named == atLine_.end()) return;
    std::vector<std::string> parts = partsOf(access.data);
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      std::set<const clang::ValueDecl*> meant;
      for (const NamedUse* use : named->second)
        if (use->declared->getName() == *part) meant.insert(use->declared);
      for (const clang::ValueDecl* declared : meant) {
        accesses_[declared].push_back(&access);
        if (meant.size() > 1 && access.concurrent) doubtful_.insert(declared);
      }
      if (!meant.empty()) return;
    }
    // An access that the line does not name may be to any of what it names (memcpy).
    if (access.concurrent)
      for (const NamedUse* use : named->second) doubtful_.insert(use->declared);
  }

  static bool isRelevant(const SharedAccess& access) { return access.concurrent && !access.atomic; }

  bool holds(const SharedAccess& access, const clang::ValueDecl& data, const clang::ValueDecl& lock) const {
    const auto* member = llvm::dyn_cast<clang::FieldDecl>(&lock);
    if (member == nullptr)
      return std::any_of(access.held.begin(), access.held.end(),
                         [&](const auto& held) { return held.first == lock.getName(); });
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(&data);
    if (field == nullptr || field->getParent() != member->getParent()) return false;
    const auto bytes = [&](const clang::FieldDecl* f) {
      return static_cast<int64_t>(context_.getFieldOffset(f) / 8);
    };
    const int64_t distance = bytes(member) - bytes(field);
    const auto size = field->isBitField()
                          ? int64_t{8}
                          : static_cast<int64_t>(context_.getTypeSizeInChars(field->getType()).getQuantity());
    return std::any_of(access.ownLocks.begin(), access.ownLocks.end(), [&](const OwnLock& own) {
      return distance - size < own.least && own.most <= distance;
    });
  }

  Guard guardOf(const clang::ValueDecl& data, const clang::ValueDecl& lock) const {
    Guard guard;
    const auto known = accesses_.find(&data);
    if (known != accesses_.end()) guard.data = known->second.front()->data;
    guard.name = data.getName().str();
    guard.lock = lock.getName().str();
    const clang::SourceLocation at = sources_.getExpansionLoc(data.getLocation());
    guard.place.file = pathOf(sources_.getFileID(at), context_);
    guard.place.line = lineOf(at, sources_);
    guard.place.column = sources_.getExpansionColumnNumber(at);
    return guard;
  }

  void addWritten(const clang::ValueDecl& data, const clang::ValueDecl* lock, Guards& out) {
    if (lock == nullptr || lock->getIdentifier() == nullptr) return;
    Guard guard = guardOf(data, *lock);
    guard.written = true;
    for (const SharedAccess* access : accesses_[&data])
      if (isRelevant(*access) && !holds(*access, data, *lock)) guard.broken.push_back(access->access);
    out.found.push_back(std::move(guard));
    proved_[&data] = lock;
  }

  const clang::ValueDecl* provedLock(const clang::ValueDecl& data) {
    const auto known = accesses_.find(&data);
    if (known == accesses_.end() || doubtful_.contains(&data)) return nullptr;
    std::vector<const SharedAccess*> relevant;
    for (const SharedAccess* access : known->second) {
      if (access->atomic) return nullptr;
      if (isRelevant(*access)) relevant.push_back(access);
    }
    if (relevant.empty()) return nullptr;
    const auto isGuard = [&](const clang::ValueDecl& lock) {
      return std::all_of(relevant.begin(), relevant.end(),
                         [&](const SharedAccess* access) { return holds(*access, data, lock); }) &&
             isKeptElsewhere(data, lock);
    };
    if (const auto* field = llvm::dyn_cast<clang::FieldDecl>(&data))
      for (const clang::FieldDecl* member : field->getParent()->fields())
        if (member != field && !member->getType()->isArrayType() && member->getIdentifier() &&
            isGuard(*member))
          return member;
    for (const auto& [name, acquired] : relevant.front()->held) {
      const clang::VarDecl* lock = globalNamed(name, context_);
      if (lock != nullptr && isGuard(*lock)) return lock;
    }
    return nullptr;
  }

  /// Functions that no execution comes to take the lock before the access.
  bool isKeptElsewhere(const clang::ValueDecl& data, const clang::ValueDecl& lock) const {
    const auto inSurvey = [](const clang::ValueDecl& declared) {
      const auto* field = llvm::dyn_cast<clang::FieldDecl>(&declared);
      return (field ? field->getParent()->getName().str() + "." : "") + declared.getName().str();
    };
    const std::string name = inSurvey(data), guard = inSurvey(lock);
    return std::all_of(uses_.begin(), uses_.end(), [&](const NamedUse& use) {
      if (use.declared != &data || reached_.contains(fileLineOf(use.in->getLocation(), sources_)))
        return true;
      const SurveyFunction* function = survey_.find(use.in->getName().str());
      return function != nullptr && std::any_of(function->accesses.begin(), function->accesses.end(),
                                                [&](const SurveyAccess& access) {
                                                  return access.data == name &&
                                                         access.lines.contains(use.line.second) &&
                                                         access.held.contains(guard);
                                                });
    });
  }

  /// A function of this file alone whose accesses through a parameter hold the lock of that object, and that
  /// takes none itself.
  void addNeeds(const clang::FunctionDecl& function, Guards& out, GuardWriter& writer) {
    if (function.getStorageClass() != clang::SC_Static || !writer.isUsers(function)) return;
    const SurveyFunction* known = survey_.find(function.getName().str());
    if (known == nullptr || withCallees(survey_, *known).locks) return;
    std::set<std::pair<const clang::ParmVarDecl*, const clang::ValueDecl*>> needs;
    for (const NamedUse& use : uses_) {
      if (use.in != &function) continue;
      const auto guard = proved_.find(use.declared);
      const auto* member = llvm::dyn_cast<clang::MemberExpr>(use.at);
      if (guard == proved_.end() || member == nullptr || !llvm::isa<clang::FieldDecl>(guard->second))
        continue;
      const auto* base = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
      const auto* parameter = base ? llvm::dyn_cast<clang::ParmVarDecl>(base->getDecl()) : nullptr;
      if (parameter == nullptr || !isHeldAt(use, *guard->second)) return;
      needs.emplace(parameter, guard->second);
    }
    for (const auto& [parameter, lock] : needs) {
      if (!writer.needs(function, *parameter, *lock)) continue;
      out.needs.push_back(function.getName().str() + " needs '" + parameter->getName().str() + "->" +
                          lock->getName().str() + "'");
    }
  }

  /// Some execution makes the access, and each holds the lock.
  bool isHeldAt(const NamedUse& use, const clang::ValueDecl& lock) const {
    const auto known = accesses_.find(use.declared);
    if (known == accesses_.end()) return false;
    bool isMade = false;
    for (const SharedAccess* access : known->second) {
      const auto at = offsetOf(access->access.place, context_);
      if (!at || at->first.getHashValue() != use.line.first ||
          sources_.getLineNumber(at->first, static_cast<unsigned>(at->second)) != use.line.second)
        continue;
      if (!holds(*access, *use.declared, lock)) return false;
      isMade = true;
    }
    return isMade;
  }

  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  const Report& report_;
  const Survey& survey_;
  std::vector<NamedUse> uses_;
  std::map<Line, std::vector<const NamedUse*>> atLine_;
  std::map<const clang::ValueDecl*, std::vector<const SharedAccess*>> accesses_;
  std::set<const clang::ValueDecl*> doubtful_;
  std::set<Line> reached_;
  std::map<const clang::ValueDecl*, const clang::ValueDecl*> proved_;
};

}  // namespace

Guards guardsOf(const Snapshot& snapshot, const Report& report) {
  struct Shared {
    Report report;
    Survey survey;
    Guards guards;
    std::map<std::string, std::string> texts;
  };
  const auto shared = std::make_shared<Shared>();
  shared->survey = surveyOf(snapshot);
  if (!shared->survey.problem.empty()) return {};
  shared->report.accesses = report.accesses;
  shared->report.properties = report.properties;
  shared->report.reached = report.reached;
  const std::string problem = withSyntaxTree(snapshot, [shared](clang::ASTContext& context) {
    GuardWriter writer(context);
    GuardFinder(context, shared->report, shared->survey).find(shared->guards, writer);
    shared->texts = writer.texts();
  });
  if (!problem.empty()) return {};
  Guards found = shared->guards;
  for (const auto& [path, text] : shared->texts) {
    const std::vector<TextEditAt> edits = editsBetween(path, textIn(snapshot, path), text);
    found.edits.insert(found.edits.end(), edits.begin(), edits.end());
  }
  return found;
}

}  // namespace heddle
