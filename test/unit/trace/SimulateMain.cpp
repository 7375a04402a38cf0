// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-simulate: writes the trace of a simulated training run.
//   autoprof-simulate OUT [print|deferred] [steps] [kernels] [kernel ns] [cut]
//                     [rank] [ranks]
// `cut` leaves out that many bytes at the end. With `ranks` it is process
// `rank` of so many.
#include "Simulator.h"

#include "trace/pftrace/TraceWriter.h"

#include <cstdlib>

using namespace autoprof;

int main(int argc, char **argv) {
  if (argc < 2) {
    llvm::errs() << "usage: autoprof-simulate OUT [print|deferred] [steps] "
                    "[kernels] [kernel ns] [cut] [rank] [ranks]\n";
    return 2;
  }
  auto Number = [&](int I, int64_t Default) {
    return argc > I ? std::atoll(argv[I]) : Default;
  };
  test::Training P;
  P.Print = argc < 3 || llvm::StringRef(argv[2]) == "print";
  P.Steps = unsigned(Number(3, P.Steps));
  P.Kernels = unsigned(Number(4, P.Kernels));
  P.KernelNs = Number(5, P.KernelNs);
  trace::Timeline T = test::simulateTraining(P);

  if (int64_t Ranks = Number(8, 0)) {
    T.Info.Rank = T.Info.LocalRank = Number(7, 0);
    T.Info.Ranks = Ranks;
    T.Info.Pid += Number(7, 0);
  }

  std::error_code E;
  llvm::raw_fd_ostream Out(argv[1], E);
  if (E) {
    llvm::errs() << argv[1] << ": " << E.message() << '\n';
    return 2;
  }
  if (!Number(6, 0)) {
    trace::writePftrace(T, Out);
    return 0;
  }
  std::string Bytes;
  llvm::raw_string_ostream Whole(Bytes);
  trace::writePftrace(T, Whole);
  Out << llvm::StringRef(Bytes).drop_back(size_t(Number(6, 0)));
}
