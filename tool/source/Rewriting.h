// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What to change in one translation unit, and how it is asked for.
#ifndef AUTOPROF_SOURCE_REWRITING_H
#define AUTOPROF_SOURCE_REWRITING_H

#include "config/Config.h"
#include "source/Edits.h"
#include "source/ProbeText.h"
#include "source/Project.h"
#include "source/Site.h"

#include "clang/Basic/FileManager.h"
#include <optional>
#include <string>
#include <vector>

namespace autoprof::source {

struct RewriteOptions : Config {
  bool Table = true;           ///< Add the table of sites to the main file.
  bool Verify = false;         ///< Parse the rewritten text in any case.
  bool LeaveAnnotated = false; ///< No probes in files that isAnnotated().
  std::vector<std::string> Postpone; ///< Site names; see Experiments.h.
  /// Absolute path of autoprof/probe.h; of experiment.h, if there are any.
  std::string ProbeHeader;
};

struct Rewriting {
  std::vector<EditedFile> Files; ///< Empty: nothing to change.
  std::vector<Site> Sites;
  std::vector<Skipped> NotInstrumented;
  /// The sites that RewriteOptions::Postpone names; without a reason where the
  /// call was changed, else with the one why it was not.
  std::vector<Skipped> Experiments;
  std::string Root;    ///< Absolute.
  bool AtRisk = false; ///< Holds forms that a parse should confirm.

  const EditedFile *find(clang::FileEntryRef File) const;

  /// Puts the table of Sites behind the end of the main file, whose original
  /// text is `Text`.
  void addTable(clang::FileEntryRef Main, llvm::StringRef Text,
                const ProbeText &Probes);
};

/// The project to which `MainFile`, an absolute path, belongs.
Project projectOf(const RewriteOptions &Options, llvm::StringRef MainFile,
                  const clang::FileManager &Files);

/// Has this text the probes of an annotated tree? It includes
/// autoprof/annotated.h, or did so before it was preprocessed.
bool isAnnotated(llvm::StringRef Text);

/// Is this text a module unit of C++20? Nothing may be included before its
/// declaration.
bool isModuleUnit(llvm::StringRef Text, const clang::LangOptions &LangOpts);

/// The result as bytes, and back: for the process that collected it to send.
std::string serialize(Rewriting R);

/// Files are found again through `Files`. Nothing when the bytes are
/// incomplete.
std::optional<Rewriting> deserialize(llvm::StringRef Bytes,
                                     clang::FileManager &Files);

} // namespace autoprof::source

#endif // AUTOPROF_SOURCE_REWRITING_H
