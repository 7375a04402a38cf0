// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole transfers between host and device, in words, tables and JSON: what they
// cost, and what changing them would save.
#ifndef AUTOPROF_REPORT_RECORDING_TRANSFERS_H
#define AUTOPROF_REPORT_RECORDING_TRANSFERS_H

#include "report/recording/Sentences.h"

namespace autoprof::report {

/// "cudaMemcpy at train.cu:88", as its user calls it; if several have that
/// name, such as those of the layers of a model, with the operator around it:
/// "Tensor.to in Encoder (layer.3)".
std::string transferName(const Input &Subject,
                         const analysis::TransferRow &Row);

/// "pin the memory of cudaMemcpy at train.cu:88".
std::string transferChange(const Input &Subject, const analysis::WhatIfRow &R);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_TRANSFERS_H
