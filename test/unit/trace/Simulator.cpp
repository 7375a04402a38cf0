// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Simulator.h"

#include "analysis/waits/Waits.h"

#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <random>

using namespace autoprof::test;
using namespace autoprof::trace;

Simulator::Simulator(Costs C) : C(C) {
  B.addThread(1000, "train");
  B.T.Info.Pid = 1000;
  B.T.Info.Mode = "full";
  B.T.Info.Version = "0.1.0";
  B.T.Info.CuptiState = "ok";
  B.T.Info.EndReason = "exit";
}

uint32_t Simulator::addThread(uint32_t Device) {
  Threads.push_back({clockOf(0), Device, {}});
  return B.addThread(1000 + int64_t(Threads.size()) - 1, "worker");
}

int64_t Simulator::clockOf(uint32_t Thread) const {
  return Thread == Running ? Now : Threads[Thread].Now;
}

void Simulator::runThread(uint32_t Thread) {
  Threads[Running].Now = Now;
  Running = Thread;
  Now = Threads[Thread].Now;
}

uint32_t Simulator::stream(uint32_t Id, StreamFlag Flag, uint32_t Device) {
  B.setFlag(Device, Device + 1, Id, Flag);
  LastEnd.resize(B.T.Queues.size(), -1);
  return B.queue(Device, Device + 1, Id);
}

uint32_t Simulator::site(uint64_t Id, llvm::StringRef Kind, uint32_t Line,
                         llvm::StringRef Callee, llvm::StringRef File,
                         llvm::StringRef Function) {
  uint32_t I = B.site(Id);
  Site &S = B.T.Sites[I];
  S.Kind = Kind.str();
  S.File = File.str();
  S.Function = Function.str();
  S.Callee = Callee.str();
  S.Line = Line;
  S.Column = 3;
  return I;
}

uint32_t Simulator::stage(OpKind Kind, llvm::StringRef Name, Direction Dir,
                          MemoryKind Destination) {
  uint32_t String = B.T.Strings.intern(Name);
  for (uint32_t I = 0; I < B.T.Stages.size(); ++I)
    if (B.T.Stages[I].Name == String)
      return I;
  Stage S;
  S.Name = String;
  S.Kind = Kind;
  S.Dir = Dir;
  S.Source = Kind == OpKind::Copy ? MemoryKind::Device : MemoryKind::Unknown;
  S.Destination = Destination;
  S.Bytes = Kind == OpKind::Copy ? 4 : 0;
  return B.addStage(S);
}

/// The end of everything that new work on `Stream` is queued behind.
int64_t Simulator::readyAfter(uint32_t Stream) const {
  int64_t Ready = -1;
  for (uint32_t Q = 0; Q < LastEnd.size(); ++Q)
    if (analysis::isOrderedWith(B.T.Queues[Stream], B.T.Queues[Q]))
      Ready = std::max(Ready, LastEnd[Q]);
  return Ready;
}

int64_t Simulator::startAfter(uint32_t Stream, int64_t CallStart) const {
  const int64_t Start = CallStart + C.Latency, Ready = readyAfter(Stream);
  return Ready >= 0 ? std::max(Start, Ready + C.Pause) : Start;
}

int64_t Simulator::nextStart(uint32_t Stream) const {
  return startAfter(Stream, Now);
}

int64_t Simulator::queueOp(uint32_t Stream, int64_t CallStart, int64_t Ns,
                           uint32_t Stage) {
  const int64_t Start = startAfter(Stream, CallStart);
  LastEnd[Stream] = Start + Ns;
  B.addOp(Stream, Stage, Start, Start + Ns, NextEvent + 1);
  Queued.push_back(Start + Ns);
  Threads[Running].Device = B.T.Queues[Stream].Device;
  return Start + Ns;
}

uint64_t Simulator::host(llvm::StringRef Name, int64_t Start) {
  B.addHost(HostKind::Api, Running, Start, Now, B.T.Strings.intern(Name), None,
            ++NextEvent);
  return NextEvent;
}

