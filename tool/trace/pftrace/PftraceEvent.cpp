// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/pftrace/PftraceEvent.h"

using namespace autoprof::trace;
using protozero::pbf_reader;
using protozero::pbf_wire_type;

namespace {

/// gpu_correlation: the first id, packed or not.
uint64_t readCorrelation(data_view Bytes) {
  for (pbf_reader R(Bytes); R.next();) {
    if (R.tag() != 1) {
      R.skip();
      continue;
    }
    if (R.wire_type() == pbf_wire_type::varint)
      return R.get_uint64();
    if (R.wire_type() == pbf_wire_type::fixed64)
      return R.get_fixed64();
    auto Ids = R.get_packed_uint64();
    return Ids.empty() ? 0 : *Ids.begin();
  }
  return 0;
}

} // namespace

Event autoprof::trace::readTrackEvent(const Sequence &S, StringPool &Strings,
                                      data_view Bytes) {
  Event E;
  for (pbf_reader R(Bytes); R.next();) {
    switch (R.tag()) {
    case 3: {
      uint64_t Iid;
      if (R.wire_type() == pbf_wire_type::length_delimited) {
        auto Iids = R.get_packed_uint64();
        Iid = Iids.empty() ? 0 : *Iids.begin();
      } else {
        Iid = R.get_uint64();
      }
      uint32_t Found = S.Categories.find(Iid);
      E.Kind = Found == None ? Category::Other : categoryIn(Found);
      E.Domain = Found == None ? 0 : domainIn(Found);
      break;
    }
    case 4:
      E.Annotations.push_back(R.get_view());
      break;
    case 9:
      E.Type = R.get_uint32();
      break;
    case 10: {
      uint64_t Iid = R.get_uint64();
      uint32_t Found = S.Names.find(Iid);
      E.Name = Found == None ? 0 : Found;
      E.Site = S.SitesOfNames.find(Iid);
      break;
    }
    case 11:
      E.Track = R.get_uint64();
      E.HasTrack = true;
      break;
    case 22:
      E.Kind = categoryOf(ref(R.get_view()));
      break;
    case 23:
      E.Name = Strings.intern(ref(R.get_view()));
      break;
    case 34:
      E.Location = R.get_uint64();
      break;
    case 3000:
      E.EventId = readCorrelation(R.get_view());
      break;
    default:
      R.skip();
    }
  }
  return E;
}

Annotation autoprof::trace::readAnnotation(const Sequence &S,
                                           const StringPool &Strings,
                                           data_view Bytes) {
  Annotation A;
  for (pbf_reader R(Bytes); R.next();) {
    switch (R.tag()) {
    case 1: {
      uint32_t Found = S.Annotations.find(R.get_uint64());
      A.Name = Found == None ? "" : Strings[Found];
      break;
    }
    case 3:
      A.Number = R.get_uint64();
      break;
    case 4:
      A.Number = uint64_t(R.get_int64());
      break;
    case 6:
    case 9:
      A.Text = ref(R.get_view());
      break;
    case 17: {
      uint32_t Found = S.Texts.find(R.get_uint64());
      A.Text = Found == None ? "" : Strings[Found];
      break;
    }
    case 10:
      A.Name = ref(R.get_view());
      break;
    default:
      R.skip();
    }
  }
  return A;
}
