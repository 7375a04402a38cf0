// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trace's declaration of its own fields
// -----------------------------------------
// Arrows between calls and GPU work need TrackEvent.gpu_correlation, an
// extension field of Perfetto that versions up to v52 do not know: they count
// it as an error in every event ("unknown_extension_fields"). So the trace
// declares it as perfetto/trace/gpu/gpu_track_event.proto does, with the same
// names and numbers, so that the declaration adds nothing for versions that
// know it. It takes 280 bytes wherever reading can begin, and none in events.
#include "runtime/trace/TracePacket.h"

namespace autoprof::runtime {

namespace {

// Field numbers of google/protobuf/descriptor.proto.
enum : uint32_t {
  SetFile = 1,
  FileName = 1,
  FilePackage = 2,
  FileMessage = 4,
  MessageName = 1,
  MessageField = 2,
  MessageExtension = 6,
  FieldName = 1,
  FieldExtendee = 2,
  FieldNumber = 3,
  FieldLabel = 4,
  FieldType = 5,
  FieldTypeName = 6
};
enum : uint64_t { Optional = 1, Repeated = 3, Uint64 = 4, MessageType = 11 };

void describeIds(Encoder &E, uint64_t Number, std::string_view Name) {
  Message Field(E, MessageField);
  E.string(FieldName, Name);
  E.varint(FieldNumber, Number);
  E.varint(FieldLabel, Repeated);
  E.varint(FieldType, Uint64);
}

} // namespace

void Trace::declareExtensions() {
  Packet P(*this, Process, NoFlags);
  Message Descriptor(E, packet::ExtensionDescriptor);
  Message Set(E, 1);
  Message File(E, SetFile);
  E.string(FileName, "protos/perfetto/trace/gpu/gpu_track_event.proto");
  E.string(FilePackage, "perfetto.protos");
  {
    Message Correlation(E, FileMessage);
    E.string(MessageName, "GpuCorrelation");
    describeIds(E, 1, "render_stage_submission_event_ids");
    describeIds(E, 2, "render_stage_wait_event_ids");
  }
  Message Event(E, FileMessage);
  E.string(MessageName, "GpuTrackEvent");
  Message Field(E, MessageExtension);
  E.string(FieldName, "gpu_correlation");
  E.string(FieldExtendee, ".perfetto.protos.TrackEvent");
  E.varint(FieldNumber, event::GpuCorrelation);
  E.varint(FieldLabel, Optional);
  E.varint(FieldType, MessageType);
  E.string(FieldTypeName, ".perfetto.protos.GpuCorrelation");
}

} // namespace autoprof::runtime
