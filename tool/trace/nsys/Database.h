// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An SQLite file, read without ever writing to it or next to it. Which tables
// and columns an export has depends on its version and on what was recorded.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace autoprof::trace {

/// A row of a result; columns by their number in the query.
class DatabaseRow {
  sqlite3_stmt *Statement;

public:
  explicit DatabaseRow(sqlite3_stmt *Statement) : Statement(Statement) {}
  bool isNull(int Column) const;
  /// 0 if it is not a number, or missing.
  int64_t number(int Column) const;
  std::optional<int64_t> optionalNumber(int Column) const;
  /// Valid until the next row; "" if missing.
  llvm::StringRef text(int Column) const;
};

class Database {
  struct Closer {
    void operator()(sqlite3 *Handle) const;
  };
  std::unique_ptr<sqlite3, Closer> Handle;
  llvm::StringMap<std::vector<std::string>> Columns; ///< By table.

  std::function<void(uint64_t)> RowsRead;
  uint64_t Rows = 0; ///< Read so far, of all tables.

  llvm::Error readSchema();
  bool hasColumn(llvm::StringRef Table, llvm::StringRef Column) const;

public:
  static llvm::Expected<Database> open(llvm::StringRef Path);

  bool hasTable(llvm::StringRef Table) const { return Columns.count(Table); }

  /// The largest row number, which Nsight Systems counts from 1; 0: unknown.
  uint64_t rowsAbout(llvm::StringRef Table);
  /// Calls `Tell` while forEach goes on, with how many rows it has read in all.
  void onRows(std::function<void(uint64_t)> Tell) {
    RowsRead = std::move(Tell);
  }

  /// Calls `Callback` for the rows of a table. Columns that the table lacks are
  /// null. Without the table there are no rows.
  llvm::Error forEach(llvm::StringRef Table,
                      llvm::ArrayRef<const char *> Columns,
                      llvm::function_ref<void(const DatabaseRow &)> Callback);
};

} // namespace autoprof::trace
