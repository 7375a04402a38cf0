// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one element of a function's control-flow graph makes of the state.
#ifndef AUTOPROF_AUDIT_EXTRACT_TRANSFER_H
#define AUTOPROF_AUDIT_EXTRACT_TRANSFER_H

#include "audit/extract/Recorder.h"

namespace autoprof::audit {

/// What all elements of a body share.
struct BodyContext {
  const clang::FunctionDecl *F;
  Shared &Unit;
  const SitesOfBody &Sites;
  const Evaluator &Values;
};

/// With a Recorder, it also writes down what happens; null: none.
void transfer(const BodyContext &Body, const clang::CFGElement &E, State &S,
              Recorder *Record);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_TRANSFER_H
