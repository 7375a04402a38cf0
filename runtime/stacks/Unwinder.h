// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The return addresses of a thread at any instruction, for signal handlers.
//
// libgcc's follows whatever .eh_frame says, which may be wrong between the
// calls of functions in assembly, to where nothing is mapped. This one reads
// only the thread's stack and the loader's tables; it takes no lock, allocates
// nothing.
#pragma once

#include <cstddef>
#include <cstdint>

namespace autoprof::runtime {

/// A thread's registers by their DWARF numbers (System V ABI for AMD64, 3.6.2):
/// 6 is rbp, 7 is rsp, 16 is the instruction's address.
struct MachineState {
  static constexpr unsigned Stack = 7, Address = 16, Count = 17;
  uintptr_t R[Count];
};

/// A thread's stack, from its lowest to behind its highest byte.
struct StackBounds {
  uintptr_t Low, High;
};

/// To be called before unwind() is, outside of signal handlers. Returns false
/// if there is no unwinding on this machine: other processors than x86-64, a C
/// library that finds modules only under a lock (glibc before 2.35).
bool prepareUnwinding();

/// Writes the address of the instruction, then those of the calls that led to
/// it, at most `Most`, and returns their number; where code has no tables, or
/// wrong ones, the outermost are missing. May be called in a signal handler.
size_t unwind(const MachineState &Start, const StackBounds &Stack,
              uintptr_t *Addresses, size_t Most);

} // namespace autoprof::runtime
