// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers and places as people read them.
#pragma once

#include "support/Words.h"
#include "trace/timeline/Places.h"
