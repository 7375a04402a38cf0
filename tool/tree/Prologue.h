// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How an annotated file gets the macros that it uses.
// Each annotated file, including headers, includes autoprof/annotated.h,
// because it cannot know who includes it. A directive needs a line of its own
// and no line may move, so the directive is put on a line that is free: a blank
// one, or one that begins with a comment, which then follows the directive:
//
//     #include "../autoprof/annotated.h"// Copyright ...
//
// The line must come before any code of the file and outside conditions, other
// than an include guard around everything. Nearly every file has such a line;
// one without begins with
//
//     #include "../autoprof/annotated.h"
//     #line 1
//
// so that __LINE__, messages and debug information count as before, while the
// text itself is two lines further down.
#pragma once

#include "source/text/Edits.h"

#include "llvm/ADT/StringRef.h"

namespace autoprof::tree {

/// The edit of `Text` that makes it include `Header`, a path as written between
/// quotes.
source::Edit includeIn(llvm::StringRef Text, llvm::StringRef Header);

/// The edit that appends `Lines` (each without its end) to `Text`.
source::Edit appendLines(llvm::StringRef Text,
                         llvm::ArrayRef<std::string> Lines);

/// The path from a file, given by its path from the root, to annotated.h.
std::string headerFor(llvm::StringRef RelativePath);

} // namespace autoprof::tree
