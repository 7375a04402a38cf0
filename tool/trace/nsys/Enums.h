// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers in an export of Nsight Systems -> what they mean. The export brings
// tables of its enumerations, whose numbers are not those of CUPTI and have
// changed; an export without such a table is read by the numbers of 2024.
#ifndef AUTOPROF_TRACE_NSYS_ENUMS_H
#define AUTOPROF_TRACE_NSYS_ENUMS_H

#include "trace/nsys/Database.h"
#include "trace/timeline/Timeline.h"

#include <map>

namespace autoprof::trace {

class NsysEnums {
  using Names = std::map<int64_t, std::string>;
  Names Copies, Memory, Streams, Syncs, Overheads;

  static llvm::StringRef nameOf(const Names &Table, int64_t Number);

public:
  llvm::Error read(Database &D);

  Direction direction(int64_t CopyKind) const;
  /// A page that moved by itself, which no call queued.
  bool isMigration(int64_t CopyKind) const;
  MemoryKind memory(std::optional<int64_t> Kind) const;
  StreamFlag stream(int64_t Flag) const;
  SyncType sync(int64_t Type) const;
  OverheadKind overhead(int64_t Type) const;
};

} // namespace autoprof::trace

#endif // AUTOPROF_TRACE_NSYS_ENUMS_H
