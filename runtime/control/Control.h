// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's requests through include/autoprof/autoprof.h.
#ifndef AUTOPROF_RUNTIME_CONTROL_CONTROL_H
#define AUTOPROF_RUNTIME_CONTROL_CONTROL_H

#include "autoprof/probe.h"

namespace autoprof::runtime {

/// Carries out `Request` if this process is to be recorded; `Name` may be null
/// for requests without a name. Returns what the API function returns.
/// Thread-safe.
int control(autoprof_request Request, const char *Name);

/// From now on requests are carried out: there is a recorder.
void startControl();

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_CONTROL_CONTROL_H
