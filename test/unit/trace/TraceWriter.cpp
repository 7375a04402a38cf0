// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TraceWriter.h"

#include "trace/pftrace/MetadataWriter.h"
#include "trace/timeline/TimelineBuilder.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/xxhash.h"

#include <protozero/pbf_writer.hpp>

using namespace autoprof::trace;
using llvm::StringRef;
using protozero::pbf_writer;
namespace json = llvm::json;

namespace {

// Interned ids of the categories, as in docs/trace-format.md.
enum : uint64_t {
  ApiCategory = 1,
  DriverCategory,
  SiteCategory,
  RangeCategory,
  SyncCategory,
  OverheadCategory,
  MetadataCategory
};
constexpr StringRef CategoryNames[] = {"cuda_api", "cuda_driver", "site",
                                       "range",    "cuda_sync",   "overhead",
                                       "autoprof"};

std::string describe(const LaunchShape &S) {
  std::string Words = "op=kernel";
  auto Triple = [&](const char *Key, const uint32_t (&V)[3]) {
    if (V[0])
      Words += llvm::formatv(" {0}={1},{2},{3}", Key, V[0], V[1], V[2]);
  };
  Triple("grid", S.Grid);
  Triple("block", S.Block);
  if (S.Shared)
    Words += llvm::formatv(" smem={0}", *S.Shared);
  if (S.Registers)
    Words += llvm::formatv(" regs={0}", S.Registers);
  return Words;
}

std::string describe(const Stage &S) {
  switch (S.Kind) {
  case OpKind::Kernel:
    return describe(S.Shape);
  case OpKind::Copy:
    return llvm::formatv("op=copy kind={0} src={1} dst={2} bytes={3}",
                         word(S.Dir), word(S.Source), word(S.Destination),
                         S.Bytes);
  case OpKind::Set:
    return llvm::formatv("op=set kind={0} bytes={1}", word(S.Destination),
                         S.Bytes);
  case OpKind::Graph:
    return "op=graph";
  case OpKind::Other:
    break;
  }
  return "op=other";
}

/// CUPTI's number for an overhead kind.
uint64_t number(OverheadKind K) {
  switch (K) {
  case OverheadKind::QueueFull:
    return 6 << 16;
  case OverheadKind::ModuleLoad:
    return 4 << 16;
  case OverheadKind::Profiler:
    return 7 << 16;
  case OverheadKind::Other:
    break;
  }
  return 0;
}

/// Field numbers of google/protobuf/descriptor.proto.
void describeField(pbf_writer &Message, uint32_t Tag, const char *Name,
                   int32_t Number, int32_t Label, int32_t Type) {
  pbf_writer Field(Message, Tag);
  Field.add_string(1, Name);
  Field.add_int32(3, Number);
  Field.add_int32(4, Label);
  Field.add_int32(5, Type);
  if (Type == 11) {
    Field.add_string(2, ".perfetto.protos.TrackEvent");
    Field.add_string(6, ".perfetto.protos.GpuCorrelation");
  }
}

/// Perfetto's extension fields that a trace uses, for versions of it that do
/// not know them: see runtime/trace/TraceExtensions.cpp.
void declareExtensions(pbf_writer &Packet) {
  pbf_writer Descriptor(Packet, 72);
  pbf_writer Set(Descriptor, 1);
  pbf_writer File(Set, 1);
  File.add_string(1, "protos/perfetto/trace/gpu/gpu_track_event.proto");
  File.add_string(2, "perfetto.protos");
  {
    pbf_writer Correlation(File, 4);
    Correlation.add_string(1, "GpuCorrelation");
    for (auto [Name, Number] :
         {std::pair("render_stage_submission_event_ids", 1),
          std::pair("render_stage_wait_event_ids", 2)})
      describeField(Correlation, 2, Name, Number, /*repeated*/ 3,
                    /*uint64*/ 4);
  }
  pbf_writer Event(File, 4);
  Event.add_string(1, "GpuTrackEvent");
  describeField(Event, 6, "gpu_correlation", 3000, /*optional*/ 1,
                /*message*/ 11);
}

class Writer {
  const Timeline &T;
  llvm::raw_ostream &Out;
  const uint64_t Hash;
  std::vector<Site> Sites; ///< Timeline::Sites, see below.

