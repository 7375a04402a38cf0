// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exit codes of `autoprof-source substitute` for autoprof-nvcc, beside those of
// all subcommands.
#pragma once

namespace autoprof::sources {

/// The project's `.autoprof` is wrong, which the user has to know: the build
/// must not go on without the chosen probes.
constexpr int BadConfiguration = 3;

} // namespace autoprof::sources
