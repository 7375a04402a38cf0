// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Caches of compiler output that start autoprof-nvcc as if it were a compiler.
// They know an object by its command and its source, and not by what else
// decides where probes are (.autoprof, the environment, autoprof itself), so
// they would hand out stale objects. In `autoprof-nvcc ccache nvcc ...` they
// see the rewritten text, and everything is right.
#ifndef AUTOPROF_NVCC_CACHES_H
#define AUTOPROF_NVCC_CACHES_H

#include <string>

namespace autoprof::sources {

/// The name of the cache that started this process and keeps what it makes, or
/// "".
std::string cacheAbove();

/// Did ccache decide not to keep what this process makes, and become it?
bool isLeftToUsByCcache();

} // namespace autoprof::sources

#endif // AUTOPROF_NVCC_CACHES_H
