// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the program asks of the runtime by include/autoprof/autoprof.h.
#ifndef AUTOPROF_RUNTIME_CONTROL_CONTROL_H
#define AUTOPROF_RUNTIME_CONTROL_CONTROL_H

#include "autoprof/probe.h"

namespace autoprof::runtime {

/// Does `Request` if this process is one to record; `Name` may be null where
/// there is none. Returns what the API returns. Thread-safe.
int control(autoprof_request Request, const char *Name);

/// From now on there is a recorder.
void startControl();

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_CONTROL_CONTROL_H
