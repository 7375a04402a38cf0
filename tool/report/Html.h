// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text on an HTML page. Text from sources, paths, and messages goes through
// escapeHtml; nothing else does.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace autoprof::report {

/// Valid UTF-8; invalid bytes, and characters that change the direction of
/// text, become U+FFFD.
std::string readable(llvm::StringRef Text);

/// For text between tags, and for attributes in double quotes. Any bytes are
/// accepted: invalid UTF-8, and characters that change the direction of text,
/// become U+FFFD, and control characters other than tabs and line ends become
/// their visible symbols (from U+2400 on).
std::string escapeHtml(llvm::StringRef Text);

/// A self-contained page: nothing is loaded, and no script runs except
/// `Script`. `Style` and `Script` are inserted unchanged; `Body` is HTML.
std::string htmlPage(llvm::StringRef Title, llvm::StringRef Style,
                     llvm::StringRef Body, llvm::StringRef Script);

} // namespace autoprof::report
