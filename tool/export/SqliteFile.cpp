// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "export/SqliteFile.h"

#include <sqlite3.h>

using namespace autoprof::exports;
using llvm::StringRef;

namespace {

struct Bind {
  sqlite3_stmt *Statement;
  int Column;
  int operator()(std::monostate) const {
    return sqlite3_bind_null(Statement, Column);
  }
  int operator()(int64_t N) const {
    return sqlite3_bind_int64(Statement, Column, N);
  }
  int operator()(double N) const {
    return sqlite3_bind_double(Statement, Column, N);
  }
  int operator()(bool B) const {
    return sqlite3_bind_int(Statement, Column, B);
  }
  int operator()(StringRef S) const {
    return sqlite3_bind_text(Statement, Column, S.data(), int(S.size()),
                             SQLITE_STATIC);
  }
};

} // namespace

void SqliteFile::Closer::operator()(sqlite3 *H) const { sqlite3_close(H); }
void SqliteFile::Closer::operator()(sqlite3_stmt *S) const {
  sqlite3_finalize(S);
}

SqliteFile::SqliteFile(StringRef Path) {
  sqlite3 *Opened = nullptr;
  int Status = sqlite3_open_v2(Path.str().c_str(), &Opened,
                               SQLITE_OPEN_READWRITE, nullptr);
  Handle.reset(Opened);
  check(Status);
  run("PRAGMA journal_mode=OFF");
  run("PRAGMA synchronous=OFF");
  run("BEGIN");
}

void SqliteFile::check(int Status) {
  if (Status != SQLITE_OK && Status != SQLITE_DONE && Status != SQLITE_ROW &&
      Problem.empty())
    Problem = sqlite3_errmsg(Handle.get());
}

void SqliteFile::run(const std::string &Sql) {
  if (Problem.empty())
    check(sqlite3_exec(Handle.get(), Sql.c_str(), nullptr, nullptr, nullptr));
}

void SqliteFile::create(StringRef Table, StringRef Columns) {
  run(("CREATE TABLE " + Table + " (" + Columns + ")").str());
  std::string Marks = "?";
  for (size_t I = 0; I < Columns.count(','); ++I)
    Marks += ",?";
  std::string Sql = ("INSERT INTO " + Table + " VALUES (" + Marks + ")").str();
  sqlite3_stmt *Prepared = nullptr;
  if (Problem.empty())
    check(sqlite3_prepare_v2(Handle.get(), Sql.c_str(), int(Sql.size()),
                             &Prepared, nullptr));
  Inserts[Table].reset(Prepared);
}

void SqliteFile::insert(StringRef Table, llvm::ArrayRef<Cell> Cells) {
  if (!Problem.empty())
    return;
  sqlite3_stmt *Statement = Inserts[Table].get();
  for (const auto &[I, C] : llvm::enumerate(Cells))
    check(std::visit(Bind{Statement, int(I) + 1}, C));
  check(sqlite3_step(Statement));
  sqlite3_reset(Statement);
}

llvm::Error SqliteFile::close() {
  run("COMMIT");
  Inserts.clear();
  Handle.reset();
  return Problem.empty() ? llvm::Error::success()
                         : llvm::createStringError(Problem);
}
