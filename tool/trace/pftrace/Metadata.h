// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON documents inside a trace (docs/trace-format.md, "Metadata").
#pragma once

#include "trace/timeline/TimelineBuilder.h"

namespace autoprof::trace {

/// A `site` document: binds an event name of one sequence to a site, in
/// older recordings a source location.
struct SiteBinding {
  uint64_t Iid, SiteId;
  bool ToName;
};

/// Reads a metadata document into the tables of `B`. Documents of unknown names
/// are skipped. Returns false if the document does not conform to the format;
/// `B` is then unchanged.
bool applyMetadata(TimelineBuilder &B, llvm::StringRef Name,
                   llvm::StringRef Json);

/// Reads a `site` document.
std::optional<SiteBinding> parseSiteBinding(llvm::StringRef Json);

/// Reads the rows of AP_TABLE (include/autoprof/probe.h): rows that are not
/// complete are skipped. Returns the number of rows read.
size_t applySiteRows(TimelineBuilder &B, llvm::StringRef Rows);

} // namespace autoprof::trace
