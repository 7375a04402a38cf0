// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function per file of this folder: each adds its cases.
#ifndef AUTOPROF_CALIBRATE_CASEFILES_H
#define AUTOPROF_CALIBRATE_CASEFILES_H

#include "calibrate/Case.h"

namespace autoprof::calibrate {

void addRuntimeCopies(Cases &C);
void addRuntimeMemory(Cases &C);
void addRuntimeOther(Cases &C);
void addLaunches(Cases &C);
void addGraphs(Cases &C);
void addDriver(Cases &C);
void addBlas(Cases &C);
void addFft(Cases &C);
void addRand(Cases &C);
void addSolver(Cases &C);
void addSolverSparse(Cases &C);
void addSparse(Cases &C);
void addDnn(Cases &C);
void addNccl(Cases &C);
void addPeers(Cases &C);
void addCompiled(Cases &C);
void addContexts(Cases &C);

} // namespace autoprof::calibrate

#endif // AUTOPROF_CALIBRATE_CASEFILES_H
