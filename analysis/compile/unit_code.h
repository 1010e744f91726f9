// UnitCode: a compiled unit as data: what it defines, and its code, to be linked any number of times.
//
// CompiledUnits keeps them for a caller who explores many programs of the same files and knows that no file,
// nor any header, changes meanwhile.
//
// Threading: UnitCode is plain data; a CompiledUnits belongs to one thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analysis/compile/compiler.h"

namespace heddle {

struct UnitSymbol {
  std::string name;
  SourcePlace place;
  bool isStrong = false;  // no other unit may define it, too
  bool isCommon = false;  // a variable without a value: one with those of other units
};

struct UnitCode {
  std::string source;  // its file
  std::string dataLayout;
  std::string bitcode;
  std::vector<UnitSymbol> symbols;  // that it defines for others
  std::vector<DeclaredFunction> declared;
  std::vector<std::string> gaps;  // CompileResult::gaps
};

/// What the module defines for others.
std::vector<UnitSymbol> symbolsOf(const llvm::Module& module);

UnitCode codeOf(CompileResult compiled);

class CompiledUnits {
 public:
  /// What was added under the key; null: nothing.
  std::shared_ptr<const UnitCode> find(const std::string& key) const;
  /// Keeps it, while there is room.
  void add(const std::string& key, std::shared_ptr<const UnitCode> code);

 private:
  std::map<std::string, std::shared_ptr<const UnitCode>> units_;
  size_t bytes_ = 0;
};

}  // namespace heddle
