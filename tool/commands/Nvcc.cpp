// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {
    {"help", 0, nullptr, "this text"},
    {"nvcc-help", 0, nullptr, "nvcc's own help ('nvcc --help')"},
};

constexpr OptionGroup Groups[] = {
    {"Options of its own (all others are nvcc's)", Options}};

} // namespace

const Manual commands::Nvcc = {
    "nvcc",
    "compile with nvcc, with autoprof's probes",
    "autoprof-nvcc [LAUNCHER...] nvcc ARGUMENTS\n"
    "autoprof-nvcc ARGUMENTS           (nvcc from PATH)",
    "Stands in for nvcc in a build, and compiles what it is given with "
    "autoprof's probes in it, so that recordings name source lines. What "
    "compiles no CUDA or C++ (links, -E, -M, -ptx) runs as it is. 'autoprof "
    "sites BINARY' shows what got probes.\n"
    "\n"
    "  AUTOPROF_DISABLE=1  nvcc runs as if autoprof were not there",
    Groups,
    "A command that fails gives nvcc's messages, and runs again only where the "
    "probes may be the cause. Precompiled headers are kept in "
    "~/.cache/autoprof/nvcc (or $XDG_CACHE_HOME).\n"
    "\n"
    "Exit code: nvcc's.",
    "cmake -DCMAKE_CUDA_COMPILER_LAUNCHER=autoprof-nvcc ...\n"
    "make NVCC=autoprof-nvcc\n"
    "PATH=.../libexec/autoprof:$PATH make   (builds that write 'nvcc')\n"
    "autoprof-nvcc ccache nvcc ...          (not ccache autoprof-nvcc)"};
