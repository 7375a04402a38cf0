// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace autoprof::analysis {

/// A kernel's name for people: without return type, parameters and the
/// namespaces of template arguments, cut to `MaxLength` bytes.
/// "void at::native::add_kernel<4, at::Functor<float>>(int, float*)" ->
/// "at::native::add_kernel<4, Functor<float>>".
std::string shortName(llvm::StringRef Demangled, size_t MaxLength = 60);

} // namespace autoprof::analysis
