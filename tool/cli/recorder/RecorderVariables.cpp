// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/recorder/RecorderVariables.h"

#include "support/Paths.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cstdlib>

using namespace autoprof;
using namespace autoprof::cli;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

/// As the runtime expects it: patterns are for file names; a % in the name of a
/// folder is literal.
std::string escapeFolder(StringRef Output) {
  size_t NameAt = Output.size() - path::filename(Output).size();
  std::string Result;
  for (char C : Output.take_front(NameAt))
    Result.append(C == '%' ? 2 : 1, C);
  return Result + Output.drop_front(NameAt).str();
}

std::string valueOf(const char *Name, const Variables &Given) {
  auto It = Given.find(Name);
  if (It != Given.end())
    return It->second;
  const char *Own = std::getenv(Name);
  return Own ? Own : "";
}

} // namespace

llvm::Expected<std::string> cli::findRuntime() {
  const std::string Path = support::installed("../lib/libautoprof.so");
  if (!fs::exists(Path))
    return llvm::createStringError("the runtime is missing: there is no '" +
                                   Path +
                                   "'; build or install autoprof as a whole");
  return Path;
}

Variables cli::recorderVariables(const std::string &Runtime, StringRef Output,
                                 StringRef Mode, const Variables &Given) {
  Variables Set = {{"AUTOPROF_OUTPUT", escapeFolder(Output)},
                   {"AUTOPROF_MODE", Mode.str()}};
  // LD_PRELOAD cannot name a path with a blank or a colon.
  if (StringRef(Runtime).find_first_of(" :") == StringRef::npos) {
    const std::string Others = valueOf("LD_PRELOAD", Given);
    Set["LD_PRELOAD"] = Others.empty() ? Runtime : Others + ":" + Runtime;
  }
  // Nsight Compute ends a program where both variables are set.
  if (valueOf("NV_COMPUTE_PROFILER_PERFWORKS_DIR", Given).empty())
    Set["CUDA_INJECTION64_PATH"] = Runtime;
  // Another NVTX tool is left in place; the runtime reports it.
  if (valueOf("NVTX_INJECTION64_PATH", Given).empty())
    Set["NVTX_INJECTION64_PATH"] = Runtime;
  return Set;
}
