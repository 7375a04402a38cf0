// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/json/Fields.h"
#include "support/LLVMVersion.h"

using namespace autoprof::trace;
using llvm::StringRef;

Field autoprof::trace::fileField(StringRef K) {
  return autoprof::StringSwitch<Field>(K)
      .Case("traceEvents", Field::Events)
      .Case("deviceProperties", Field::Devices)
      .Case("distributedInfo", Field::Distributed)
      .Cases({"host_name", "hostname"}, Field::Host)
      .Case("baseTimeNanoseconds", Field::Base)
      .Default(Field::Other);
}

StringRef autoprof::trace::producer(StringRef K) {
  return autoprof::StringSwitch<StringRef>(K)
      .Case("viztracer_metadata", "VizTracer")
      .Case("systemTraceEvents", "Android's systrace")
      .Cases({"clockSyncMarkers", "chrome-metadata"}, "Chrome")
      .Default("");
}

Field autoprof::trace::eventField(StringRef K) {
  return autoprof::StringSwitch<Field>(K)
      .Case("ph", Field::Phase)
      .Case("cat", Field::Category)
      .Case("name", Field::Name)
      .Case("pid", Field::Pid)
      .Case("tid", Field::Tid)
      .Case("ts", Field::Start)
      .Case("dur", Field::Duration)
      .Case("id", Field::Id)
      .Case("args", Field::Args)
      .Default(Field::Other);
}

Field autoprof::trace::argsField(StringRef K) {
  return autoprof::StringSwitch<Field>(K)
      .Case("correlation", Field::Correlation)
      .Case("device", Field::Device)
      .Case("context", Field::Context)
      .Case("stream", Field::Stream)
      .Case("bytes", Field::Bytes)
      .Case("name", Field::Name)
      .Case("json", Field::Json)
      .Case("grid", Field::Grid)
      .Case("block", Field::Block)
      .Case("registers per thread", Field::Registers)
      .Case("shared memory", Field::Shared)
      .Case("autoprof site", Field::Site)
      .Case("autoprof lane", Field::Lane)
      .Case("file", Field::File)
      .Case("line", Field::Line)
      .Case("function", Field::Function)
      .Default(Field::Other);
}

Field autoprof::trace::headField(StringRef K) {
  return autoprof::StringSwitch<Field>(K)
      .Case("id", Field::Id)
      .Case("name", Field::Name)
      .Case("rank", Field::Rank)
      .Case("world_size", Field::Ranks)
      .Case("totalGlobalMem", Field::Memory)
      .Case("computeMajor", Field::ComputeMajor)
      .Case("computeMinor", Field::ComputeMinor)
      .Case("numSms", Field::Sms)
      .Case("maxThreadsPerMultiprocessor", Field::ThreadsPerSm)
      .Case("regsPerMultiprocessor", Field::RegistersPerSm)
      .Case("sharedMemPerMultiprocessor", Field::SharedPerSm)
      .Default(Field::Other);
}
