// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a call of the driver is made: in a probe's site, a line of Python, or
// at an address.
#pragma once

#include <optional>

namespace autoprof::runtime {

struct Place {
  unsigned Index;    ///< In ExperimentVariable, counted from 0.
  unsigned Late;     ///< Copies to the host.
  unsigned Turn = 0; ///< See isChanging().
};

/// Reads what is to be changed. To be called once, before the other functions.
void readPlaces(const char *Text);

/// Whether the pools are among it.
bool hasPools();

/// The place that the calling thread is in, if calls there are to be changed
/// now. Thread-safe.
std::optional<Place> placeHere();

} // namespace autoprof::runtime
