// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which CPUs both sides of a comparison run on (--cpus). The CPU of a process
// affects the cost of a launch, and the scheduler moves processes; one choice
// for both sides leaves less to chance.
#ifndef AUTOPROF_CLI_COMPARE_CPUS_H
#define AUTOPROF_CLI_COMPARE_CPUS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace autoprof::cli {

using CpuList = std::vector<unsigned>;

/// "0-3,8" as the kernel writes it. An error is one sentence.
llvm::Expected<CpuList> parseCpus(llvm::StringRef Text);
std::string cpusText(const CpuList &Cpus);

/// `Asked`: a list, "auto" or "auto:N". Automatic are N (four by default) CPUs
/// of the NUMA node that the first NVIDIA GPU is attached to, each of a core
/// of its own, without the first CPU, which serves interrupts, where there are
/// enough. Only CPUs that this process may use. `Root`: "", or a folder with
/// the files of /sys in it.
llvm::Expected<CpuList> chooseCpus(llvm::StringRef Asked,
                                   const CpuList &Allowed,
                                   const std::string &Root = "");

/// That this process may use.
CpuList allowedCpus();

} // namespace autoprof::cli

#endif // AUTOPROF_CLI_COMPARE_CPUS_H
