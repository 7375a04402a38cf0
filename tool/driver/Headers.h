// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_DRIVER_HEADERS_H
#define AUTOPROF_DRIVER_HEADERS_H

#include <string>

namespace autoprof::driver {

/// <folder of this program>/../include/autoprof, where what instrumented
/// sources include is built and installed. It may be missing when the program
/// was copied alone.
std::string headerFolder();

} // namespace autoprof::driver

#endif // AUTOPROF_DRIVER_HEADERS_H
