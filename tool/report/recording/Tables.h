// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables that the terminal and Markdown share.
#ifndef AUTOPROF_REPORT_RECORDING_TABLES_H
#define AUTOPROF_REPORT_RECORDING_TABLES_H

#include "report/TextTable.h"
#include "report/recording/Report.h"

namespace autoprof::report {

/// Parts of the table of sites, which each format makes by itself if waits are
/// known.
llvm::StringRef sitesHeading(const Input &Subject);
/// What its columns mean, one sentence.
std::string sitesKey(const Input &Subject);

/// What a recording cannot tell about advice for a wait, one sentence.
llvm::StringRef adviceDoubt(const analysis::SiteRow &Row);
/// The same as a caveat, for the end of the table of sites or of the one of
/// those `Outside` the steps; "" where it has no advice that is worth
/// following. Only one of the two has it.
std::string adviceCaveat(const Input &Subject, bool Outside);

/// Which sites of that table have waits that cost nothing because the GPU stays
/// busy meanwhile, and how long these are, one sentence; "": none do.
std::string silentWaits(const Input &Subject);
/// If that table is empty.
llvm::StringRef noSites(const Input &Subject);

/// The table of sites where waits are unknown: by host time in them.
TextTable probedTable(const Input &Subject);

/// The name of the row's call; of operators that have the same name, with the
/// range or module that called them: "Tensor.item in Loss.forward".
std::string callLabel(const Input &Subject, const analysis::SiteRow &Row);

/// Sites that wait outside the steps only, the most expensive first; at most
/// `MaxRows`.
TextTable outsideTable(const Input &Subject, size_t MaxRows);
llvm::StringRef outsideHeading();

/// Why the GPU was idle, and how long it was busy: means over the steps that
/// count, or sums over the whole run.
TextTable gapTable(const Input &Subject);
llvm::StringRef gapHeading(const Input &Subject);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_TABLES_H
