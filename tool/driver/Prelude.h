// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The prelude
// -----------
// nvcc and clang agree on CUDA's language, and differ in what a source finds
// without including it, in a few names, and in two spellings. What makes up for
// names is include/autoprof/nvcc_compat.h, for spellings a text in memory: no
// file of the user's is touched, and a command for clang is read without it.
// Which difference matters how often was counted on 2,237 sources of public
// projects; docs/sources.md says what is made up for and what is not.
#ifndef AUTOPROF_DRIVER_PRELUDE_H
#define AUTOPROF_DRIVER_PRELUDE_H

#include "source/Rewriting.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <string>
#include <vector>

namespace autoprof::driver {

/// The options that nvcc adds to every command of its host compiler, and, for
/// CUDA, those that bring the prelude. They belong before the user's options.
void appendPreludeArgs(std::vector<std::string> &Args, llvm::StringRef Toolkit,
                       bool IsCuda);

/// -I of a folder that has a header named like one of the C library's or of
/// CUDA's would give it to clang's own headers: such folders are searched last,
/// and for quoted names first.
void appendInclude(std::vector<std::string> &Args, llvm::StringRef Folder,
                   llvm::StringRef Directory);

/// The real files, in clang's spelling (Chevrons.h), and the header that stands
/// for cuda.h.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> filesForClang();

/// Gives files that were read in clang's spelling their own text back, after
/// source::rewrite and source::firstError: edits stand at the same places in
/// both.
void restoreSpelling(source::Rewriting &R);

} // namespace autoprof::driver

#endif // AUTOPROF_DRIVER_PRELUDE_H
