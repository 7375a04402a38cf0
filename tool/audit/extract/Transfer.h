// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The effect of one element of a function's control-flow graph on the state.
#ifndef AUTOPROF_AUDIT_EXTRACT_TRANSFER_H
#define AUTOPROF_AUDIT_EXTRACT_TRANSFER_H

#include "audit/extract/Recorder.h"

namespace autoprof::audit {

/// Data shared by all elements of a body.
struct BodyContext {
  const clang::FunctionDecl *F;
  Shared &Unit;
  const SitesOfBody &Sites;
  const Evaluator &Values;
};

/// With a Recorder, it also records what happens; null: it does not.
void transfer(const BodyContext &Body, const clang::CFGElement &E, State &S,
              Recorder *Record);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_TRANSFER_H
