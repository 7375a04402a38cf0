// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_COMPILATION_HEADERS_H
#define AUTOPROF_COMPILATION_HEADERS_H

#include <string>

namespace autoprof::sources {

/// <folder of this program>/../include/autoprof, where what instrumented
/// sources include is built and installed. It may be missing when the program
/// was copied alone.
std::string headerFolder();

} // namespace autoprof::sources

#endif // AUTOPROF_COMPILATION_HEADERS_H
