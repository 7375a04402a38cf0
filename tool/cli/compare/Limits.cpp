// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/compare/Limits.h"

#include "runtime/protocol/WindowPlan.h"

#include "llvm/Support/FileSystem.h"

#include <cmath>

using namespace autoprof;
using namespace autoprof::support;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

llvm::Error cli::readCount(const Arguments &A, StringRef Name, size_t Most,
                           size_t &Out) {
  if (!A.has(Name))
    return llvm::Error::success();
  if (StringRef(A.get(Name)).getAsInteger(10, Out) || Out < 1 || Out > Most)
    return llvm::createStringError("--" + Name + " takes a number from 1 to " +
                                   llvm::Twine(Most) + ", not '" + A.get(Name) +
                                   "'");
  return llvm::Error::success();
}

llvm::Error cli::readShare(const Arguments &A, StringRef Name, double &Out) {
  if (!A.has(Name))
    return llvm::Error::success();
  double Value = 0;
  if (StringRef(A.get(Name)).rtrim('%').rtrim().getAsDouble(Value) ||
      !std::isfinite(Value) || Value < 0)
    return llvm::createStringError("--" + Name +
                                   " takes a percentage such as 1%, not '" +
                                   A.get(Name) + "'");
  Out = Value / 100;
  return llvm::Error::success();
}

llvm::Error cli::readTime(const Arguments &A, std::optional<int64_t> &Out) {
  if (!A.has("time"))
    return llvm::Error::success();
  const std::string Given = A.get("time");
  uint64_t Ns = 0;
  if (!runtime::parseTime(Given, Ns) || !Ns)
    return llvm::createStringError("--time=" + Given + " is not " +
                                   runtime::IsTime);
  Out = int64_t(Ns);
  return llvm::Error::success();
}

llvm::Error cli::makeFolder(const std::string &Path) {
  std::error_code E = fs::create_directories(Path);
  if (!E && !fs::is_directory(Path))
    E = std::make_error_code(std::errc::not_a_directory);
  return E ? llvm::createStringError("cannot create the folder '" + Path +
                                     "': " + E.message())
           : llvm::Error::success();
}

llvm::Error
cli::writeFile(const std::string &Path,
               llvm::function_ref<void(llvm::raw_ostream &)> Write) {
  std::error_code E;
  llvm::raw_fd_ostream Out(Path, E);
  if (!E) {
    Write(Out);
    Out.close();
    E = Out.error();
    Out.clear_error();
  }
  return E ? llvm::createStringError("cannot write '" + Path +
                                     "': " + E.message())
           : llvm::Error::success();
}
