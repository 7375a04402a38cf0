// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Caches of compiler output that start autoprof-nvcc as if it were a compiler.
// They identify an object by its command and its source, and not by the other
// inputs that decide where probes are (.autoprof, the environment, autoprof
// itself), so they would return stale objects. In `autoprof-nvcc ccache nvcc
// ...` they see the rewritten text, and are correct.
#ifndef AUTOPROF_NVCC_CACHES_H
#define AUTOPROF_NVCC_CACHES_H

#include <string>

namespace autoprof::sources {

/// The name of the cache that started this process and would cache its output,
/// or "".
std::string cacheAbove();

/// Whether ccache decided not to cache the output of this process, and exec'ed
/// it.
bool isLeftToUsByCcache();

} // namespace autoprof::sources

#endif // AUTOPROF_NVCC_CACHES_H
