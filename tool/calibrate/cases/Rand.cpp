// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "calibrate/cases/Files.h"
void autoprof::calibrate::addRand(Cases &) {}
