// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The declaration of Perfetto's extension fields that a trace uses, for
// versions of it that do not know them: see runtime/trace/TraceExtensions.cpp.
#ifndef AUTOPROF_TRACE_PFTRACE_EXTENSIONS_H
#define AUTOPROF_TRACE_PFTRACE_EXTENSIONS_H

#include <protozero/pbf_writer.hpp>

namespace autoprof::trace {

/// Adds TracePacket.extension_descriptor.
void declareExtensions(protozero::pbf_writer &Packet);

} // namespace autoprof::trace

#endif // AUTOPROF_TRACE_PFTRACE_EXTENSIONS_H
