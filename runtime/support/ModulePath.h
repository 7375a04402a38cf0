// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <link.h>
#include <string>
#include <unistd.h>

namespace autoprof::runtime {

/// The file of a module of dl_iterate_phdr(); "": it has none. The program
/// itself comes first (`IsFirst`) and has no name.
inline std::string modulePath(const dl_phdr_info &Module, bool IsFirst) {
  if (Module.dlpi_name[0] || !IsFirst)
    return Module.dlpi_name;
  char Path[4096];
  const ssize_t Length = readlink("/proc/self/exe", Path, sizeof Path);
  return std::string(Path, Length > 0 ? static_cast<size_t>(Length) : 0);
}

} // namespace autoprof::runtime
