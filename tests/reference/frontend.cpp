#include "tests/reference/frontend.h"

#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/raw_ostream.h>

namespace heddle::reference {

Compiled compile(const std::string& text, unsigned bits) {
  Compiled result;
  result.context = std::make_unique<llvm::LLVMContext>();
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const Header& header : headers())
    memory->addFile(std::string("/reference/") + header.name, 0,
                    llvm::MemoryBuffer::getMemBuffer(header.text));
  memory->addFile("/reference/test.c", 0, llvm::MemoryBuffer::getMemBufferCopy(text));
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
  files->pushOverlay(memory);

  const std::string builtin = HEDDLE_CLANG_RESOURCES "/include";
  const std::vector<const char*> arguments = {"-triple",
                                              bits == 32 ? "i386-pc-linux-gnu" : "x86_64-pc-linux-gnu",
                                              "-emit-llvm-only",
                                              "-O0",
                                              "-disable-O0-optnone",
                                              "-debug-info-kind=line-tables-only",
                                              "-nostdsysteminc",
                                              "-internal-isystem",
                                              "/reference",
                                              "-internal-isystem",
                                              builtin.c_str(),
                                              "-w",
                                              "-x",
                                              "c",
                                              "/reference/test.c"};
  llvm::raw_string_ostream messages(result.error);
  clang::DiagnosticOptions options;
  clang::TextDiagnosticPrinter printer(messages, options);
  auto diagnostics = clang::CompilerInstance::createDiagnostics(*files, options, &printer, false);
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, arguments, *diagnostics)) return result;
  invocation->getCodeGenOpts().DisableLifetimeMarkers = true;
  clang::CompilerInstance instance(std::move(invocation));
  instance.setVirtualFileSystem(files);
  instance.createDiagnostics(new clang::TextDiagnosticPrinter(messages, options), true);
  instance.createFileManager();
  clang::EmitLLVMOnlyAction action(result.context.get());
  if (instance.ExecuteAction(action)) result.module = action.takeModule();
  return result;
}

}  // namespace heddle::reference
