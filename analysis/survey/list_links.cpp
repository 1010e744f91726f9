#include "analysis/survey/list_links.h"

#include <algorithm>
#include <optional>

namespace heddle {
namespace {

void collectEvents(const clang::Stmt& part, const clang::ASTContext& context,
                   std::map<unsigned, ListEvent>& out) {
  ListEvent event = listEventOf(part, context);
  if (event.kind != ListEvent::Kind::None) {
    const unsigned at = event.at;
    out.try_emplace(at, std::move(event));
  }
  for (const clang::Stmt* child : part.children())
    if (child) collectEvents(*child, context, out);
}

void collectLocals(const clang::Stmt& part, std::map<std::string, const clang::VarDecl*>& out) {
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(&part))
    for (const clang::Decl* one : declared->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
          variable && variable->getIdentifier() && variable->hasLocalStorage())
        out[variable->getName().str()] = variable;
  for (const clang::Stmt* child : part.children())
    if (child) collectLocals(*child, out);
}

/// A member that is a structure, or an array: no number and no pointer.
bool isLinkType(clang::QualType object, const std::string& member) {
  if (!object->isPointerType()) return false;
  const clang::RecordDecl* record = object->getPointeeType()->getAsRecordDecl();
  record = record ? record->getDefinition() : nullptr;
  if (!record) return false;
  for (const clang::FieldDecl* field : record->fields())
    if (field->getIdentifier() && field->getName() == member)
      return field->getType()->isRecordType() || field->getType()->isArrayType();
  return false;
}

/// What is given away as bytes is not known to be in a list. A function of another file that is given the
/// object itself may take it out first.
bool freesAsBytes(const clang::CallExpr& call, const std::string& object) {
  return std::any_of(call.arg_begin(), call.arg_end(), [&](const clang::Expr* argument) {
    return argument->getType()->isVoidPointerType() && freePlaceOf(*argument).text == object;
  });
}

/// The ways from an insertion of an object's link.
class LinkedWays {
 public:
  LinkedWays(const clang::ASTContext& context, const FreeFlow& flow, ListLink link)
      : context_(context), flow_(flow), link_(std::move(link)) {}

  struct Found {
    const FreeStep* freed = nullptr;
    uint32_t inserted = 0;
  };

  std::optional<Found> find() {
    for (const clang::CFGBlock* block : *flow_.graph) {
      size_t at = 0;
      for (const clang::CFGElement& element : *block) {
        ++at;
        const auto part = element.getAs<clang::CFGStmt>();
        if (!part || part->getStmt()->getBeginLoc().isInvalid()) continue;
        const ListEvent event = listEventOf(*part->getStmt(), context_);
        if (event.kind != ListEvent::Kind::Insert || !event.isOf(link_)) continue;
        if (auto freed = follow(*block, at, event.at)) return Found{freed, event.line};
      }
    }
    return std::nullopt;
  }

 private:
  /// The free that some way comes to with the object in the list; null: none, or some way takes it out.
  const FreeStep* follow(const clang::CFGBlock& block, size_t at, unsigned inserted) {
    const FreeStep* freed = nullptr;
    std::set<const clang::CFGBlock*> seen;
    std::vector<std::pair<const clang::CFGBlock*, size_t>> open = {{&block, at}};
    while (!open.empty()) {
      const auto [next, begin] = open.back();
      open.pop_back();
      bool isTaken = false;
      const bool isOn = run(*next, begin, inserted, freed, isTaken);
      if (isTaken) return nullptr;
      if (!isOn || next->hasNoReturnElement()) continue;
      for (const clang::CFGBlock::AdjacentBlock& one : next->succs())
        if (const clang::CFGBlock* to = one.getReachableBlock(); to && seen.insert(to).second)
          open.emplace_back(to, 0);
    }
    return freed;
  }

  bool run(const clang::CFGBlock& block, size_t begin, unsigned inserted, const FreeStep*& freed,
           bool& isTaken) {
    // Steps come in the order of the elements, of which not all are steps.
    const auto& steps = flow_.steps.at(&block);
    auto next = steps.begin();
    size_t at = 0;
    for (const clang::CFGElement& element : block) {
      const auto part = element.getAs<clang::CFGStmt>();
      const bool isStep = part && next != steps.end() && next->statement == part->getStmt();
      const FreeStep* step = isStep ? &*next++ : nullptr;
      if (at++ < begin || !part) continue;
      const clang::Stmt& statement = *part->getStmt();
      if (statement.getBeginLoc().isValid()) {
        const ListEvent event = listEventOf(statement, context_);
        if (event.kind == ListEvent::Kind::Remove || event.kind == ListEvent::Kind::Init)
          if (event.isOf(link_) || event.isOf({link_.object, ""})) isTaken = true;
        if (event.kind == ListEvent::Kind::Insert && event.at == inserted) continue;
      }
      if (!step) continue;
      if (setsObject(*step)) return false;
      if (!step->isCall) continue;
      const bool isFreed =
          std::any_of(step->frees.begin(), step->frees.end(),
                      [&](const FreeStep::Free& one) { return one.place.text == link_.object; });
      if (isFreed) {
        if (!freed) freed = step;
        return false;
      }
      if (isGiven(*step)) return false;
    }
    return true;
  }

  bool setsObject(const FreeStep& step) const {
    if (step.begun) return step.begun->getIdentifier() && step.begun->getName() == link_.object;
    return step.changed && freePlaceOf(*step.changed).text == link_.object;
  }

