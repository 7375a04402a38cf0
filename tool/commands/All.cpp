// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Commands.h"

using namespace autoprof;

llvm::ArrayRef<const support::Manual *> commands::all() {
  static const support::Manual *const All[] = {
      &Run,     &Attach,  &Report,    &Diff,    &Compare,   &Try,
      &Check,   &Convert, &Summarize, &Explain, &Calibrate, &Audit,
      &Rewrite, &Sources, &Sites,     &Doctor};
  return All;
}
