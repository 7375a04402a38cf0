// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The changes to one translation unit.
#pragma once

#include "source/project/Options.h"
#include "source/project/Site.h"
#include "source/text/Edits.h"
#include "source/text/ProbeText.h"

#include "clang/Basic/FileManager.h"
#include <optional>
#include <string>
#include <vector>

namespace autoprof::source {

struct Rewriting {
  std::vector<EditedFile> Files; ///< Empty: nothing to change.
  std::vector<Site> Sites;
  std::vector<Skipped> NotInstrumented;
  std::vector<std::string> Warnings; ///< Lines for the user.
  std::string Root;                  ///< Absolute.
  bool AtRisk = false;               ///< Has forms that a parse should confirm.

  const EditedFile *find(clang::FileEntryRef File) const;

  /// Appends the table of Sites to the main file, whose original text is
  /// `Text`. `Step`: as the project names it, or "".
  void addTable(clang::FileEntryRef Main, llvm::StringRef Text,
                const ProbeText &Probes, llvm::StringRef Step);
};

/// The result as bytes, for the process that collected it to send.
std::string serialize(Rewriting R);

/// The inverse. Files are found through `Files`. Returns none if the bytes are
/// incomplete.
std::optional<Rewriting> deserialize(llvm::StringRef Bytes,
                                     clang::FileManager &Files);

} // namespace autoprof::source