void Simulator::launch(uint32_t Stream, int64_t Ns, llvm::StringRef Kernel) {
  int64_t Start = Now;
  while (!Queued.empty() && Queued.front() <= Now)
    Queued.pop_front();
  if (Queued.size() >= C.QueueLimit) {
    int64_t Free = Queued[Queued.size() - C.QueueLimit];
    B.T.Overheads.push_back(
        {Now, Free, OverheadKind::QueueFull, 1000 + int64_t(Running)});
    Now = Free;
  }
  queueOp(Stream, Now, Ns, stage(OpKind::Kernel, Kernel));
  Now += C.Launch;
  host("cudaLaunchKernel", Start);
}

void Simulator::launchGraph(uint32_t Stream, int64_t Ns, unsigned Nodes) {
  const int64_t Start = Now;
  if (Nodes == 0)
    queueOp(Stream, Start, Ns, stage(OpKind::Graph, "CUDA graph 2"));
  for (unsigned I = 0; I < Nodes; ++I)
    queueOp(Stream, Start, Ns / Nodes, stage(OpKind::Kernel, "node"));
  Now += C.Launch;
  host("cudaGraphLaunch", Start);
}

void Simulator::waitUntil(llvm::StringRef Call, int64_t CallStart,
                          int64_t Done) {
  if (Call == Dropped)
    return;
  TrueWait += std::max<int64_t>(0, Done - CallStart);
  Now = std::max(Now, Done);
}

void Simulator::readBack(uint32_t Stream, int64_t CopyNs) {
  int64_t Start = Now;
  if (Dropped == "cudaMemcpy") {
    Now += C.Return;
    host("cudaMemcpy", Start);
    return;
  }
  int64_t Ready = readyAfter(Stream);
  int64_t End = queueOp(Stream, Start, CopyNs ? CopyNs : C.Copy,
                        stage(OpKind::Copy, "Memcpy DtoH (Device -> Pageable)",
                              Direction::DtoH, MemoryKind::Pageable));
  waitUntil("cudaMemcpy", Start, Ready);
  Now = std::max(Now, End) + C.Return;
  host("cudaMemcpy", Start);
}

void Simulator::readBackAsync(uint32_t Stream) {
  int64_t Start = Now;
  queueOp(Stream, Start, C.Copy,
          stage(OpKind::Copy, "Memcpy DtoH (Device -> Pinned)", Direction::DtoH,
                MemoryKind::Pinned));
  Now += C.Launch;
  host("cudaMemcpyAsync", Start);
}

void Simulator::transfer(uint32_t Stream, Direction Dir, uint64_t Bytes,
                         MemoryKind Memory, bool Async) {
  const bool Up = Dir == Direction::HtoD, Pinned = Memory == MemoryKind::Pinned;
  const std::string Name = (Up ? "Memcpy HtoD " : "Memcpy DtoH ") +
                           std::to_string(Bytes) +
                           (Pinned ? " pinned" : " pageable");
  const uint32_t Kind = stage(OpKind::Copy, Name, Dir, Memory);
  Stage &S = B.T.Stages[Kind];
  S.Source = Up ? Memory : MemoryKind::Device;
  S.Destination = Up ? MemoryKind::Device : Memory;
  S.Bytes = Bytes;
  const llvm::StringRef Call = Async ? "cudaMemcpyAsync" : "cudaMemcpy";
  const int64_t Start = Now, Ready = readyAfter(Stream);
  if (Pinned) {
    const int64_t End = queueOp(Stream, Start, pinnedTime(Bytes), Kind);
    if (Async) {
      Now += C.Launch;
    } else {
      waitUntil(Call, Start, Ready);
      Now = std::max(Now, End) + C.Return;
    }
  } else {
    // The first piece is copied by the CPU before, the last one after.
    constexpr int64_t Piece = 80'000;
    waitUntil(Call, Start, Ready);
    const int64_t Free = Now;
    const int64_t End = queueOp(Stream, Up ? Free + Piece : Free,
                                int64_t(double(Bytes) / 14), Kind);
    Now = Up ? End - 10'000 : End + Piece;
  }
  host(Call, Start);
}

