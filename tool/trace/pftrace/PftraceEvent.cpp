// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/pftrace/PftraceEvent.h"

using namespace autoprof::trace;
using protozero::pbf_reader;
using protozero::pbf_wire_type;

namespace {

/// Of packed numbers; 0: there is none.
uint64_t firstOf(data_view Packed) {
  return Packed.empty() ? 0 : Fields(Packed).varint();
}

/// gpu_correlation: the first id, packed or not.
uint64_t readCorrelation(data_view Bytes) {
  for (Fields R(Bytes); R.next();) {
    if (R.tag() != 1) {
      R.skip();
      continue;
    }
    if (R.wireType() == pbf_wire_type::varint)
      return R.number();
    if (R.wireType() == pbf_wire_type::fixed64)
      return R.fixed64();
    return firstOf(R.bytes());
  }
  return 0;
}

} // namespace

Event autoprof::trace::readTrackEvent(const Sequence &S, StringPool &Strings,
                                      data_view Bytes) {
  Event E;
  for (Fields R(Bytes); R.next();) {
    switch (R.tag()) {
    case 3: {
      uint64_t Iid;
      if (R.wireType() == pbf_wire_type::length_delimited)
        Iid = firstOf(R.bytes());
      else
        Iid = R.number();
      uint32_t Found = S.Categories.find(Iid);
      E.Kind = Found == None ? Category::Other : categoryIn(Found);
      E.Domain = Found == None ? 0 : domainIn(Found);
      break;
    }
    case 4:
      E.Annotations.push_back(R.bytes());
      break;
    case 9:
      E.Type = uint32_t(R.number());
      break;
    case 10: {
      uint64_t Iid = R.number();
      uint32_t Found = S.Names.find(Iid);
      E.Name = Found == None ? 0 : Found;
      E.Site = S.SitesOfNames.find(Iid);
      break;
    }
    case 11:
      E.Track = R.number();
      E.HasTrack = true;
      break;
    case 22:
      E.Kind = categoryOf(ref(R.bytes()));
      break;
    case 23:
      E.Name = Strings.intern(ref(R.bytes()));
      break;
    case 34:
      E.Location = R.number();
      break;
    case 3000:
      E.EventId = readCorrelation(R.bytes());
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

OverheadKind autoprof::trace::overheadOf(uint64_t Cupti) {
  // CUpti_ActivityOverheadKind: a number in the upper half word.
  switch (Cupti) {
  case 4 << 16: // RUNTIME_TRIGGERED_MODULE_LOADING
  case 5 << 16: // LAZY_FUNCTION_LOADING
    return OverheadKind::ModuleLoad;
  case 6 << 16: // COMMAND_BUFFER_FULL
    return OverheadKind::QueueFull;
  case 1 << 16: // CUPTI_BUFFER_FLUSH
  case 2 << 16: // CUPTI_INSTRUMENTATION
  case 3 << 16: // CUPTI_RESOURCE
  case 7 << 16: // ACTIVITY_BUFFER_REQUEST
    return OverheadKind::Profiler;
  default:
    return OverheadKind::Other;
  }
}
