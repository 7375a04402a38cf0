// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where and how reports are written: what report, diff and others share.
#ifndef AUTOPROF_CLI_OUTPUT_H
#define AUTOPROF_CLI_OUTPUT_H

#include "report/recording/Report.h"
#include "support/Command.h"

#include "llvm/ADT/SmallString.h"

#include <array>
#include <memory>

namespace autoprof::cli {

/// The chosen format, style and place.
struct Output {
  llvm::StringRef Format; ///< Its name.
  report::TextStyle Style;
  std::unique_ptr<llvm::raw_ostream> File; ///< Null: standard output.
  size_t MaxChars = 0;                     ///< 0: no limit.

  llvm::raw_ostream &stream();
  /// In the chosen one of the table's formats.
  template <typename Table, typename Subject>
  void write(const Table &Known, const Subject &Data) {
    report::write(Known, Format, stream(), Data, Style);
  }
  /// Whether everything could be written; closes the file. Call it after
  /// everything was written to stream().
  llvm::Error finish();

private:
  /// The text for stream(), if it may have to be shortened.
  std::unique_ptr<llvm::SmallString<0>> Whole;
  std::unique_ptr<llvm::raw_svector_ostream> ToWhole;
};

/// `Known`: the formats that --format may name.
llvm::Expected<Output> openOutput(const support::Arguments &Args,
                                  llvm::ArrayRef<report::FormatName> Known);
template <typename Subject, size_t N>
llvm::Expected<Output> openOutput(const support::Arguments &Args,
                                  const report::Format<Subject> (&Known)[N]) {
  return openOutput(Args, report::namesOf(Known));
}
template <typename Subject, size_t N>
llvm::Expected<Output>
openOutput(const support::Arguments &Args,
           const std::array<report::Format<Subject>, N> &Known) {
  return openOutput(Args, report::namesOf(Known));
}

} // namespace autoprof::cli

#endif // AUTOPROF_CLI_OUTPUT_H