void Simulator::synchronizeDevice(llvm::StringRef Call) {
  int64_t Start = Now;
  int64_t Done = -1;
  for (uint32_t Q = 0; Q < LastEnd.size(); ++Q)
    if (B.T.Queues[Q].Device == Threads[Running].Device)
      Done = std::max(Done, LastEnd[Q]);
  waitUntil(Call, Start, Done);
  Now += C.Return;
  host(Call, Start);
}

void Simulator::synchronizeStream(uint32_t Stream) {
  int64_t Start = Now;
  waitUntil("cudaStreamSynchronize", Start, readyAfter(Stream));
  Now += C.Return;
  uint64_t Event = host("cudaStreamSynchronize", Start);
  SyncRecord R;
  R.Start = Start;
  R.Duration = Now - Start;
  R.Type = SyncType::Stream;
  R.Stream = B.T.Queues[Stream].Stream;
  R.Context = B.T.Queues[Stream].Context;
  B.addSync(R, Event);
}

void Simulator::synchronizeEvent(int64_t Mark) {
  int64_t Start = Now;
  waitUntil("cudaEventSynchronize", Start, Mark);
  Now += C.Return;
  host("cudaEventSynchronize", Start);
}

int64_t Simulator::mark(uint32_t Stream) const { return LastEnd[Stream]; }

void Simulator::call(llvm::StringRef Name, int64_t Ns) {
  int64_t Start = Now;
  Now += Ns;
  host(Name, Start);
}

void Simulator::enter(HostKind Kind, uint32_t Site) {
  Threads[Running].Open.push_back({Kind, Site, Now});
  Now += 100;
}

void Simulator::leave() {
  Now += 100;
  Slice S = Threads[Running].Open.back();
  Threads[Running].Open.pop_back();
  const Site &Where = B.T.Sites[S.Site];
  B.addHost(S.Kind, Running, S.Start, Now,
            B.T.Strings.intern(S.Kind == HostKind::Site ? Where.Callee
                                                        : Where.Function),
            S.Site);
}

int64_t Simulator::end() const {
  int64_t End = Now;
  for (uint32_t I = 0; I < Threads.size(); ++I)
    End = std::max(End, clockOf(I));
  for (int64_t E : LastEnd)
    End = std::max(End, E);
  return End;
}

Timeline Simulator::finish(llvm::StringRef Command) {
  for (uint32_t I = 0; I < Threads.size(); ++I) {
    runThread(I);
    while (!Threads[I].Open.empty())
      leave();
  }
  B.T.Info.CommandLine = Command.str();
  B.T.Info.Wall = end();
  return B.finish();
}

