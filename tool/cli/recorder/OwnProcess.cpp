// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/recorder/OwnProcess.h"

#include "support/Launch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace autoprof;
using namespace autoprof::cli;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

llvm::Expected<TemporaryFolder> TemporaryFolder::make() {
  llvm::SmallString<128> Path;
  if (std::error_code E = fs::createUniqueDirectory("autoprof", Path))
    return llvm::createStringError("cannot make a temporary folder: " +
                                   E.message());
  return TemporaryFolder(Path.str().str());
}

TemporaryFolder::~TemporaryFolder() {
  if (!Path.empty())
    fs::remove_directories(Path);
}

std::string cli::contentOf(const llvm::Twine &Path) {
  auto File = llvm::MemoryBuffer::getFileAsStream(Path);
  return File ? (*File)->getBuffer().str() : "";
}

llvm::Expected<std::string>
cli::runOwnProcess(llvm::ArrayRef<std::string> Arguments,
                   const Variables &Added, unsigned LimitSeconds) {
  llvm::Expected<TemporaryFolder> Folder = TemporaryFolder::make();
  if (!Folder)
    return Folder.takeError();
  const std::string Printed = Folder->path() + "/printed";
  constexpr StringRef LeftOut[] = {
      "CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH", "CUDA_LAUNCH_BLOCKING"};
  // The user's recording options do not apply to this process.
  const std::vector<std::string> Set =
      support::environmentWith(Added, [&LeftOut](StringRef Name) {
        return Name.starts_with("AUTOPROF_") ||
               llvm::is_contained(LeftOut, Name);
      });
  std::vector<StringRef> All{"autoprof"};
  All.insert(All.end(), Arguments.begin(), Arguments.end());
  const std::optional<StringRef> Redirects[] = {"", StringRef(Printed), ""};
  std::string Message;
  const int Code = llvm::sys::ExecuteAndWait(
      "/proc/self/exe", All,
      llvm::ArrayRef(std::vector<StringRef>(Set.begin(), Set.end())), Redirects,
      LimitSeconds, /*MemoryLimit=*/0, &Message);
  std::string Text = contentOf(Printed);
  if (Code == 0)
    return Text;
  if (Message.empty() && !Text.empty())
    return llvm::createStringError(Text);
  return llvm::createStringError(
      "the process that measures failed" +
      (Message.empty() ? std::string() : ": " + Message));
}
