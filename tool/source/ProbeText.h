// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of probes. Preprocessed input (-save-temps, ccache) gets what the
// macros of include/autoprof/probe.h stand for, because clang expands no macro
// there; the two must say the same.
#ifndef AUTOPROF_SOURCE_PROBETEXT_H
#define AUTOPROF_SOURCE_PROBETEXT_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace autoprof::source {

class ProbeText {
public:
  explicit ProbeText(bool Preprocessed) : Expanded(Preprocessed) {}

  std::string site(uint64_t Id) const;      ///< With a space behind it.
  std::string siteScope(uint64_t Id) const; ///< To put behind a brace.
  std::string range(uint64_t Id) const;     ///< To put behind a brace.
  std::string table(llvm::StringRef Rows) const;

private:
  bool Expanded;
};

} // namespace autoprof::source

#endif // AUTOPROF_SOURCE_PROBETEXT_H
