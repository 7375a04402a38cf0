// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The prelude.
// nvcc and clang agree on CUDA's language, but differ in what a source finds
// without including it, in a few names, and in two spellings.
// include/autoprof/nvcc_compat.h provides the names, and a text in memory
// replaces the spellings: no file of the user's is changed, and a command for
// clang is read without the prelude. How often each difference matters was
// counted on 2,237 sources of public projects; docs/sources.md lists what is
// provided and what is not.
#pragma once

#include "source/text/Rewriting.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <string>
#include <vector>

namespace autoprof::sources {

/// The options that nvcc adds to every command of its host compiler, and, for
/// CUDA, those that bring the prelude. They belong before the user's options.
void appendPreludeArgs(std::vector<std::string> &Args, llvm::StringRef Toolkit,
                       bool IsCuda);

/// Whether clang's own headers may find one of the project's in this folder
/// instead of one of the C library's, if -I names the folder, as for nvcc.
bool mayMisleadClang(llvm::StringRef Folder, llvm::StringRef Directory);

/// The options for a folder of -I that is searched last for <...>, and first
/// for quoted names.
void appendLast(std::vector<std::string> &Args, llvm::StringRef Folder);

/// The real files, in clang's spelling (Chevrons.h), and a header through which
/// clang's own headers find the cuda.h of the toolkit in `Args`.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
filesForClang(llvm::ArrayRef<std::string> Args);

/// Restores the original text of files that were read in clang's spelling. To
/// be called after source::rewrite and source::newError: edits are at the
/// same places in both texts.
void restoreSpelling(source::Rewriting &R);

} // namespace autoprof::sources
