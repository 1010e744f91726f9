#include "analysis/compile/guarded_files.h"

#include <ctime>
#include <memory>

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

namespace heddle {
namespace {

using llvm::vfs::File;
using llvm::vfs::Status;

constexpr uint64_t kFileLimit = uint64_t{64} << 20;

class ReadOnlyRegularFiles : public llvm::vfs::ProxyFileSystem {
 public:
  using ProxyFileSystem::ProxyFileSystem;

  llvm::ErrorOr<Status> status(const llvm::Twine& path) override {
    llvm::ErrorOr<Status> result = ProxyFileSystem::status(path);
    if (result && !isWanted(*result)) return std::make_error_code(std::errc::no_such_file_or_directory);
    return result;
  }

  bool exists(const llvm::Twine& path) override { return static_cast<bool>(status(path)); }

  llvm::ErrorOr<std::unique_ptr<File>> openFileForRead(const llvm::Twine& path) override {
    // Asked before opening: to open a pipe blocks already.
    llvm::ErrorOr<Status> found = status(path);
    if (!found) return found.getError();
    return ProxyFileSystem::openFileForRead(path);
  }

 private:
  static bool isWanted(const Status& status) {
    return status.isDirectory() || (status.isRegularFile() && status.getSize() <= kFileLimit);
  }
};

}  // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> guardedFiles(
    const std::map<std::string, std::string>& overlays, const std::string& directory) {
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk(llvm::vfs::createPhysicalFileSystem().release());
  auto guarded = llvm::makeIntrusiveRefCnt<ReadOnlyRegularFiles>(disk);
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const auto& [path, text] : overlays) {
    auto time = static_cast<std::time_t>(llvm::xxh3_64bits(text) & 0x7fffffff);
    memory->addFile(path, time, llvm::MemoryBuffer::getMemBuffer(text, path));
  }
  auto result = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(guarded);
  result->pushOverlay(memory);
  // A directory that does not exist (yet) still is where relative paths start.
  if (result->setCurrentWorkingDirectory(directory)) memory->setCurrentWorkingDirectory(directory);
  return result;
}

}  // namespace heddle
