// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recording and what the analysis found in it, as tables in text files, in
// folders as Hive, Spark and DuckDB expect them:
//
//   DIR/table=waits/rank=0/part-0.csv
//
// where the names of the folders are columns, too.
#ifndef AUTOPROF_EXPORT_TABLES_H
#define AUTOPROF_EXPORT_TABLES_H

#include "export/Recording.h"

#include "llvm/Support/Error.h"

namespace autoprof::exports {

enum class TextFormat : uint8_t { Csv, JsonLines };

/// All tables, into files of the folder `Directory`, which is created. `Part`
/// distinguishes those of one rank. An error names the file.
llvm::Error writeTables(llvm::StringRef Directory, const Recording &Subject,
                        TextFormat Format, unsigned Part, const Tick &Progress);

} // namespace autoprof::exports

#endif // AUTOPROF_EXPORT_TABLES_H
