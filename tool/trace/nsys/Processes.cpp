// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/nsys/Processes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace autoprof::trace;
using namespace autoprof::trace::nsys;

namespace {

struct Amount {
  uint64_t Ops = 0, Calls = 0;
  bool operator<(const Amount &B) const {
    return std::pair(Ops, Calls) < std::pair(B.Ops, B.Calls);
  }
};
using Amounts = std::map<int64_t, Amount>; ///< By pid.

/// Of the processes with calls.
llvm::Expected<Amounts> count(Database &D) {
  Amounts All;
  if (llvm::Error E =
          D.forEach(Calls, {"globalTid"}, [&All](const DatabaseRow &Row) {
            ++All[pidOf(Row.number(0))].Calls;
          }))
    return std::move(E);
  for (const char *Table : {Kernels, Copies, Sets, Graphs})
    if (llvm::Error E =
            D.forEach(Table, {"globalPid"}, [&All](const DatabaseRow &Row) {
              auto It = All.find(pidOf(Row.number(0)));
              if (It != All.end())
                ++It->second.Ops;
            }))
      return std::move(E);
  return All;
}

} // namespace

llvm::Expected<ChosenProcess>
autoprof::trace::nsys::chooseProcess(Database &D, std::optional<int64_t> Pid) {
  if (!D.hasTable(Calls))
    return llvm::createStringError(
        D.hasTable("StringIds")
            ? "it is an export of Nsight Systems without calls of CUDA (no "
              "table CUPTI_ACTIVITY_KIND_RUNTIME); record with 'nsys profile "
              "--trace=cuda,nvtx'"
            : "it is an SQLite file, but no export of Nsight Systems: it has "
              "no table CUPTI_ACTIVITY_KIND_RUNTIME");
  llvm::Expected<Amounts> All = count(D);
  if (!All)
    return All.takeError();
  if (All->empty())
    return llvm::createStringError("it has no call of CUDA");
  std::vector<std::string> Names;
  for (const auto &[Name, Of] : *All)
    Names.push_back(std::to_string(Name));
  const std::string List = llvm::join(Names, ", ");
  if (Pid && !All->count(*Pid))
    return llvm::createStringError("it has no process " + std::to_string(*Pid) +
                                   " with calls of CUDA; there are " + List);
  if (Pid)
    return ChosenProcess{*Pid, ""};
  auto Busiest = llvm::max_element(
      *All, [](const auto &A, const auto &B) { return A.second < B.second; });
  ChosenProcess Chosen{Busiest->first, ""};
  const bool HasEqual = llvm::count_if(*All, [Busiest](const auto &Other) {
                          return Other.second.Ops == Busiest->second.Ops;
                        }) > 1;
  if (Names.size() > 1)
    Chosen.Note =
        "The file has " + std::to_string(Names.size()) + " processes (" + List +
        "); the report is about process " + std::to_string(Chosen.Pid) +
        (HasEqual ? " (another one has the same number of GPU operations"
                  : " (the others have fewer GPU operations") +
        "). --pid selects another.";
  return Chosen;
}
