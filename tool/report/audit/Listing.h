// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The annotated listing: a source file as the audit's page shows it. It has the
// lines around each call of the catalogue, each call marked by what it does to
// the host, and each finding below its line. Lines between them are folded. So
// that the page of a large project stays small, long gaps, and all gaps of
// files without findings, are omitted, with the number of lines in their place.
#ifndef AUTOPROF_REPORT_AUDIT_LISTING_H
#define AUTOPROF_REPORT_AUDIT_LISTING_H

#include "report/SourceLines.h"
#include "report/audit/Audit.h"

#include "llvm/ADT/StringMap.h"

#include <set>

namespace autoprof::report {

/// One file of the page.
struct ListedFile {
  std::string Path;  ///< Absolute.
  std::string Shown; ///< For people: below Listing::folder().
  std::vector<const audit::LinkedSite *> Sites;
  /// By their number among all findings of the page.
  std::vector<std::pair<unsigned, const audit::Finding *>> Findings;
  std::set<unsigned> Marked; ///< Lines that are shown, with those around them.
  std::set<unsigned> Linked; ///< Of these, those to which others link.
};

class Listing {
public:
  /// All files with calls, findings, or loops of findings, those with findings
  /// first.
  explicit Listing(const Audit &A);

  llvm::ArrayRef<ListedFile> files() const { return Files; }
  /// The folder that paths on the page are relative to, if the project has no
  /// root: the one that all files share; else "".
  llvm::StringRef folder() const { return Folder; }
  /// A file's path below folder().
  std::string shown(const audit::Place &Position) const;
  /// HTML.
  std::string write(const ListedFile &F);

private:
  void mark();
  void shortenPaths();
  void sortFiles();
  /// Plain text if the listing has no such line. `Origin`: the file around it.
  std::string link(const audit::Place &Position, llvm::StringRef Origin) const;
  std::string steps(llvm::ArrayRef<audit::PathStep> Steps,
                    llvm::StringRef Origin) const;
  std::string finding(unsigned Number, const audit::Finding &F) const;
  std::string below(const ListedFile &F, unsigned Line) const;

  const Audit &A;
  SourceLines Source;
  std::string Folder;
  std::vector<ListedFile> Files;
  llvm::StringMap<unsigned> ByPath; ///< Index into Files.
};

/// "f3": the name of a file, or of one of its lines, in links of the page.
std::string anchorOf(unsigned File, unsigned Line = 0);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_AUDIT_LISTING_H
