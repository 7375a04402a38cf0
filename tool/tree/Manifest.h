// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report of `autoprof rewrite` about its result: a manifest for programs
// (schema autoprof-sites/1, docs/rewrite.md), which is also in the tree, and
// text for people.
#pragma once

#include "config/FilePattern.h"
#include "fields/Fields.h"
#include "source/project/Site.h"

#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

/// The manifest's name, at the root of an annotated tree.
#define AUTOPROF_MANIFEST "autoprof-sites.json"

namespace autoprof::tree {

struct Manifest {
  /// A file of the tree, relative to the root.
  struct File {
    std::string Name;
    const char *Result =
        ""; ///< "annotated", "already_annotated", "copied", ...
    unsigned Probes = 0;
  };
  /// A translation unit that could not be read completely.
  struct Unread {
    std::string Name, Error;
  };

  std::vector<source::Site> Sites;
  std::vector<source::Skipped> NotInstrumented;
  std::vector<File> Files;
  std::vector<Unread> Skipped;
  std::vector<Unread> Partly; ///< Units with errors that have intact functions.
  unsigned Units = 0;         ///< Number of all units, including skipped ones.

  void printJson(llvm::raw_ostream &OS) const;
  void listFields(fields::Fields &F) const;

  /// Places without a probe and files that were not read, one per line; one
  /// line for the places of a file that is excluded as a whole.
  void printProblems(llvm::raw_ostream &OS,
                     const std::vector<FilePattern> &ExcludeFiles) const;
};

/// The names of the files that a manifest lists; none if `Json` is not one.
std::vector<std::string> filesOf(llvm::StringRef Json);

} // namespace autoprof::tree