  /// What it is given to may take it out.
  bool isGiven(const FreeStep& step) const {
    return std::any_of(step.given.begin(), step.given.end(), [&](const std::string& given) {
      return given.ends_with(":" + link_.object) || given.ends_with("->" + link_.member);
    });
  }

  const clang::ASTContext& context_;
  const FreeFlow& flow_;
  const ListLink link_;
};

}  // namespace

ListLinks::Events ListLinks::eventsOf(const clang::Stmt& body) const {
  std::map<unsigned, ListEvent> found;
  collectEvents(body, context_, found);
  Events events;
  for (auto& [at, event] : found) events.push_back(std::move(event));
  return events;
}

bool ListLinks::unlinks(const clang::FunctionDecl* function, const std::string& member) {
  const clang::FunctionDecl* body = function ? function->getDefinition() : nullptr;
  if (!body || !body->getBody()) return false;
  const Events events = eventsOf(*body->getBody());
  return std::any_of(events.begin(), events.end(), [&](const ListEvent& event) {
    return event.kind == ListEvent::Kind::Remove &&
           std::any_of(event.links.begin(), event.links.end(),
                       [&](const ListLink& link) { return link.member == member || link.member.empty(); });
  });
}

void ListLinks::addFreed(const clang::FunctionDecl& function, const Events& events, Survey& survey) {
  std::map<std::string, const clang::VarDecl*> locals;
  for (const clang::ParmVarDecl* parameter : function.parameters())
    if (parameter->getIdentifier()) locals[parameter->getName().str()] = parameter;
  collectLocals(*function.getBody(), locals);
  std::set<ListLink> links;
  for (const ListEvent& event : events)
    if (event.kind == ListEvent::Kind::Insert)
      for (const ListLink& link : event.links)
        if (!link.member.empty() && locals.contains(link.object) &&
            isLinkType(locals[link.object]->getType(), link.member))
          links.insert(link);
  if (links.empty()) return;
  const FreeFlow& flow = calls_.flowOf(function);
  if (!flow.graph || !flow.frees) return;
  for (const ListLink& link : links) {
    const auto found = LinkedWays(context_, flow, link).find();
    if (!found) continue;
    const auto* call = llvm::dyn_cast<clang::CallExpr>(found->freed->statement);
    if (call && unlinks(call->getDirectCallee(), link.member)) continue;
    const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    if (call && !freesAsBytes(*call, link.object) && !(callee && callee->getDefinition())) continue;
    survey.valueSlips.push_back({ValueSlip::Kind::FreedLinked, link.object, function.getName().str(),
                                 found->freed->line, found->inserted, link.object + "->" + link.member});
  }
}

/// Taken out of a list of the function, with the pointers to its neighbours, of which one is the head.
void ListLinks::addLocal(const clang::FunctionDecl& function, const Events& events) {
  std::map<std::string, const clang::VarDecl*> locals;
  collectLocals(*function.getBody(), locals);
  for (const auto& [name, variable] : locals) {
    if (!variable->getType()->isRecordType() && !variable->getType()->isArrayType()) continue;
    std::string member;
    std::set<std::string> walkers;
    const ListEvent* removed = nullptr;
    ListLink link;
    bool isSetAgain = false;
    for (const ListEvent& event : events) {
      const bool isOfHead = event.hasArgument("&" + name) || event.hasArgument(name);
      if (isOfHead && event.kind == ListEvent::Kind::Insert)
        for (const ListLink& one : event.links)
          if (!one.member.empty()) member = one.member;
      if (isOfHead && event.kind == ListEvent::Kind::Walk && !event.arguments.empty())
        walkers.insert(event.arguments.front());
      if (event.kind == ListEvent::Kind::Data && event.links.size() == 1 &&
          walkers.contains(event.links[0].object))
        link = event.links[0];
      if (event.kind == ListEvent::Kind::Remove && !isOfHead)
        for (const ListLink& one : event.links)
          if (walkers.contains(one.object)) removed = &event;
      if (removed && &event != removed &&
          (event.kind == ListEvent::Kind::Init || event.kind == ListEvent::Kind::Insert))
        for (const ListLink& one : event.links)
          isSetAgain |= walkers.contains(one.object) || (!member.empty() && one.member == member);
    }
    if (removed && !isSetAgain && !member.empty())
      left_.push_back({{ValueSlip::Kind::LeftLocal, removed->arguments.back(), function.getName().str(),
                        removed->line, 0, name},
                       member});
  }
}

void ListLinks::add(const clang::FunctionDecl& function, Survey& survey) {
  if (!function.getIdentifier()) return;
  const Events events = eventsOf(*function.getBody());
  if (events.empty()) return;
  for (const ListEvent& event : events)
    if (event.kind == ListEvent::Kind::Remove)
      for (const ListLink& link : event.links)
        if (!link.member.empty()) removedBy_[link.member].insert(function.getName().str());
  addFreed(function, events, survey);
  addLocal(function, events);
}

void ListLinks::finish(Survey& survey) {
  for (Left& one : left_) {
    const auto removed = removedBy_.find(one.member);
    if (removed == removedBy_.end()) continue;
    const auto other = std::find_if(removed->second.begin(), removed->second.end(),
                                    [&](const std::string& name) { return name != one.slip.function; });
    if (other == removed->second.end()) continue;
    one.slip.callee = *other;
    survey.valueSlips.push_back(std::move(one.slip));
  }
}

}  // namespace heddle
