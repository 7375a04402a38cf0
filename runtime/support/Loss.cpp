// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/support/Loss.h"

namespace autoprof::runtime {

Loss Lost;

} // namespace autoprof::runtime
