#include "analysis/pipeline/prepare.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include "analysis/compile/compiler.h"
#include "analysis/compile/link_units.h"
#include "analysis/compile/section_conversion.h"
#include "analysis/pipeline/link_models.h"
#include "analysis/pipeline/missing_headers.h"
#include "analysis/pipeline/unknown_calls.h"
#include "analysis/program/array_bounds.h"
#include "analysis/program/reachable.h"

namespace heddle {

namespace {

/// Notes why there is no program: the first error.
void fail(PreparedProgram& prepared, const std::string& file, std::string what,
          const std::vector<CompileMessage>& messages, CompileFailure failure = CompileFailure::Errors) {
  prepared.compilerFailed = failure != CompileFailure::Errors;
  if (prepared.compilerFailed && !messages.empty()) {
    prepared.problem = messages.back().text;
    prepared.problemPlace = messages.back().place;
    return;
  }
  prepared.problem = std::move(what);
  prepared.missing = missingHeadersOf(messages, file);
  for (const CompileMessage& message : messages) {
    if (!message.isError) continue;
    prepared.problem += ": " + message.text;
    prepared.problemPlace = message.place;
    break;
  }
  if (prepared.missing.size() < 2) return;
  prepared.problem += ", and " + std::to_string(prepared.missing.size() - 1) + " more:";
  for (size_t i = 1; i < prepared.missing.size(); ++i)
    prepared.problem += " '" + prepared.missing[i].name + "'";
}

/// Of the first unit; the others are compiled once for all.
CompileModes modesOf(const Environment& environment, bool checkOverflow) {
  return {environment.undefinedIsInput || environment.keepsLocals, checkOverflow};
}

/// What decides what a unit compiles to, as long as no header changes.
std::string keyOf(const Snapshot& snapshot, const Unit& unit, const std::string& source,
                  const CompileModes& modes) {
  std::string key = unit.path + '\0' + unit.command.directory + '\0';
  for (const std::string& argument : unit.command.arguments) key += argument + '\0';
  key += modes.keepLocals ? 'k' : '-';
  key += modes.checkOverflow ? 'o' : '-';
  key += unit.command.isPartial ? 'p' : '-';
  key += unit.command.source.starts_with("inferred") ? 'i' : '-';
  for (const auto* texts : {&snapshot.overlays, &unit.command.made})
    for (const auto& [path, text] : *texts) {
      key += path + '\0';
      key += text + '\0';
    }
  return key + source;
}

/// Compiles the other units and links them to the first. False: `prepared` says why.
bool addUnits(const Snapshot& snapshot, const CompileModes& modes, Compiler& compiler, CompileResult& first,
              PreparedProgram& prepared) {
  // Empty but in a thread that explores fixed files.
  thread_local CompiledUnits known;
  std::vector<std::shared_ptr<const UnitCode>> units;
  // Who defines pthread_mutex_lock wraps the library's own.
  if (snapshot.onlyNeededUnits && !lacksDefinitions(*first.module, hasModel)) return true;
  for (const Unit& unit : snapshot.units) {
    const auto overlay = snapshot.overlays.find(unit.path);
    const std::string& text = overlay == snapshot.overlays.end() ? unit.text : overlay->second;
    const std::string key = snapshot.filesAreFixed ? keyOf(snapshot, unit, text, modes) : "";
    std::shared_ptr<const UnitCode> code = snapshot.filesAreFixed ? known.find(key) : nullptr;
    if (!code) {
      CompileResult compiled = compiler.compile(unit.path, text, unit.command, snapshot.overlays, modes);
      prepared.compileSeconds += compiled.seconds;
      // Who takes what is needed, as far as it compiles, goes on without it.
      const bool isLeftOut = !compiled.module && unit.command.isPartial && snapshot.onlyNeededUnits;
      if (!compiled.module && !isLeftOut) {
        fail(prepared, unit.path, "a unit of the program does not compile", compiled.messages,
             compiled.failure);
        return false;
      }
      code = isLeftOut ? std::make_shared<const UnitCode>()
                       : std::make_shared<const UnitCode>(codeOf(std::move(compiled)));
      if (snapshot.filesAreFixed) known.add(key, code);
    }
    if (code->bitcode.empty()) {
      prepared.gaps.push_back("the functions of '" + unit.path + "', which does not compile, are unknown");
      continue;
    }
    prepared.declared.insert(prepared.declared.end(), code->declared.begin(), code->declared.end());
    units.push_back(std::move(code));
  }
  // Who takes what is needed does not know which files make the program.
  const bool isPart = snapshot.onlyNeededUnits;
  const bool isGuessed = snapshot.command.source.starts_with("inferred");
  const auto problem = linkUnits(first, units,
                                 {.onlyNeeded = isPart,
                                  .isKnown = hasModel,
                                  .leftOut = isPart ? &prepared.gaps : nullptr,
                                  .gaps = &prepared.gaps,
                                  .namesCommon = isGuessed});
  if (problem) fail(prepared, snapshot.path, "the units do not link", {*problem});
  return !problem;
}

}  // namespace

std::optional<bool> definesFunction(const Snapshot& snapshot, const std::string& name) {
  thread_local Compiler compiler;
  const CompileResult compiled =
      compiler.compile(snapshot.path, snapshot.text, snapshot.command, snapshot.overlays);
  if (!compiled.module) return std::nullopt;
  const llvm::Function* function = compiled.module->getFunction(name);
  return function && !function->isDeclaration();
}

PreparedProgram prepareModule(const Snapshot& snapshot, bool checkOverflow, CompileResult& compiled) {
  PreparedProgram prepared;
  // A compiler keeps what makes the next compile of this thread fast.
  thread_local Compiler compiler;
  const CompileModes modes = modesOf(snapshot.environment, checkOverflow);
  compiled = compiler.compile(snapshot.path, snapshot.text, snapshot.command, snapshot.overlays, modes);
  prepared.compileSeconds = compiled.seconds;
  if (!compiled.module) {
    fail(prepared, snapshot.path, "the file does not compile", compiled.messages, compiled.failure);
    return prepared;
  }
  prepared.declared = std::move(compiled.declared);
  prepared.gaps = std::move(compiled.gaps);
  const CompileModes others{snapshot.environment.undefinedIsInput, checkOverflow};
  if (!snapshot.units.empty() && !addUnits(snapshot, others, compiler, compiled, prepared)) {
    compiled.module.reset();
    return prepared;
  }
  wrapFunctions(*compiled.module, prepared.gaps);
  convertSections(*compiled.module);
  keepInnerBounds(*compiled.module);
  return prepared;
}

void lowerModule(const llvm::Module& module, const Snapshot& snapshot, const std::string& entry,
                 PreparedProgram& prepared, bool withStatements) {
  std::unique_ptr<Program> program = lower(module, withStatements);
  const std::optional<FunctionId> function =
      entry.empty() ? std::optional<FunctionId>(kNone) : program->findFunction(entry);
  if (!function) {
    prepared.verdict = Verdict::Unsupported;
    prepared.problem = "no function '" + entry + "' to start from; name one with --entry";
    for (const std::string& gap : prepared.gaps) prepared.problem += "; " + gap;
    prepared.problemPlace.file = snapshot.path;
    return;
  }
  program->environment = snapshot.environment;
  for (DeclaredFunction& declared : prepared.declared) {
    std::string name = declared.name;
    program->declared.try_emplace(std::move(name), std::move(declared));
  }
  prepared.declared.clear();
  prepared.entry = *function;
  if (program->cancels)
    program->cancels =
        mayCallLibrary(*program, reachableFunctions(*program, prepared.entry), "pthread_cancel");
  prepared.program = std::move(program);
}

PreparedProgram prepare(const Snapshot& snapshot, const std::string& entry, bool checkOverflow,
                        bool withStatements) {
  CompileResult compiled;
  PreparedProgram prepared = prepareModule(snapshot, checkOverflow, compiled);
  if (!compiled.module) return prepared;
  const CompileModes modes = modesOf(snapshot.environment, checkOverflow);
  if (const auto problem = linkModels(snapshot, modes, compiled)) {
    fail(prepared, snapshot.path, "a model of the project does not compile", {*problem});
    return prepared;
  }
  // Those of the project's models; the others were moved before.
  prepared.declared.insert(prepared.declared.end(), compiled.declared.begin(), compiled.declared.end());
  lowerModule(*compiled.module, snapshot, entry, prepared, withStatements);
  return prepared;
}

}  // namespace heddle