  uint32_t sequenceId(uint32_t K) const { return uint32_t(Hash) + K; }
  uint64_t threadTrack(uint32_t Thread) const { return Hash + 1 + Thread; }
  uint64_t eventId(uint32_t Call) const {
    return Call == None ? 0 : (uint64_t(Call) + 1) << 12 | (Hash & 0xfff);
  }

  template <typename Fill> void packet(uint32_t Sequence, Fill F) {
    std::string Content;
    pbf_writer P(Content);
    P.add_uint32(10, sequenceId(Sequence));
    F(P);
    std::string Framed;
    pbf_writer(Framed).add_bytes(1, Content);
    Out << Framed;
  }

  void header(uint32_t Sequence, uint64_t Track);
  void internNames(pbf_writer &Interned, unsigned Field);
  void metadata(StringRef Name, json::Object Document, uint32_t Sequence = 0);
  void tables();
  void process();
  void thread(uint32_t Thread);
  void bindSites(uint32_t Sequence);
  void slice(uint32_t I);
  void op(uint32_t I);
  void records();
  void memory(const MemoryEvent &M);

public:
  Writer(const Timeline &T, llvm::raw_ostream &Out)
      : T(T), Out(Out),
        Hash(llvm::xxh3_64bits(T.Info.CommandLine) + T.Info.Pid),
        Sites(T.Sites) {
    // Operators have no ids, but only what has one has a name in the format.
    for (Site &S : Sites)
      if (!S.Id && S.isOperator())
        S.Id = userRangeId(
            S.File + ":" + std::to_string(S.Line) + " " + S.Function, S.Callee);
  }
  void write();
};

void Writer::internNames(pbf_writer &Interned, unsigned Field) {
  for (size_t I = 1; I < T.Strings.size(); ++I) {
    pbf_writer Name(Interned, Field);
    Name.add_uint64(1, I);
    Name.add_string(2, T.Strings[I].str());
  }
}

/// The first packet of a sequence: its clock, its defaults, its dictionary.
void Writer::header(uint32_t Sequence, uint64_t Track) {
  packet(Sequence, [&](pbf_writer &P) {
    P.add_uint32(13, 1);
    {
      pbf_writer Snapshot(P, 6);
      auto Add = [&Snapshot](uint32_t Clock, int64_t Now) {
        pbf_writer C(Snapshot, 1);
        C.add_uint32(1, Clock);
        C.add_uint64(2, uint64_t(Now));
      };
      Add(64, 0);
      Add(3, 0);
      // Perfetto shows times of BOOTTIME, and drops events that it cannot
      // convert to it.
      Add(6, 0);
      if (T.Info.Epoch && *T.Info.Epoch > 0)
        Add(1, *T.Info.Epoch);
    }
    {
      pbf_writer Defaults(P, 59);
      Defaults.add_uint32(58, 64);
      pbf_writer TrackEvent(Defaults, 11);
      TrackEvent.add_uint64(11, Track);
    }
    pbf_writer Interned(P, 12);
    for (size_t I = 0; I < std::size(CategoryNames); ++I) {
      pbf_writer Category(Interned, 1);
      Category.add_uint64(1, I + 1);
      Category.add_string(2, CategoryNames[I].str());
    }
    internNames(Interned, 2);
  });
}

void Writer::metadata(StringRef Name, json::Object Document,
                      uint32_t Sequence) {
  packet(Sequence, [&](pbf_writer &P) {
    P.add_uint64(8, 0); // An event without a time is an error to Perfetto.
    P.add_uint32(13, 2);
    pbf_writer E(P, 11);
    E.add_uint32(9, 3);
    E.add_uint64(3, MetadataCategory);
    E.add_string(23, Name.str());
    pbf_writer A(E, 4);
    A.add_string(10, "json");
    A.add_string(6, llvm::formatv("{0}", json::Value(std::move(Document))));
  });
}

void Writer::tables() {
  for (const MetadataDocument &D : metadataAtStart(T))
    if (D.Name != "sites")
      metadata(D.Name, json::Object(D.Content));
  metadata("sites", siteTable(Sites, T.Info).Content);
  packet(0, [&](pbf_writer &Packet) {
    pbf_writer Interned(Packet, 12);
    for (size_t I = 0; I < T.Queues.size(); ++I) {
      const Queue &Q = T.Queues[I];
      pbf_writer Spec(Interned, 24);
      Spec.add_uint64(1, I + 1);
      Spec.add_string(2, llvm::formatv("stream {0}", Q.Stream));
      Spec.add_string(3, llvm::formatv("device={0} context={1} stream={2}",
                                       Q.Device, Q.Context, Q.Stream));
    }
    for (size_t I = 0; I < T.Stages.size(); ++I) {
      pbf_writer Spec(Interned, 24);
      Spec.add_uint64(1, T.Queues.size() + I + 1);
      Spec.add_string(2, T.Strings[T.Stages[I].Name].str());
      Spec.add_string(3, describe(T.Stages[I]));
    }
  });
}

void Writer::bindSites(uint32_t Sequence) {
  for (size_t I = 0; I < Sites.size(); ++I) {
    const Site &S = Sites[I];
    packet(Sequence, [&](pbf_writer &P) {
      pbf_writer Interned(P, 12);
      pbf_writer Location(Interned, 4);
      Location.add_uint64(1, I + 1);
      Location.add_string(2, S.File);
      Location.add_string(3, S.Function);
      Location.add_uint32(4, S.Line);
    });
    if (S.Id)
      metadata("site",
               json::Object{{"iid", int64_t(I + 1)},
                            {"id", llvm::formatv("{0:x}", S.Id).str()}},
               Sequence);
  }
}

/// Without it Perfetto leaves out the events of the threads below it.
void Writer::process() {
  packet(0, [&](pbf_writer &P) {
    pbf_writer Track(P, 60);
    Track.add_uint64(1, Hash);
    pbf_writer Descriptor(Track, 3);
    Descriptor.add_int32(1, int32_t(T.Info.Pid));
    Descriptor.add_string(6, T.Info.CommandLine);
  });
}

void Writer::thread(uint32_t Thread) {
  header(Thread + 1, threadTrack(Thread));
  packet(Thread + 1, [&](pbf_writer &P) {
    pbf_writer Track(P, 60);
    Track.add_uint64(1, threadTrack(Thread));
    Track.add_uint64(5, Hash);
    pbf_writer Descriptor(Track, 4);
    Descriptor.add_int32(1, int32_t(T.Info.Pid));
    Descriptor.add_int32(2, int32_t(T.Threads[Thread].Tid));
    Descriptor.add_string(5, T.Threads[Thread].Name);
  });
  bindSites(Thread + 1);
}

void Writer::slice(uint32_t I) {
  const HostEvents &H = T.Host;
  packet(H.Thread[I] + 1, [&](pbf_writer &P) {
    P.add_uint64(8, uint64_t(H.Start[I]));
    P.add_uint32(13, 2);
    pbf_writer E(P, 11);
    E.add_uint32(9, 1);
    E.add_uint64(3, uint64_t(H.Kind[I]) + ApiCategory);
    E.add_uint64(10, H.Name[I]);
    if (H.Site[I] != None)
      E.add_uint64(34, H.Site[I] + 1);
    if (H.isCall(I)) {
      pbf_writer Correlation(E, 3000);
      Correlation.add_uint64(1, eventId(I));
    }
  });
  packet(H.Thread[I] + 1, [&](pbf_writer &P) {
    P.add_uint64(8, uint64_t(H.End[I]));
    P.add_uint32(13, 2);
    pbf_writer E(P, 11);
    E.add_uint32(9, 2);
  });
}

void Writer::op(uint32_t I) {
  const GpuOps &O = T.Ops;
  const Queue &Q = T.Queues[O.Queue[I]];
  packet(0, [&](pbf_writer &P) {
    P.add_uint64(8, uint64_t(O.Start[I]));
    P.add_uint32(13, 2);
    pbf_writer E(P, 53);
    E.add_uint64(1, eventId(O.Launch[I]));
    E.add_uint64(2, uint64_t(O.End[I] - O.Start[I]));
    E.add_int32(11, int32_t(Q.Device));
    E.add_uint64(5, Q.Context);
    E.add_uint64(13, O.Queue[I] + 1);
    E.add_uint64(14, T.Queues.size() + O.Stage[I] + 1);
  });
}

void Writer::records() {
  auto Instant =
      [this](int64_t Start, uint64_t Category, uint32_t Call,
             std::initializer_list<std::pair<StringRef, int64_t>> Annotations) {
        packet(0, [&](pbf_writer &P) {
          P.add_uint64(8, uint64_t(Start));
          P.add_uint32(13, 2);
          pbf_writer E(P, 11);
          E.add_uint32(9, 3);
          E.add_uint64(3, Category);
          for (auto [Name, Value] : Annotations) {
            pbf_writer A(E, 4);
            A.add_string(10, Name.str());
            A.add_uint64(3, uint64_t(Value));
          }
          if (Call != None) {
            pbf_writer Correlation(E, 3000);
            Correlation.add_uint64(1, eventId(Call));
          }
        });
      };
  for (const SyncRecord &S : T.Syncs)
    Instant(S.Start, SyncCategory, S.Call,
            {{"type", int64_t(S.Type)},
             {"stream", S.Stream},
             {"context", S.Context},
             {"duration", S.Duration}});
  for (const Overhead &O : T.Overheads)
    Instant(O.Start, OverheadCategory, None,
            {{"kind", int64_t(number(O.Kind))},
             {"tid", O.Tid},
             {"duration", O.End - O.Start}});
  for (const MemoryEvent &M : T.Memory)
    memory(M);
}

void Writer::memory(const MemoryEvent &M) {
  packet(0, [&](pbf_writer &P) {
    P.add_uint64(8, uint64_t(M.Time));
    P.add_uint32(13, 2);
    pbf_writer E(P, 11);
    E.add_uint32(9, 3);
    E.add_string(22, "memory");
    E.add_string(23, M.IsRelease ? "free" : "allocate");
    {
      pbf_writer A(E, 4);
      A.add_string(10, "kind");
      A.add_string(6, word(M.Kind).str());
    }
    for (auto [Name, Value] : {std::pair("device", uint64_t(M.Device)),
                               {"address", M.Address},
                               {"bytes", M.Bytes}}) {
      pbf_writer A(E, 4);
      A.add_string(10, Name);
      A.add_uint64(3, Value);
    }
    if (M.Call != None) {
      pbf_writer Correlation(E, 3000);
      Correlation.add_uint64(1, eventId(M.Call));
    }
  });
}

void Writer::write() {
  header(0, Hash);
  process();
  packet(0, [](pbf_writer &P) { declareExtensions(P); });
  tables();
  for (uint32_t I = 0; I < T.Threads.size(); ++I)
    thread(I);
  for (uint32_t I = 0; I < T.Host.size(); ++I)
    slice(I);
  for (uint32_t I = 0; I < T.Ops.size(); ++I)
    op(I);
  records();
  for (const MetadataDocument &D : metadataAtEnd(T))
    metadata(D.Name, json::Object(D.Content));
}

} // namespace

void autoprof::trace::writePftrace(const Timeline &T, llvm::raw_ostream &Out) {
  Writer(T, Out).write();
}
