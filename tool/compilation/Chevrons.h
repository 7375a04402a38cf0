// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that nvcc accepts and clang does not:
//
//     kernel<< <grid, block> >>(x)         blanks in the chevrons
//     kernel<<<grid, {32, 8, 1}>>>(x)      braces between them
//
// Both are changed to a form that clang accepts, without moving a character:
// the blank goes after the chevrons, and the braces become parentheses. The
// text is only for reading, not for compiling: in parentheses, commas have
// another meaning.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <string>

namespace autoprof::sources {

/// Returns `Text`, a CUDA source, with such launches in clang's spelling; it
/// has the same length as `Text`, and is equal to it if there are none.
std::string withClangsChevrons(llvm::StringRef Text);

/// Returns `Files` with the text of each in clang's spelling. Sizes and
/// everything else do not change.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
inClangsSpelling(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files);

} // namespace autoprof::sources
