// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/pftrace/Extensions.h"

using protozero::pbf_writer;

// Field numbers of google/protobuf/descriptor.proto.
static void describeField(pbf_writer &Message, uint32_t Tag, const char *Name,
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

void autoprof::trace::declareExtensions(pbf_writer &Packet) {
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
