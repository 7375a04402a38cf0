// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/nsys/Database.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <sqlite3.h>

using namespace autoprof::trace;
using llvm::StringRef;

namespace {

struct Finalizer {
  void operator()(sqlite3_stmt *S) const { sqlite3_finalize(S); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalizer>;

llvm::Error failure(sqlite3 *Handle) {
  return llvm::createStringError(StringRef("SQLite: ") +
                                 sqlite3_errmsg(Handle));
}

/// "file:" with the promise that nobody writes, so that SQLite neither locks
/// the file nor looks for its journals.
std::string uriOf(StringRef Path) {
  std::string Uri = "file:";
  for (char C : Path)
    if (C == '%' || C == '?' || C == '#')
      Uri += "%" + llvm::toHex(StringRef(&C, 1));
    else
      Uri += C;
  return Uri + "?immutable=1";
}

std::string quoted(StringRef Name) {
  std::string Text = "\"";
  for (char C : Name)
    Text += C == '"' ? "\"\"" : std::string(1, C);
  return Text + "\"";
}

llvm::Error query(sqlite3 *Handle, const std::string &Sql,
                  llvm::function_ref<void(const DatabaseRow &)> Callback) {
  sqlite3_stmt *Raw = nullptr;
  if (sqlite3_prepare_v2(Handle, Sql.c_str(), -1, &Raw, nullptr) != SQLITE_OK)
    return failure(Handle);
  Statement S(Raw);
  int Status;
  while ((Status = sqlite3_step(Raw)) == SQLITE_ROW)
    Callback(DatabaseRow(Raw));
  return Status == SQLITE_DONE ? llvm::Error::success() : failure(Handle);
}

} // namespace

bool DatabaseRow::isNull(int Column) const {
  return sqlite3_column_type(Statement, Column) == SQLITE_NULL;
}

int64_t DatabaseRow::number(int Column) const {
  return optionalNumber(Column).value_or(0);
}

std::optional<int64_t> DatabaseRow::optionalNumber(int Column) const {
  if (sqlite3_column_type(Statement, Column) != SQLITE_INTEGER)
    return std::nullopt;
  return sqlite3_column_int64(Statement, Column);
}

StringRef DatabaseRow::text(int Column) const {
  const unsigned char *Text = sqlite3_column_text(Statement, Column);
  if (!Text)
    return "";
  return StringRef(reinterpret_cast<const char *>(Text),
                   size_t(sqlite3_column_bytes(Statement, Column)));
}

void Database::Closer::operator()(sqlite3 *Handle) const {
  sqlite3_close(Handle);
}

llvm::Expected<Database> Database::open(StringRef Path) {
  Database D;
  sqlite3 *Raw = nullptr;
  int Status = sqlite3_open_v2(uriOf(Path).c_str(), &Raw,
                               SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
  D.Handle.reset(Raw);
  if (Status != SQLITE_OK)
    return failure(Raw);
  // The file is not trusted: nothing in its schema may run.
  sqlite3_db_config(Raw, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(Raw, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(Raw, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(Raw, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  // A missing column must not be read as a string literal.
  sqlite3_db_config(Raw, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
  if (llvm::Error E = D.readSchema())
    return std::move(E);
  return D;
}

llvm::Error Database::readSchema() {
  // Tables only: a view could compute anything, for any length of time.
  std::vector<std::string> Names;
  if (llvm::Error E = query(Handle.get(),
                            "SELECT name FROM sqlite_master WHERE type='table' "
                            "AND sql NOT LIKE 'CREATE VIRTUAL%'",
                            [&Names](const DatabaseRow &Row) {
                              Names.push_back(Row.text(0).str());
                            }))
    return E;
  for (const std::string &Name : Names) {
    std::vector<std::string> &TableColumns = Columns[Name];
    if (llvm::Error E =
            query(Handle.get(), "PRAGMA table_info(" + quoted(Name) + ")",
                  [&TableColumns](const DatabaseRow &Row) {
                    TableColumns.push_back(Row.text(1).str());
                  }))
      return E;
  }
  return llvm::Error::success();
}

bool Database::hasColumn(StringRef Table, StringRef Column) const {
  auto It = Columns.find(Table);
  return It != Columns.end() && llvm::is_contained(It->second, Column);
}

uint64_t Database::rowsAbout(StringRef Table) {
  uint64_t Found = 0;
  if (hasTable(Table))
    // A table without row numbers is an error; Nsight Systems writes none.
    llvm::consumeError(
        query(Handle.get(), "SELECT max(rowid) FROM " + quoted(Table),
              [&Found](const DatabaseRow &Row) {
                Found = uint64_t(std::max<int64_t>(0, Row.number(0)));
              }));
  return Found;
}

llvm::Error
Database::forEach(StringRef Table, llvm::ArrayRef<const char *> Wanted,
                  llvm::function_ref<void(const DatabaseRow &)> Callback) {
  if (!hasTable(Table))
    return llvm::Error::success();
  std::string Sql = "SELECT ", Separator;
  for (const char *Column : Wanted) {
    Sql += Separator + (hasColumn(Table, Column) ? quoted(Column) : "NULL");
    Separator = ", ";
  }
  Sql += " FROM " + quoted(Table);
  return query(Handle.get(), Sql, [&](const DatabaseRow &Row) {
    Callback(Row);
    if (++Rows % 65'536 == 0 && RowsRead)
      RowsRead(Rows);
  });
}
