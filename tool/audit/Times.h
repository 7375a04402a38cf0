// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_AUDIT_TIMES_H
#define AUTOPROF_AUDIT_TIMES_H

#include <cstdint>
#include <optional>

namespace autoprof::audit {

/// The product; none if a factor is unknown or too large to multiply safely.
std::optional<int64_t> product(std::optional<int64_t> A,
                               std::optional<int64_t> B);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_TIMES_H
