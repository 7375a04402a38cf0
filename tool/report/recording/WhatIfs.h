// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What changing the waits would save, in words and in JSON.
#ifndef AUTOPROF_REPORT_RECORDING_WHATIFS_H
#define AUTOPROF_REPORT_RECORDING_WHATIFS_H

#include "report/recording/Report.h"

namespace autoprof::report {

/// The median step time after a change, ns; nullopt without steps.
std::optional<analysis::Gain> stepTimeAfter(const analysis::Result &R,
                                            const analysis::WhatIfRow &Row);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_WHATIFS_H
