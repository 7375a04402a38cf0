// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An SQLite file with the tables of an export of Nsight Systems, for the tools
// and queries that are made for those. What only autoprof knows is in tables
// whose names begin with AUTOPROF_: those of Tables.h, and AUTOPROF_METADATA
// with the documents of docs/trace-format.md, by which autoprof reads back what
// it wrote. Ranges and probes that the plugin made are NVTX ranges of the
// domain "autoprof", with the id of their site in uint64Value.
#ifndef AUTOPROF_EXPORT_NSYSWRITER_H
#define AUTOPROF_EXPORT_NSYSWRITER_H

#include "export/SqliteFile.h"

namespace autoprof::exports {

void writeNsys(SqliteFile &Out, const Recording &Subject, const Tick &Progress);

} // namespace autoprof::exports

#endif // AUTOPROF_EXPORT_NSYSWRITER_H
