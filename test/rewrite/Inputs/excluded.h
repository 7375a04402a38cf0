// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
inline void excluded() { cudaDeviceSynchronize(); }
