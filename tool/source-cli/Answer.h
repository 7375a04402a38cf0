// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The message that a worker sends to its parent about one unit.
#pragma once

#include "source-cli/SourceTask.h"

#include <optional>

namespace autoprof::sources {

/// In the worker: reads `U` with its order of include folders, and if that
/// gives errors, with the other order, if there is one. Returns the reading
/// with fewer errors.
Outcome read(SourceTask &Task, const Unit &U);

/// An outcome that is Done, Partly or Failed, as bytes.
std::string encode(Outcome O);

/// Returns none if the bytes are incomplete.
std::optional<Outcome> decode(llvm::StringRef Bytes);

} // namespace autoprof::sources
