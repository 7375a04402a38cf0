// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of the .def files as one array, for Catalogue.cpp and Check.cpp.
#pragma once

#include "catalogue/Catalogue.h"

// Check.cpp is tested with other rows.
#ifndef AUTOPROF_CATALOGUE_ROWS
#define AUTOPROF_CATALOGUE_ROWS "catalogue/Libraries.def"
#endif

namespace autoprof::catalogue {
using namespace values;

#define AUTOPROF_CALL(NAME, CLASS, DECIDED_BY, WAIT, TARGET, WHY, REPLACEMENT, \
                      SOURCE)                                                  \
  {#NAME,   LIBRARY,     CallClass::CLASS, DECIDED_BY, true,                   \
   Facts(), Waits::WAIT, WaitsFor::TARGET, WHY,        REPLACEMENT,            \
   SOURCE},
#define AUTOPROF_WHEN(NAME, CONDITION, WAIT, TARGET, WHY, SOURCE)              \
  {#NAME,     LIBRARY,     CallClass::Other, "",  false,                       \
   CONDITION, Waits::WAIT, WaitsFor::TARGET, WHY, "",                          \
   SOURCE},
constexpr Row Table[] = {
#include AUTOPROF_CATALOGUE_ROWS
};
#undef AUTOPROF_CALL
#undef AUTOPROF_WHEN
} // namespace autoprof::catalogue
