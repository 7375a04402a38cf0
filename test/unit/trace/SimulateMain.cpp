// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-simulate: writes the trace of a simulated training run.
//   autoprof-simulate OUT [print|deferred] [steps] [kernels] [kernel ns] [cut]
//                     [rank] [ranks] [name=value]...
//   autoprof-simulate OUT hostile|temporary
//   autoprof-simulate PREFIX job [steps of rank 1] [rank 0 reads: 0 or 1] [rank
//   1 reads twice: 0 or 1]
// Names: jitter (a share), seed, file, function, device, early (1: another
// cudaMemcpy), idle (so many steps without GPU work at the end),
// constants (a file with what is stored of the machine). `cut`
// leaves out that many bytes at the end. With `ranks` it is process `rank` of
// so many. `hostile`: some steps with names that a page must not trust.
// `temporary`: steps that make and destroy a device_vector.
#include "Job.h"
#include "TraceWriter.h"

#include "llvm/Support/MemoryBuffer.h"

#include <cstdlib>

using namespace autoprof;

/// Markup, the end of a script, marks of direction, and bytes that are no text.
static trace::Timeline simulateHostile() {
  constexpr llvm::StringLiteral Script =
      "</script><script>document.title='broken'</script>";
  test::Simulator S;
  uint32_t Stream = S.stream(7, trace::StreamFlag::Blocking);
  uint32_t Loop = S.site(1, "loop", 12, "", "src/<img src=x>.cu", "f<\"'&>");
  uint32_t Copy =
      S.site(2, "copy", 88, "cudaMemcpy", "src/\xE2\x80\xAE.cu", Script);
  for (int I = 0; I < 10; ++I) {
    S.enter(trace::HostKind::Range, Loop);
    S.launch(Stream, 50'000, Script);
    S.launch(Stream, 50'000,
             "<!--<script> \xE2\x80\xA8 \xE2\x80\xAE \xFF \x01");
    S.enter(trace::HostKind::Site, Copy);
    S.readBack(Stream);
    S.leave();
    S.leave();
  }
  trace::Timeline T = S.finish("./train </title><script>document.title="
                               "'broken'</script>");
  T.Threads[0].Name = "<b>\"thread\"</b>";
  return T;
}

/// One of the name=value arguments.
static bool set(test::Training &P, llvm::StringRef Argument) {
  auto [Name, Value] = Argument.split('=');
  if (Name == "jitter")
    return !Value.getAsDouble(P.Jitter);
  if (Name == "seed")
    return !Value.getAsInteger(10, P.Seed);
  if (Name == "early")
    P.EarlyRead = Value == "1";
  else if (Name == "file")
    P.File = Value.str();
  else if (Name == "function")
    P.Function = Value.str();
  else if (Name == "idle")
    return !Value.getAsInteger(10, P.IdleSteps);
  else if (Name == "device")
    P.Device = Value.str();
  else if (auto File = llvm::MemoryBuffer::getFile(Value);
           Name == "constants" && File)
    P.Constants = (*File)->getBuffer().str();
  else
    return false;
  return true;
}

/// PREFIX0.pftrace and PREFIX1.pftrace: two ranks that meet in every step; rank
/// 1 reads the loss in each.
static int writeJob(const std::string &Prefix, unsigned Steps, bool BothRead,
                    bool Twice) {
  test::Job J, Longer;
  J.Ranks.resize(2);
  J.Ranks[0].Reads = BothRead;
  J.Ranks[0].PrintNs = 60'000;
  J.Ranks[1].Reads = true;
  J.Ranks[1].ReadsAgain = Twice;
  Longer = J;
  Longer.Steps = Steps;
  const std::vector<trace::Timeline> Timelines = test::simulateJob(J),
                                     Others = test::simulateJob(Longer);
  for (size_t I = 0; I < Timelines.size(); ++I) {
    std::error_code E;
    llvm::raw_fd_ostream Out(Prefix + std::to_string(I) + ".pftrace", E);
    if (E)
      return 2;
    trace::writePftrace(I ? Others[I] : Timelines[I], Out);
  }
  return 0;
}

int main(int argc, char **argv) {
  test::Training P;
  while (argc > 2 && llvm::StringRef(argv[argc - 1]).contains('='))
    if (!set(P, argv[--argc])) {
      llvm::errs() << "unknown: " << argv[argc] << '\n';
      return 2;
    }
  if (argc < 2) {
    llvm::errs() << "usage: autoprof-simulate OUT [print|deferred] [steps] "
                    "[kernels] [kernel ns] [cut] [rank] [ranks] "
                    "[name=value]...\n";
    return 2;
  }
  auto Number = [&](int I, int64_t Default) {
    return argc > I ? std::atoll(argv[I]) : Default;
  };
  P.Print = argc < 3 || llvm::StringRef(argv[2]) == "print";
  P.Steps = unsigned(Number(3, P.Steps));
  P.Kernels = unsigned(Number(4, P.Kernels));
  P.KernelNs = Number(5, P.KernelNs);
  if (argc > 2 && llvm::StringRef(argv[2]) == "job")
    return writeJob(argv[1], unsigned(Number(3, 40)), Number(4, 0) != 0,
                    Number(5, 0) != 0);
  const llvm::StringRef Subject = argc > 2 ? argv[2] : "";
  trace::Timeline T = Subject == "hostile"     ? simulateHostile()
                      : Subject == "temporary" ? test::simulateTemporary()
                                               : test::simulateTraining(P);

  T.Constants = P.Constants;
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
