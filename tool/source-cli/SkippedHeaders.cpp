// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source-cli/SkippedHeaders.h"

#include "source/project/Project.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace autoprof;
using llvm::StringRef;

std::string sources::skippedHeaders(const audit::Project &P,
                                    const audit::Selection &S) {
  if (llvm::any_of(P.units(), [&](const audit::TranslationUnit &U) {
        return S.filtersHeaders(U.MainFile) ||
               source::Project::isMarked(StringRef(U.Root).rtrim('/'));
      }))
    return "";
  std::set<std::string> Skipped;
  for (const audit::LinkedSite &Site : P.sites())
    if (StringRef File = Site.Model->Location.File;
        !File.starts_with("/usr/") && !S.wantsFile(P, File))
      Skipped.insert(File.str());
  if (Skipped.empty())
    return "";
  const std::string Count = llvm::utostr(Skipped.size());
  const std::string First = P.shownPath({*Skipped.begin()});
  const std::string Outside =
      "outside the project's root '" + P.units().front().Root + "'";
  return (Skipped.size() == 1
              ? "1 header with GPU calls ('" + First + "') is " + Outside +
                    " and was skipped"
              : Count + " headers with GPU calls ('" + First +
                    "' is the first) are " + Outside + " and were skipped") +
         "; add an empty .autoprof to the project's top folder";
}
