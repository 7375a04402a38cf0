// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recording and what the analysis found in it, as tables, from which CSV and
// JSON lines are made: to add a column, add it here and to docs/convert.md.
#ifndef AUTOPROF_EXPORT_TABLES_H
#define AUTOPROF_EXPORT_TABLES_H

#include "export/Recording.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <variant>

namespace autoprof::exports {

/// monostate: unknown. Text is valid only during the call that gets it.
using Cell =
    std::variant<std::monostate, int64_t, double, bool, llvm::StringRef>;

enum class ColumnType : uint8_t { Integer, Real, Boolean, Text };

/// Times are ns: `_ns` of durations, and of instants since the trace's start.
struct Column {
  const char *Name;
  ColumnType Type;
};

using RowSink = llvm::function_ref<void(llvm::ArrayRef<Cell>)>;

struct Table {
  const char *Name;
  llvm::ArrayRef<Column> Columns;
  /// Gives each row to the sink, with a cell for each column.
  void (*Fill)(const Recording &, RowSink);
};

llvm::ArrayRef<Table> tables();

} // namespace autoprof::exports

#endif // AUTOPROF_EXPORT_TABLES_H
