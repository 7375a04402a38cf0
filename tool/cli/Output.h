// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where and how reports are written: the options that report and diff share.
#ifndef AUTOPROF_CLI_OUTPUT_H
#define AUTOPROF_CLI_OUTPUT_H

#include "report/recording/Report.h"
#include "support/Command.h"

#include "llvm/ADT/SmallString.h"

#include <memory>

namespace autoprof::cli {

/// --format, --max-chars, --color, --output, --all, --step, --window, --pid,
/// --semantics, --exit-code.
llvm::ArrayRef<support::Option> outputOptions();
/// Their part of a help text.
#define AUTOPROF_OUTPUT_HELP                                                   \
  "  --format=FORMAT   terminal (the default), markdown, json or html: a "     \
  "page\n"                                                                     \
  "                    of its own, for a browser (with -o)\n"                  \
  "  --max-chars=N     with markdown: leave out what does not fit, the "       \
  "least\n"                                                                    \
  "                    important first, and say so; at least 1000 (bytes)\n"   \
  "  -o, --output=FILE write there instead of to standard output\n"            \
  "  --step=NAME       count steps by function:NAME, loop:FILE:LINE or\n"      \
  "                    range:NAME (an NVTX range of the program's own); the\n" \
  "                    word before the colon may be left out. Default: the\n"  \
  "                    outermost hot loop\n"                                   \
  "  --window=FROM:TO  only this part of the recording, as in 2s:3.5s, "       \
  "10%:20% or\n"                                                               \
  "                    :500ms, counted from its beginning\n"                   \
  "  --pid=PID         of an Nsight Systems export with several processes:\n"  \
  "                    this one, not the one with the most GPU operations\n"   \
  "  --all             list sites that never waited, too\n"                    \
  "  --color=WHEN      auto (the default: on a terminal, unless NO_COLOR is\n" \
  "                    set), always or never\n"

/// The chosen format, style and place.
struct Output {
  llvm::StringRef Format; ///< Its name.
  report::TextStyle Style;
  std::unique_ptr<llvm::raw_ostream> File; ///< Null: standard output.
  size_t MaxChars = 0;                     ///< 0: no limit.

  llvm::raw_ostream &stream();
  /// In the chosen one of the table's formats.
  template <typename Subject, size_t N>
  void write(const report::Format<Subject> (&Known)[N], const Subject &Data) {
    report::write(Known, Format, stream(), Data, Style);
  }
  /// Whether everything could be written; closes the file. To be called when
  /// all is written to stream().
  llvm::Error finish();

private:
  /// What is written to stream() where it may have to be shortened.
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

} // namespace autoprof::cli

#endif // AUTOPROF_CLI_OUTPUT_H
