// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where and how reports are written: what the subcommands share.
#pragma once

#include "report/Formats.h"
#include "support/Command.h"

#include <memory>

namespace autoprof::report {

/// The chosen format, style and place.
struct Output {
  std::string Format; ///< Its name.
  TextStyle Style;
  std::unique_ptr<llvm::raw_ostream> File; ///< Null: standard output.

  llvm::raw_ostream &stream() { return File ? *File : llvm::outs(); }
  /// In the chosen one of the table's formats.
  template <typename Table, typename Subject>
  void write(const Table &Known, const Subject &Data) {
    report::write(Known, Format, stream(), Data, Style);
  }
  /// Whether everything could be written; closes the file. Call it after
  /// everything was written to stream().
  llvm::Error finish();
};

/// As --format, --output, --max-chars, --color and --all say; `Args` were
/// parsed. It creates the file.
llvm::Expected<Output> openOutput(const support::Arguments &Args);

/// Writes all that there is.
template <typename Table, typename Subject>
llvm::Error print(const support::Arguments &Args, const Table &Known,
                  const Subject &Data) {
  llvm::Expected<Output> Out = openOutput(Args);
  if (!Out)
    return Out.takeError();
  Out->write(Known, Data);
  return Out->finish();
}

} // namespace autoprof::report
