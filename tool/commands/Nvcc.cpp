// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {
    {"help", 0, nullptr, "print this text"},
    {"nvcc-help", 0, nullptr, "print nvcc's help ('nvcc --help')"},
};

} // namespace

const Manual commands::Nvcc = {
    "nvcc",
    "compile with nvcc, with autoprof's probes",
    "autoprof-nvcc [LAUNCHER...] nvcc ARGUMENTS\n"
    "autoprof-nvcc ARGUMENTS           (nvcc from PATH)",
    "Replaces nvcc in a build and compiles with autoprof's probes, so that "
    "recordings name source lines. Commands that do not compile CUDA or C++ "
    "(links, -E, -M, -ptx) run unchanged. 'autoprof sites BINARY' shows what "
    "got probes.\n"
    "\n"
    "  AUTOPROF_DISABLE=1  run nvcc without autoprof",
    Options,
    "A command that fails prints nvcc's messages. It is run again without "
    "probes only if they may be the cause. Precompiled headers are kept in "
    "~/.cache/autoprof/nvcc (or $XDG_CACHE_HOME).",
    "cmake -DCMAKE_CUDA_COMPILER_LAUNCHER=autoprof-nvcc ...\n"
    "make NVCC=autoprof-nvcc\n"
    "PATH=.../libexec/autoprof:$PATH make   (builds that write 'nvcc')\n"
    "autoprof-nvcc ccache nvcc ...          (not ccache autoprof-nvcc)",
    "nvcc's; 2 if .autoprof has a mistake.",
    "Options (all others are passed to nvcc)"};
