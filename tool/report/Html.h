// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text on an HTML page. What comes from sources, paths and messages goes
// through escapeHtml and nothing else does.
#ifndef AUTOPROF_REPORT_HTML_H
#define AUTOPROF_REPORT_HTML_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace autoprof::report {

/// Valid UTF-8; what is none, or turns the direction of text, becomes U+FFFD.
std::string readable(llvm::StringRef Text);

/// For text between tags, and for attributes in double quotes. Any bytes are
/// welcome: what is not UTF-8, or turns the direction of text, becomes U+FFFD,
/// and control characters other than tabs and line ends become the signs that
/// stand for them (U+2400 and on).
std::string escapeHtml(llvm::StringRef Text);

/// A page that stands for itself: nothing is loaded, and no script runs but
/// `Script`. `Style` and `Script` are taken as they are; `Body` is HTML.
std::string htmlPage(llvm::StringRef Title, llvm::StringRef Style,
                     llvm::StringRef Body, llvm::StringRef Script);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_HTML_H
