// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of instrumentation, and properties of the text to instrument.
#pragma once

#include "config/Config.h"
#include "source/project/Project.h"

#include "clang/Basic/FileManager.h"
#include "clang/Basic/LangOptions.h"
#include <string>

namespace autoprof::source {

struct RewriteOptions : Config {
  bool Table = true;           ///< Add the table of sites to the main file.
  bool LeaveAnnotated = false; ///< No probes in files that isAnnotated().
  std::string ProbeHeader;     ///< Absolute path of autoprof/probe.h.
};

/// The folder where the compiler was started, or "".
std::string startOf(const clang::FileManager &Files);

/// The project to which `MainFile`, an absolute path, belongs.
Project projectOf(const RewriteOptions &Options, llvm::StringRef MainFile,
                  const clang::FileManager &Files);

/// Whether this text has the probes of an annotated tree: it includes
/// autoprof/annotated.h, or did so before it was preprocessed.
bool isAnnotated(llvm::StringRef Text);

/// Whether this text is a module unit of C++20. Nothing may be included before
/// its declaration.
bool isModuleUnit(llvm::StringRef Text, const clang::LangOptions &LangOpts);

} // namespace autoprof::source
