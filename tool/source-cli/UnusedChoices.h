// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of the project's configuration that match nothing, which are probably
// misspelled.
#ifndef AUTOPROF_SOURCE_CLI_UNUSEDCHOICES_H
#define AUTOPROF_SOURCE_CLI_UNUSEDCHOICES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace autoprof::sources {

/// A warning for each pattern of exclude-files that matches none of `Files`,
/// paths from the root. The nearest one is named.
std::vector<std::string> unusedPatterns(llvm::ArrayRef<std::string> Patterns,
                                        llvm::ArrayRef<std::string> Files);

/// A warning if `Step` is function:NAME and names none of the project's
/// functions (qualified names), else "".
std::string unusedStep(llvm::StringRef Step,
                       llvm::ArrayRef<std::string> Functions);

} // namespace autoprof::sources

#endif // AUTOPROF_SOURCE_CLI_UNUSEDCHOICES_H
