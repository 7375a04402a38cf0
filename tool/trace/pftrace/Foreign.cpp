// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/pftrace/Foreign.h"

#include "trace/import/Names.h"
#include "trace/input/Inflate.h"
#include "trace/pftrace/Protobuf.h"

#include <set>

using namespace autoprof::trace;
using llvm::StringRef;
using protozero::data_view;
using protozero::pbf_reader;
using protozero::pbf_wire_type;

namespace {

/// Of TracePacket (protos/perfetto/trace/trace_packet.proto).
enum : uint32_t {
  FtraceEvents = 1,
  ChromeEvents = 5,
  TrackEvent = 11,
  InternedData = 12,
  SystemInfo = 45,
  CompressedPackets = 50,
  ChromeMetadata = 51,
  GpuRenderStageEvent = 53
};

StringRef ref(data_view V) { return {V.data(), V.size()}; }

/// What a trace holds, counted.
class Contents {
  uint64_t Slices = 0, GpuOps = 0, KernelBundles = 0;
  bool IsAndroid = false, IsChrome = false, HasCalls = false;
  std::set<std::string> Categories;

  void readName(StringRef Name) { HasCalls |= isCudaCall(Name); }
  void readEvent(data_view Bytes);
  void readInterned(data_view Bytes);
  void readPacket(data_view Bytes, bool IsInner);
  std::string producer() const;

public:
  void read(StringRef Packets, bool IsInner = false);
  std::string sentence() const;
};

void Contents::readEvent(data_view Bytes) {
  constexpr uint64_t Begin = 1;
  bool IsSlice = false;
  for (pbf_reader R(Bytes); R.next();) {
    if (R.tag() == 9) {
      IsSlice |= R.get_uint64() == Begin;
    } else if (R.tag() == 6) { // Chrome's, of the days of its JSON.
      for (pbf_reader Legacy = R.get_message(); Legacy.next();) {
        if (Legacy.tag() != 2) {
          Legacy.skip();
          continue;
        }
        const int32_t Phase = Legacy.get_int32();
        IsSlice |= Phase == 'B' || Phase == 'X';
      }
    } else if (R.tag() == 22) {
      Categories.insert(R.get_string());
    } else if (R.tag() == 23) {
      readName(ref(R.get_view()));
    } else {
      R.skip();
    }
  }
  Slices += IsSlice;
}

void Contents::readInterned(data_view Bytes) {
  for (pbf_reader R(Bytes); R.next();) {
    const uint32_t Table = R.tag();
    if (Table != 1 && Table != 2) { // Categories, names of events.
      R.skip();
      continue;
    }
    for (pbf_reader Entry = R.get_message(); Entry.next();) {
      if (Entry.tag() != 2)
        Entry.skip();
      else if (Table == 1)
        Categories.insert(Entry.get_string());
      else
        readName(ref(Entry.get_view()));
    }
  }
}

void Contents::readPacket(data_view Bytes, bool IsInner) {
  for (pbf_reader R(Bytes); R.next();) {
    switch (R.tag()) {
    case FtraceEvents:
      ++KernelBundles;
      break;
    case ChromeEvents:
    case ChromeMetadata:
      IsChrome = true;
      break;
    case GpuRenderStageEvent:
      ++GpuOps;
      break;
    case TrackEvent:
      readEvent(R.get_view());
      continue;
    case InternedData:
      readInterned(R.get_view());
      continue;
    case SystemInfo:
      for (pbf_reader Info = R.get_message(); Info.next(); Info.skip())
        IsAndroid |= Info.tag() == 2; // android_build_fingerprint
      continue;
    case CompressedPackets:
      if (!IsInner) {
        read(inflated(ref(R.get_view()), MostInPacket), true);
        continue;
      }
      break;
    default:
      break;
    }
    R.skip();
  }
}

void Contents::read(StringRef Packets, bool IsInner) {
  pbf_reader R(Packets.data(), Packets.size());
  try {
    while (R.next()) {
      if (R.tag() != 1 || R.wire_type() != pbf_wire_type::length_delimited) {
        R.skip();
        continue;
      }
      try {
        readPacket(R.get_view(), IsInner);
      } catch (const protozero::exception &) {
        continue; // What could be read is counted.
      }
    }
  } catch (const protozero::exception &) {
    return; // Cut off.
  }
}

std::string Contents::producer() const {
  if (IsChrome)
    return " of Chrome";
  if (IsAndroid)
    return " of an Android system";
  return KernelBundles ? " of a whole system" : "";
}

std::string Contents::sentence() const {
  return "it is a Perfetto trace" + producer() + " with " +
         counted(Slices, "slice") + categoryList(Categories) + ", " +
         counted(GpuOps, "GPU operation") + " and " +
         (HasCalls ? "slices named as calls of CUDA" : "no call of CUDA") +
         "; of Perfetto's traces autoprof reads those that 'autoprof run' "
         "recorded: record the program with it, or with a profiler that "
         "docs/import.md names";
}

} // namespace

std::string autoprof::trace::refusalOfForeign(StringRef Bytes) {
  Contents C;
  C.read(Bytes);
  return C.sentence();
}
