// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace autoprof::sources {

/// <folder of this program>/../include/autoprof, where the headers of
/// instrumented sources are built and installed. It may be missing if the
/// program was copied alone.
std::string headerFolder();

/// The name under which clang's driver runs inside this program. It need not
/// exist: clang looks for its own headers in <its folder>/../lib/clang/22. They
/// come with this program (the wheel), or with the clang it was built for.
std::string clangProgram();

} // namespace autoprof::sources
