// Link units: several compiled units become one module, by the rules of a linker: one strong definition of a
// name, weak and common ones give way, static ones stay apart.
//
// Threading: any thread; `first` must not be in use elsewhere.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/compile/unit_code.h"

namespace llvm {
class Module;
}

namespace heddle {

struct LinkOptions {
  /// A unit is linked only if it defines a name that the program so far uses and does not define, as a linker
  /// takes the members of an archive. Beside a generated harness its constructors and destructors are left
  /// out, and so is its `main` where the program begins elsewhere.
  bool onlyNeeded = false;
  /// With onlyNeeded: names that no unit is linked for; null: none.
  bool (*isKnown)(std::string_view name) = nullptr;
  /// Null, or gets a sentence for each unit that is not linked because it defines what another one does, and
  /// for what is left out; without it two definitions are wrong.
  std::vector<std::string>* leftOut = nullptr;
  /// Null, or gets the gaps of each unit that is linked.
  std::vector<std::string>* gaps = nullptr;
  /// A sentence goes there, too, where units that are compiled with -fcommon define a variable in common.
  bool namesCommon = false;
};

/// Links `others` into the module of `first`. nullopt: linked. Otherwise what is wrong, and where.
std::optional<CompileMessage> linkUnits(CompileResult& first,
                                        const std::vector<std::shared_ptr<const UnitCode>>& others,
                                        const LinkOptions& options = {});

/// The program so far uses a name that it does not define, and that `isKnown` does not hold for.
bool lacksDefinitions(const llvm::Module& module, bool (*isKnown)(std::string_view name));

/// Links of `unit` only what the program uses and does not define, and what that needs; what both define is
/// the program's.
std::optional<CompileMessage> linkNeeded(CompileResult& first, const UnitCode& unit);

/// As a linker's --wrap=x does, for each `x` for which the program defines `__wrap_x`: who calls `x` calls
/// that, and `__real_x` is `x`. `assumed`: gets a sentence for each. Once for a program: a second time would
/// wrap
/// `__real_x`.
void wrapFunctions(llvm::Module& module, std::vector<std::string>& assumed);

}  // namespace heddle
