// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/waits/Operators.h"

#include "llvm/ADT/SmallVector.h"

using namespace autoprof;

const catalogue::Row *autoprof::analysis::operatorRow(llvm::StringRef Path) {
  llvm::SmallVector<llvm::StringRef, 8> Names;
  Path.split(Names, " > ");
  for (llvm::StringRef Name : Names) {
    if (!Name.consume_front("aten::"))
      continue;
    for (const char *Scope : {"at::Tensor::", "at::"})
      if (const catalogue::Row *R = catalogue::lookup(Scope + Name.str());
          R && catalogue::mayWait(R->Wait))
        return R;
  }
  return nullptr;
}

bool autoprof::analysis::usesTorch(const trace::Timeline &T) {
  for (const trace::Stage &S : T.Stages)
    // Demangled, or not.
    if (llvm::StringRef Name = T.Strings[S.Name];
        Name.contains("at::native::") || Name.contains("2at6native"))
      return true;
  return false;
}
