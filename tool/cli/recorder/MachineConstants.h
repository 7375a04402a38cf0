// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long copies and pauses of this machine take, from the recording of a
// short program that exercises them: this one.
#pragma once

#include "catalogue/Semantics.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace autoprof::cli {

/// Of a GPU, counted from 0; takes a few seconds. Its trace goes into a
/// temporary folder, which is removed. An error is a sentence.
llvm::Expected<catalogue::Semantics> measureConstants(int Device);

/// What a recording shows about its machine, with the GPU's name. An error is a
/// sentence.
llvm::Expected<catalogue::Semantics> constantsOf(const std::string &Trace);

/// The hidden command that runs in that process: copies of several sizes, in
/// both directions, of pageable and pinned memory; kernels and copies that are
/// queued one after the other. Well under a second. Prints the
/// driver's version of CUDA and the number of GPUs, or a sentence that says why
/// not. Returns an exit code.
int exerciseMachine(int Device, llvm::raw_ostream &Out);

} // namespace autoprof::cli
