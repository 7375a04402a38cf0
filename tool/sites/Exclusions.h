// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_SITES_EXCLUSIONS_H
#define AUTOPROF_SITES_EXCLUSIONS_H

#include "llvm/ADT/StringRef.h"

namespace autoprof::sites {

/// Whether `exclude-files` of the project's `.autoprof` leaves out the source,
/// an absolute path; `Start` is the folder in which it is compiled. A file that
/// cannot be read excludes nothing.
bool isExcluded(llvm::StringRef Source, llvm::StringRef Start);

} // namespace autoprof::sites

#endif // AUTOPROF_SITES_EXCLUSIONS_H
