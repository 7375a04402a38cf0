// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_AUDIT_TIMES_H
#define AUTOPROF_AUDIT_TIMES_H

#include <cstdint>
#include <optional>

namespace autoprof::audit {

/// Of two numbers that are known; it does not overflow.
std::optional<int64_t> product(std::optional<int64_t> A,
                               std::optional<int64_t> B);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_TIMES_H
