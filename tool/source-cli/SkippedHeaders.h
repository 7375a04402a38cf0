// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers that are not audited because the project's root was guessed wrong.
#ifndef AUTOPROF_SOURCE_CLI_SKIPPEDHEADERS_H
#define AUTOPROF_SOURCE_CLI_SKIPPEDHEADERS_H

#include "audit/Link.h"
#include "audit/Selection.h"

namespace autoprof::sources {

/// One sentence with the remedy, or "": names the headers with calls that are
/// outside the root of all sources. System headers and those in /usr do not
/// count. A folder with .autoprof or .git is a root that the user chose, and so
/// is a header filter: then the result is "".
std::string skippedHeaders(const audit::Project &P, const audit::Selection &S);

} // namespace autoprof::sources

#endif // AUTOPROF_SOURCE_CLI_SKIPPEDHEADERS_H
