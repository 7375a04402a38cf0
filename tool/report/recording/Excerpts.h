// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lines of the source around a site, if the file is available and
// unchanged.
#ifndef AUTOPROF_REPORT_RECORDING_EXCERPTS_H
#define AUTOPROF_REPORT_RECORDING_EXCERPTS_H

#include "report/SourceLines.h"
#include "report/document/Table.h"
#include "trace/timeline/Timeline.h"

namespace autoprof::report {

/// Finds sources and extracts lines. Not thread-safe.
class Excerpts {
public:
  /// Files are looked for in the current folder, the trace's, and those above
  /// them: sites name them relative to their project's root.
  explicit Excerpts(llvm::StringRef TracePath);

  /// A few lines, the site's own marked; none when there is no such file, or
  /// its line no longer has the site's call.
  Excerpt around(const trace::Site &S, llvm::StringRef Call);

private:
  std::string find(llvm::StringRef File) const;
  std::vector<std::string> Folders;
  SourceLines Source;
};

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_EXCERPTS_H
