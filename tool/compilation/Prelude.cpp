// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compilation/Prelude.h"

#include "compilation/Chevrons.h"
#include "compilation/ClangVersion.h"
#include "compilation/Headers.h"
#include "compilation/Toolkit.h"
#include "support/LLVMVersion.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
namespace vfs = llvm::vfs;

namespace autoprof::sources {

namespace {

/// clang's CUDA headers include "cuda.h" in quotes, which would find one of the
/// project's. This one, next to them, is found first, and includes that of the
/// toolkit.
std::string cudaHeader(llvm::ArrayRef<std::string> Args) {
  std::string Include = "_next <cuda.h>";
  for (StringRef Arg : Args)
    if (Arg.consume_front("--cuda-path="))
      Include = (" \"" + Arg + "/include/cuda.h\"").str();
  return "#pragma GCC system_header\n#include" + Include + "\n";
}

/// The version from a toolkit's cuda.h, 13000 for CUDA 13.0; 0 if it has none.
unsigned versionOf(StringRef Toolkit) {
  auto Text = llvm::MemoryBuffer::getFile(Toolkit + "/include/cuda.h");
  if (!Text)
    return 0;
  StringRef Rest =
      (*Text)->getBuffer().split("#define CUDA_VERSION ").second.ltrim();
  unsigned Version = 0;
  Rest.consumeInteger(10, Version);
  return Version;
}

} // namespace

void appendPreludeArgs(std::vector<std::string> &Args, StringRef Toolkit,
                       bool IsCuda) {
  const std::string Include = Toolkit.str() + "/include";
  if (IsCuda)
    Args.insert(Args.end(), {"--cuda-path=" + Toolkit.str(), "-include",
                             headerFolder() + "/nvcc_compat.h"});
  else
    Args.insert(Args.end(), {"-D__NVCC__", "-isystem", Include});
  Args.insert(Args.end(), {"-isystem", Include + "/cccl"});
  for (const std::string &Folder : moreIncludes(Toolkit))
    Args.insert(Args.end(), {"-isystem", Folder});
  if (const unsigned Version = versionOf(Toolkit)) {
    Args.push_back("-D__CUDACC_VER_MAJOR__=" + std::to_string(Version / 1000));
    Args.push_back("-D__CUDACC_VER_MINOR__=" +
                   std::to_string(Version % 1000 / 10));
    Args.push_back("-D__CUDACC_VER_BUILD__=0");
  }
}

bool mayMisleadClang(StringRef Folder, StringRef Directory) {
  llvm::SmallString<256> Path(Folder);
  makeAbsolute(Directory, Path);
  for (const char *Name :
       {"/assert.h", "/cuda.h", "/errno.h", "/float.h", "/limits.h", "/math.h",
        "/memory.h", "/new.h", "/stdint.h", "/stdio.h", "/stdlib.h",
        "/string.h", "/time.h", "/types.h", "/utility.h"})
    if (fs::exists(Path + Name))
      return true;
  return false;
}

void appendLast(std::vector<std::string> &Args, StringRef Folder) {
  Args.insert(Args.end(),
              {"-iquote", Folder.str(), "-idirafter", Folder.str()});
}

llvm::IntrusiveRefCntPtr<vfs::FileSystem>
filesForClang(llvm::ArrayRef<std::string> Args) {
  auto Memory = llvm::makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  Memory->addFile(GetResourcesPath(clangProgram()) + "/include/cuda.h", 0,
                  llvm::MemoryBuffer::getMemBufferCopy(cudaHeader(Args)));
  // clang takes a folder for a toolkit only if it has more than headers, which
  // NVIDIA's packages on PyPI need not.
  for (StringRef Arg : Args)
    if (Arg.consume_front("--cuda-path="))
      for (const char *Name : {"/bin/nvcc", "/nvvm/libdevice/libdevice.10.bc"})
        if (!fs::exists(path::parent_path((Arg + Name).str())))
          Memory->addFile(Arg + Name, 0, llvm::MemoryBuffer::getMemBuffer(""));
  auto All = llvm::makeIntrusiveRefCnt<vfs::OverlayFileSystem>(
      inClangsSpelling(vfs::getRealFileSystem()));
  All->pushOverlay(Memory);
  return All;
}

void restoreSpelling(source::Rewriting &R) {
  for (source::EditedFile &F : R.Files)
    if (auto Text = llvm::MemoryBuffer::getFile(F.File.getName());
        Text && (*Text)->getBuffer() != F.Original &&
        withClangsChevrons((*Text)->getBuffer()) == F.Original)
      F.Original = (*Text)->getBuffer().str();
}

} // namespace autoprof::sources
