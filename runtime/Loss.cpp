// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loss.h"

namespace autoprof::runtime {

Loss Lost;

} // namespace autoprof::runtime
