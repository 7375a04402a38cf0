// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "calibrate/Case.h"

#include "calibrate/CaseFiles.h"
#include "catalogue/Catalogue.h"

using namespace autoprof;
using namespace autoprof::calibrate;

llvm::StringRef Case::library() const {
  const catalogue::Row *R = catalogue::lookup(Call);
  return R ? llvm::StringRef(R->Library) : "";
}

Case &Cases::add(std::string Call, std::string Arguments,
                 catalogue::Facts Known, std::function<void(Bench &)> Body) {
  Case C;
  C.Call = std::move(Call);
  C.Arguments = std::move(Arguments);
  C.Known = Known;
  C.Body = std::move(Body);
  All.push_back(std::move(C));
  return All.back();
}

const Cases &calibrate::allCases() {
  static const Cases Result = [] {
    Cases C;
    // Peers before NCCL, which lets the GPUs read each other's memory.
    for (void (*Add)(Cases &) :
         {addRuntimeCopies, addRuntimeMemory, addRuntimeOther, addLaunches,
          addGraphs, addDriver, addBlas, addFft, addRand, addSolver,
          addSolverSparse, addSparse, addDnn, addPeers, addNccl, addCompiled,
          addContexts})
      Add(C);
    Cases Sorted;
    Sorted.NotBuilt = std::move(C.NotBuilt);
    for (bool Destroys : {false, true})
      for (Case &Each : C.All)
        if (Each.Destroys == Destroys)
          Sorted.All.push_back(std::move(Each));
    return Sorted;
  }();
  return Result;
}

std::string calibrate::sizeText(size_t Bytes) {
  for (size_t Threshold : {64 * KiB, 64 * MiB})
    for (int Off : {-1, 1})
      if (Bytes == Threshold + Off)
        return sizeText(Threshold) + (Off < 0 ? " - 1" : " + 1");
  if (Bytes >= MiB && Bytes % MiB == 0)
    return std::to_string(Bytes / MiB) + " MiB";
  if (Bytes >= KiB && Bytes % KiB == 0)
    return std::to_string(Bytes / KiB) + " KiB";
  return std::to_string(Bytes) + " B";
}
