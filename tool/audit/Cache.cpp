// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An entry starts as text: a line with the number of files, then a line
// "<hash> <path>" for each of them, and one with the size of the stored bytes.
// These follow, compressed: of a source with large headers, there are
// megabytes.
#include "audit/Cache.h"

#include "support/LLVMVersion.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace zlib = llvm::compression::zlib;

namespace autoprof::audit {

static std::optional<uint64_t> hashOf(StringRef Path) {
  auto Text = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!Text)
    return std::nullopt;
  return llvm::xxh3_64bits((*Text)->getBuffer());
}

/// Another build of this program may extract different facts from the same
/// text.
static std::string thisProgram() {
  fs::file_status Status;
  if (fs::status("/proc/self/exe", Status))
    return "";
  return std::to_string(Status.getSize()) + " " +
         std::to_string(
             Status.getLastModificationTime().time_since_epoch().count());
}

std::string Cache::defaultFolder() {
  llvm::SmallString<128> Path;
  if (!llvm::sys::path::cache_directory(Path))
    return "";
  llvm::sys::path::append(Path, "autoprof", "audit");
  return Path.str().str();
}

uint64_t Cache::key(llvm::ArrayRef<std::string> Args, StringRef Directory) {
  std::string Text = thisProgram() + '\0' + Directory.str();
  for (const std::string &Arg : Args)
    Text += '\0' + Arg;
  return llvm::xxh3_64bits(StringRef(Text));
}

std::string Cache::pathOf(uint64_t Key) const {
  // pruneCache() removes only files with this prefix.
  return Folder + "/llvmcache-" + llvm::utohexstr(Key, /*LowerCase=*/true, 16);
}

std::optional<std::string> Cache::find(uint64_t Key) const {
  if (Folder.empty())
    return std::nullopt;
  llvm::Expected<fs::file_t> File = fs::openNativeFileForRead(pathOf(Key));
  if (!File) {
    llvm::consumeError(File.takeError());
    return std::nullopt;
  }
  scope_exit Close([&File] { fs::closeFile(*File); });
  auto Entry = llvm::MemoryBuffer::getOpenFile(*File, pathOf(Key), -1, false);
  if (!Entry)
    return std::nullopt;
  auto [First, Rest] = (*Entry)->getBuffer().split('\n');
  unsigned Count = 0;
  if (First.getAsInteger(10, Count))
    return std::nullopt;
  for (unsigned I = 0; I < Count; ++I) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    auto [Hash, Path] = Line.split(' ');
    uint64_t Known = 0;
    if (Hash.getAsInteger(16, Known) || hashOf(Path) != Known)
      return std::nullopt;
  }
  StringRef Size;
  std::tie(Size, Rest) = Rest.split('\n');
  size_t Bytes = 0;
  llvm::SmallVector<uint8_t, 0> Stored;
  // A damaged size must not take all memory: zlib makes a thousandth at best.
  constexpr size_t MostPerByte = 1100;
  if (Size.getAsInteger(10, Bytes) || Bytes / MostPerByte > Rest.size() ||
      !zlib::isAvailable())
    return std::nullopt;
  if (llvm::Error E =
          zlib::decompress(llvm::arrayRefFromStringRef(Rest), Stored, Bytes)) {
    llvm::consumeError(std::move(E));
    return std::nullopt;
  }
  // Update it explicitly: many file systems record reads once a day, or never.
  fs::setLastAccessAndModificationTime(*File, std::chrono::system_clock::now());
  return llvm::toStringRef(Stored).str();
}

void Cache::store(uint64_t Key, llvm::ArrayRef<std::string> Files,
                  StringRef Bytes) const {
  if (Folder.empty() || !zlib::isAvailable() || fs::create_directories(Folder))
    return;
  std::string Text;
  unsigned Count = 0;
  for (const std::string &File : Files)
    if (std::optional<uint64_t> Hash = hashOf(File)) {
      Text += llvm::utohexstr(*Hash, /*LowerCase=*/true) + " " + File + "\n";
      ++Count;
    }
  int Descriptor = 0;
  llvm::SmallString<128> Temporary;
  if (fs::createUniqueFile(pathOf(Key) + ".%%%%%%", Descriptor, Temporary))
    return;
  llvm::raw_fd_ostream Out(Descriptor, /*shouldClose=*/true);
  llvm::SmallVector<uint8_t, 0> Stored;
  zlib::compress(llvm::arrayRefFromStringRef(Bytes), Stored,
                 zlib::BestSpeedCompression);
  Out << Count << '\n'
      << Text << Bytes.size() << '\n'
      << llvm::toStringRef(Stored);
  Out.close();
  const bool Failed = Out.has_error();
  Out.clear_error();
  if (Failed || fs::rename(Temporary, pathOf(Key)))
    fs::remove(Temporary);
}

void Cache::prune() const {
  if (Folder.empty())
    return;
  llvm::CachePruningPolicy Policy;
  Policy.Interval = std::chrono::seconds(0); // Prune at each call.
  Policy.Expiration = std::chrono::hours(30 * 24);
  Policy.MaxSizePercentageOfAvailableSpace = 100;
  Policy.MaxSizeBytes = MaxBytes;
  llvm::pruneCache(Folder, Policy);
}

} // namespace autoprof::audit
