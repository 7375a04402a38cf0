// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The metadata of docs/trace-format.md as JSON documents: what every format
// that autoprof writes carries, so that reading it back gives the same process,
// devices, streams, sites and losses. applyMetadata reads them.
#pragma once

#include "trace/timeline/Timeline.h"

#include "llvm/Support/JSON.h"

namespace autoprof::trace {

struct MetadataDocument {
  std::string Name; ///< What it is: "process", "device", "sites", ...
  llvm::json::Object Content;
};

/// What events refer to: process, devices, streams, sites.
/// The rows of those that have an id; metadataAtStart has that of T.Sites.
MetadataDocument siteTable(const std::vector<Site> &Sites, const Process &Info);
std::vector<MetadataDocument> metadataAtStart(const Timeline &T);
/// What is known once all is recorded: losses, windows, the end.
std::vector<MetadataDocument> metadataAtEnd(const Timeline &T);

} // namespace autoprof::trace
