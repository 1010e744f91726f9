// Helpers of the compile tests: one way to compile a text, to count accesses in IR, and a scratch directory.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "analysis/compile/compiler.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

namespace heddle {

inline const std::string kNowhere = "/no-such-directory/main.c";

inline CompileCommand commandWith(const std::vector<std::string>& arguments = {}) {
  CompileCommand command;
  command.directory = "/no-such-directory";
  command.arguments = arguments;
  command.source = "test";
  return command;
}

inline CompileResult compileText(const std::string& text, const std::vector<std::string>& arguments = {},
                                 const std::map<std::string, std::string>& overlays = {},
                                 const std::string& path = kNowhere) {
  return Compiler().compile(path, text, commandWith(arguments), overlays);
}

inline std::string describe(const CompileResult& result) {
  std::string text;
  for (const CompileMessage& message : result.messages)
    text += message.place.file + ":" + std::to_string(message.place.line) + ":" +
            std::to_string(message.place.column) + ": " + (message.isError ? "error: " : "warning: ") +
            message.text + "\n";
  return text;
}

inline std::string printed(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

inline std::string repeat(const std::string& text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

/// Needs more stack in Clang's parser than any thread has.
inline std::string crashingText() {
  return "int f(int a) { return " + repeat("-~", 1000000) + "a; }\n";
}

struct Accesses {
  int loads = 0;
  int stores = 0;
  bool operator==(const Accesses&) const = default;
};

/// Loads and stores whose address is exactly the global `name`, in function `function`.
inline Accesses accessesOf(const CompileResult& result, const std::string& function,
                           const std::string& name) {
  Accesses counts;
  const llvm::Function* body = result.module->getFunction(function);
  const llvm::GlobalVariable* global = result.module->getGlobalVariable(name, true);
  if (!body || !global) return {-1, -1};
  for (const llvm::Instruction& instruction : llvm::instructions(body)) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      counts.loads += load->getPointerOperand()->stripInBoundsOffsets() == global;
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      counts.stores += store->getPointerOperand()->stripInBoundsOffsets() == global;
  }
  return counts;
}

inline int allocasIn(const CompileResult& result, const std::string& function) {
  int count = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(result.module->getFunction(function)))
    count += llvm::isa<llvm::AllocaInst>(instruction);
  return count;
}

class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "heddle-test-XXXXXX").string();
    path_ = std::filesystem::canonical(mkdtemp(pattern.data())).string();
  }
  ~ScratchDirectory() { std::filesystem::remove_all(path_); }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(file(name)).parent_path());
    std::ofstream(file(name), std::ios::binary) << text;
    return file(name);
  }
  /// Every file below, with its size, sorted: equal before and after means that nothing was written.
  std::vector<std::string> listing() const {
    std::vector<std::string> result;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path_))
      result.push_back(entry.path().string() +
                       (entry.is_regular_file() ? " " + std::to_string(entry.file_size()) : ""));
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  std::string path_;
};

}  // namespace heddle
