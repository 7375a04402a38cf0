// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_EXPORT_SQLITEFILE_H
#define AUTOPROF_EXPORT_SQLITEFILE_H

#include "export/Tables.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <memory>

struct sqlite3;
struct sqlite3_stmt;

namespace autoprof::exports {

/// A new SQLite file, written in one go. Its content is not protected until
/// close(): the caller gives it its name afterwards. The first failure ends the
/// writing; close() returns it.
class SqliteFile {
  struct Closer {
    void operator()(sqlite3 *Handle) const;
    void operator()(sqlite3_stmt *Statement) const;
  };
  std::unique_ptr<sqlite3, Closer> Handle;
  llvm::StringMap<std::unique_ptr<sqlite3_stmt, Closer>> Inserts;
  std::string Problem; ///< "": none so far.

  void check(int Status);
  void run(const std::string &Sql);

public:
  /// `Path` must name an empty file.
  explicit SqliteFile(llvm::StringRef Path);

  /// Makes a table. `Columns`: as in SQL, "start INTEGER, value TEXT".
  void create(llvm::StringRef Table, llvm::StringRef Columns);
  /// A row of a table that create() made, with a cell for each column.
  void insert(llvm::StringRef Table, llvm::ArrayRef<Cell> Cells);

  llvm::Error close();
};

} // namespace autoprof::exports

#endif // AUTOPROF_EXPORT_SQLITEFILE_H
