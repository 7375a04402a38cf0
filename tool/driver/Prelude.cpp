// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/Prelude.h"

using llvm::StringRef;

namespace autoprof::driver {

void appendPreludeArgs(std::vector<std::string> &Args, StringRef Toolkit,
                       bool IsCuda) {
  const std::string Include = Toolkit.str() + "/include";
  if (IsCuda)
    Args.push_back("--cuda-path=" + Toolkit.str());
  else
    Args.push_back("-I" + Include);
  Args.insert(Args.end(), {"-isystem", Include + "/cccl"});
}

} // namespace autoprof::driver
