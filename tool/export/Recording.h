// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The input of the writers of other tools' formats.
#ifndef AUTOPROF_EXPORT_RECORDING_H
#define AUTOPROF_EXPORT_RECORDING_H

#include "analysis/Analysis.h"
#include "analysis/waits/Attribution.h"

#include <functional>

namespace autoprof::exports {

/// Called every few thousand rows, with the number of written rows and of all
/// rows.
using Tick = std::function<void(size_t Done, size_t Total)>;

/// One analyzed process.
struct Recording {
  std::string Path; ///< Of the trace, as the user gave it.
  const trace::Timeline &T;
  const analysis::Result &R;
  analysis::Attribution A; ///< Of T.
};

/// The place of a call: its site, else where its recorded stack begins; null.
inline const trace::Site *placeOf(const Recording &Subject, uint32_t Call) {
  uint32_t Site = Subject.A.Site[Call];
  return Site == trace::None ? nullptr : &Subject.T.Sites[Site];
}

/// "0x00c0ffee12345678", as everywhere; "" without an id.
std::string siteId(const trace::Site *S);

} // namespace autoprof::exports

#endif // AUTOPROF_EXPORT_RECORDING_H
