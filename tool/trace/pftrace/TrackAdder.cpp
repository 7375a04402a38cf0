// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/pftrace/TrackAdder.h"

#include "trace/input/Inflate.h"
#include "trace/pftrace/Protobuf.h"

#include "llvm/Support/xxhash.h"

#include <protozero/pbf_writer.hpp>

#include <algorithm>

using namespace autoprof::trace;
using llvm::StringRef;
using protozero::data_view;
using protozero::pbf_reader;
using protozero::pbf_writer;

namespace {

/// Interned once, for all slices: not one of docs/trace-format.md, so that
/// autoprof's own reader leaves them out.
constexpr StringRef AddedCategory = "autoprof_analysis";

/// What has to be known of a trace to add to it.
struct Facts {
  std::string Clocks; ///< The latest snapshot: clocks must not go back.
  uint64_t Process = 0;
  uint32_t LastSequence = 0;

  void read(StringRef Packets);

private:
  uint64_t Latest = 0; ///< Clock 64 in Clocks.

  void readPacket(data_view Packet);
  void readClocks(data_view Snapshot);
  void readTrack(data_view Track);
};

void Facts::readTrack(data_view Track) {
  uint64_t Uuid = 0;
  bool IsProcess = false;
  for (pbf_reader R(Track); R.next();)
    if (R.tag() == 1) {
      Uuid = R.get_uint64();
    } else {
      IsProcess |= R.tag() == 3;
      R.skip();
    }
  if (IsProcess)
    Process = Uuid;
}

void Facts::readClocks(data_view Snapshot) {
  for (pbf_reader R(Snapshot); R.next();) {
    if (R.tag() != 1) {
      R.skip();
      continue;
    }
    uint64_t Clock = 0, Time = 0;
    for (pbf_reader Inner = R.get_message(); Inner.next();)
      if (Inner.tag() == 1)
        Clock = Inner.get_uint64();
      else if (Inner.tag() == 2)
        Time = Inner.get_uint64();
      else
        Inner.skip();
    if (Clock != 64 || Time < Latest)
      continue;
    Latest = Time;
    Clocks.assign(Snapshot.data(), Snapshot.size());
  }
}

void Facts::readPacket(data_view Packet) {
  for (pbf_reader R(Packet); R.next();)
    switch (R.tag()) {
    case 6:
      readClocks(R.get_view());
      break;
    case 10:
      LastSequence = std::max(LastSequence, R.get_uint32());
      break;
    case 50: {
      const data_view View = R.get_view();
      read(inflated({View.data(), View.size()}, MostInPacket));
      break;
    }
    case 60:
      readTrack(R.get_view());
      break;
    default:
      R.skip();
    }
}

void Facts::read(StringRef Packets) {
  try {
    for (pbf_reader R(Packets.data(), Packets.size()); R.next();)
      if (R.tag() == 1)
        readPacket(R.get_view());
      else
        R.skip();
  } catch (const protozero::exception &) {
    return; // Damage: what was found before it is enough.
  }
}

} // namespace

llvm::Expected<TrackAdder> TrackAdder::create(StringRef Trace,
                                              llvm::raw_ostream &Out) {
  Facts Found;
  Found.read(Trace);
  if (Found.Clocks.empty())
    return llvm::createStringError("the trace has no clock");
  TrackAdder Result(Out);
  Result.Sequence = Found.LastSequence + 1;
  Result.Process = Found.Process;
  Out << Trace;
  Result.begin(Found.Clocks);
  return Result;
}

template <typename Fill> void TrackAdder::packet(Fill F) {
  std::string Content;
  pbf_writer P(Content);
  P.add_uint32(10, Sequence);
  F(P);
  std::string Framed;
  pbf_writer(Framed).add_bytes(1, Content);
  Out << Framed;
}

void TrackAdder::begin(StringRef Clocks) {
  packet([&](pbf_writer &P) {
    P.add_uint32(13, 1); // A sequence begins.
    P.add_bytes(6, Clocks.data(), Clocks.size());
    pbf_writer Defaults(P, 59);
    Defaults.add_uint32(58, 64);
  });
  packet([&](pbf_writer &P) {
    P.add_uint32(13, 2);
    pbf_writer Interned(P, 12);
    pbf_writer Category(Interned, 1);
    Category.add_uint64(1, 1);
    Category.add_string(2, AddedCategory.data(), AddedCategory.size());
  });
}

template <typename Fill>
uint64_t TrackAdder::track(StringRef Name, uint64_t Parent, Fill F) {
  const uint64_t Id = llvm::xxh3_64bits("autoprof added") + Process + ++Tracks;
  packet([&](pbf_writer &P) {
    pbf_writer Track(P, 60);
    Track.add_uint64(1, Id);
    Track.add_string(2, Name.data(), Name.size());
    if (Parent || Process)
      Track.add_uint64(5, Parent ? Parent : Process);
    Track.add_int32(12, int32_t(Tracks)); // sibling_order_rank
    F(Track);
  });
  return Id;
}

uint64_t TrackAdder::group(StringRef Name, uint64_t Parent) {
  // child_ordering: explicit.
  return track(Name, Parent, [](pbf_writer &T) { T.add_int32(11, 3); });
}

uint64_t TrackAdder::slices(StringRef Name, uint64_t Parent) {
  return track(Name, Parent, [](pbf_writer &) {});
}

uint64_t TrackAdder::counter(StringRef Name, bool IsTime, uint64_t Parent) {
  return track(Name, Parent, [&](pbf_writer &T) {
    pbf_writer Counter(T, 8);
    Counter.add_int32(3, IsTime ? 1 : 2); // unit: time in ns, count
  });
}

void TrackAdder::slice(uint64_t Track, int64_t Start, int64_t End,
                       StringRef Name, llvm::ArrayRef<SliceDetail> Details) {
  auto [It, New] = Names.try_emplace(Name, Names.size() + 1);
  packet([&](pbf_writer &P) {
    P.add_uint64(8, uint64_t(Start));
    P.add_uint32(13, 2);
    if (New) {
      pbf_writer Interned(P, 12);
      pbf_writer Entry(Interned, 2);
      Entry.add_uint64(1, It->second);
      Entry.add_string(2, Name.data(), Name.size());
    }
    pbf_writer E(P, 11);
    E.add_uint64(3, 1);
    E.add_uint32(9, 1); // TYPE_SLICE_BEGIN
    E.add_uint64(10, It->second);
    E.add_uint64(11, Track);
    for (const SliceDetail &D : Details) {
      pbf_writer A(E, 4);
      A.add_string(10, D.Name.data(), D.Name.size());
      if (D.Text.empty())
        A.add_uint64(3, D.Number);
      else
        A.add_string(6, D.Text);
    }
  });
  packet([&](pbf_writer &P) {
    P.add_uint64(8, uint64_t(End));
    P.add_uint32(13, 2);
    pbf_writer E(P, 11);
    E.add_uint64(3, 1);
    E.add_uint32(9, 2); // TYPE_SLICE_END
    E.add_uint64(11, Track);
  });
}

void TrackAdder::value(uint64_t Track, int64_t Time, int64_t Value) {
  packet([&](pbf_writer &P) {
    P.add_uint64(8, uint64_t(Time));
    P.add_uint32(13, 2);
    pbf_writer E(P, 11);
    E.add_uint32(9, 4); // TYPE_COUNTER
    E.add_uint64(11, Track);
    E.add_int64(30, Value);
  });
}