namespace {

void train(Simulator &S, const Training &P) {
  uint32_t Null = S.stream(7, StreamFlag::Null);
  const Training Plain;
  auto Place = [&](uint64_t Id, llvm::StringRef Kind, uint32_t Line,
                   llvm::StringRef Callee, const std::string &Function) {
    if (P.File != Plain.File || Function != Plain.Function)
      Id ^= Function == "main" && P.File == Plain.File
                ? 0
                : llvm::xxh3_64bits(P.File + '\n' + Function) << 8;
    return S.site(Id, Kind, Line, Callee, P.File, Function);
  };
  uint32_t Main = Place(0x10, "function", 5, "main", "main");
  uint32_t Loop = Place(0x11, "loop", 12, "for", "main");
  uint32_t Kernel = Place(0x12, "launch", 14, "forward", P.Function);
  uint32_t Print =
      Place(P.EarlyRead ? 0x16 : 0x13, "copy", 88, "cudaMemcpy", P.Function);
  uint32_t Copy = Place(0x14, "copy", 95, "cudaMemcpyAsync", P.Function);
  uint32_t Ready = Place(0x15, "sync", 101, "cudaEventSynchronize", P.Function);
  uint32_t Early = 0;
  if (P.EarlyRead)
    Early = Place(0x13, "copy", 13, "cudaMemcpy", P.Function);
  std::mt19937_64 Random(P.Seed);
  std::vector<int64_t> Marks;
  S.enter(HostKind::Range, Main);
  S.call("cudaMalloc", 150'000);
  for (unsigned Step = 0; Step < P.Steps; ++Step) {
    S.enter(HostKind::Range, Loop);
    if (P.EarlyRead) {
      S.enter(HostKind::Site, Early);
      S.readBack(Null);
      S.leave();
    }
    const double Slower =
        1 + P.Jitter * double(Random() >> 11) / double(1ull << 53);
    for (unsigned K = 0; K < P.Kernels; ++K) {
      // A little unevenness, the same in every run: medians of equal numbers
      // would hide mistakes.
      int64_t Uneven = int64_t((Step * 7 + K * 3) % 11) * P.KernelNs / 200;
      S.enter(HostKind::Site, Kernel);
      S.launch(Null, int64_t(double(P.KernelNs + Uneven) * Slower),
               "forward(float const*, int)");
      S.leave();
      S.work(500);
    }
    if (P.Print) {
      S.enter(HostKind::Site, Print);
      S.readBack(Null);
      S.leave();
    } else {
      S.enter(HostKind::Site, Copy);
      S.readBackAsync(Null);
      S.leave();
      Marks.push_back(S.mark(Null));
      if (Step >= 8) {
        S.enter(HostKind::Site, Ready);
        S.synchronizeEvent(Marks[Step - 8]);
        S.leave();
      }
    }
    S.work(P.PrintNs);
    S.leave();
  }
  for (unsigned Step = 0; Step < P.IdleSteps; ++Step) {
    S.enter(HostKind::Range, Loop);
    S.work(P.PrintNs);
    S.leave();
  }
  S.synchronizeDevice();
}

} // namespace

Timeline autoprof::test::simulateTraining(const Training &P, Costs C) {
  Simulator S(C);
  S.B.T.Devices.push_back({0, P.Device});
  train(S, P);
  return S.finish(P.Print ? "./train --print-loss" : "./train");
}

int64_t autoprof::test::trainingEnd(const Training &P, bool WaitsDropped,
                                    Costs C) {
  Simulator S(C);
  S.Dropped = WaitsDropped ? "cudaMemcpy" : "";
  train(S, P);
  return S.end();
}

Timeline autoprof::test::simulateTemporary(bool Once, bool FreeWaits) {
  Simulator S;
  uint32_t Stream = S.stream(7, StreamFlag::Null);
  uint32_t Loop = S.site(1, "loop", 12, "");
  uint32_t Create =
      S.site(2, "alloc", 14, "thrust::device_vector::device_vector");
  uint32_t Destroy =
      S.site(3, "free", 14, "thrust::device_vector::~device_vector");
  for (int Step = 0; Step < 60; ++Step) {
    S.enter(HostKind::Range, Loop);
    if (!Once) {
      S.enter(HostKind::Site, Create);
      S.call("cudaMalloc", 20'000);
      S.work(3'000);
      S.launch(Stream, 2'000, "fill");
      S.synchronizeStream(Stream);
      S.leave();
    }
    for (int Kernel = 0; Kernel < 2; ++Kernel)
      S.launch(Stream, FreeWaits ? 40'000 : 4'000);
    if (!Once) {
      S.enter(HostKind::Site, Destroy);
      if (FreeWaits)
        S.synchronizeDevice("cudaFree");
      S.call("cudaFree", 15'000);
      S.leave();
    }
    S.leave();
  }
  return S.finish();
}
