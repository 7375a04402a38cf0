// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "export/OutputFile.h"

#include "llvm/Support/Path.h"

using namespace autoprof::exports;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {

llvm::Error failure(StringRef Path, const std::string &Reason) {
  return llvm::createStringError("cannot write '" + Path + "': " + Reason);
}

/// The target of a name: follows symbolic links, so that these stay.
std::string target(StringRef Path) {
  llvm::SmallString<256> Real;
  return fs::real_path(Path, Real) ? Path.str() : Real.str().str();
}

bool isDevice(StringRef Path) {
  fs::file_status Status;
  return Path == "-" ||
         (!fs::status(Path, Status) && fs::exists(Status) &&
          !fs::is_regular_file(Status) && !fs::is_directory(Status));
}

} // namespace

llvm::Expected<OutputFile> OutputFile::create(StringRef Path) {
  OutputFile Result;
  if (isDevice(Path)) {
    std::error_code E;
    Result.Path = Path.str();
    Result.Plain = std::make_unique<llvm::raw_fd_ostream>(Path, E);
    if (E)
      return failure(Path, E.message());
  } else {
    Result.Path = target(Path);
    if (fs::is_directory(Result.Path))
      return failure(Path, "it is a directory");
    llvm::Expected<fs::TempFile> File =
        fs::TempFile::create(Result.Path + ".%%%%%%.tmp");
    if (!File)
      return failure(Path, llvm::toString(File.takeError()));
    Result.Temporary.emplace(std::move(*File));
    Result.Plain = std::make_unique<llvm::raw_fd_ostream>(
        Result.Temporary->FD, /*shouldClose=*/false);
  }
  Result.Plain->SetBufferSize(1 << 18);
  return Result;
}

llvm::Error OutputFile::commit() {
  if (Plain) {
    Plain->flush();
    std::error_code E = Plain->error();
    Plain->clear_error();
    if (E)
      return failure(Path, E.message());
    Plain.reset();
  }
  if (!Temporary)
    return llvm::Error::success();
  llvm::Error E = Temporary->keep(Path);
  Temporary.reset();
  return E ? failure(Path, llvm::toString(std::move(E)))
           : llvm::Error::success();
}

OutputFile::~OutputFile() {
  if (Plain) // A caller that did not commit already has an error to report.
    Plain->clear_error();
  Plain.reset();
  if (Temporary)
    llvm::consumeError(Temporary->discard());
}
