// Link units: several compiled units become one module, by the rules of a linker: one strong definition of a
// name, weak and common ones give way, static ones stay apart.
//
// Threading: any thread; `first` must not be in use elsewhere.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/compile/unit_code.h"

namespace llvm {
class Module;
}

namespace heddle {

/// Links `others` into the module of `first`. `onlyNeeded`: a unit is linked only if it defines a name that
/// the program so far uses and does not define, as a linker takes the members of an archive; else all are.
/// nullopt: linked. Otherwise what is wrong, and where. `leftOut`: null, or gets a sentence for each unit
/// that is not linked because it defines what another one does; without it that is wrong. With `onlyNeeded`,
/// beside a generated harness, their constructors and destructors are left out, which `leftOut` says, too.
std::optional<CompileMessage> linkUnits(CompileResult& first,
                                        const std::vector<std::shared_ptr<const UnitCode>>& others,
                                        bool onlyNeeded, std::vector<std::string>* leftOut = nullptr);

/// Links of `unit` only what the program uses and does not define, and what that needs; what both define is
/// the program's.
std::optional<CompileMessage> linkNeeded(CompileResult& first, const UnitCode& unit);

/// As a linker's --wrap=x does, for each `x` for which the program defines `__wrap_x`: who calls `x` calls
/// that, and `__real_x` is `x`. `assumed`: gets a sentence for each. Once for a program: a second time would
/// wrap
/// `__real_x`.
void wrapFunctions(llvm::Module& module, std::vector<std::string>& assumed);

}  // namespace heddle
