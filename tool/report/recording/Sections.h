// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sections of reports about recordings, each made from the result in one
// place for all formats. ReportDocument.cpp and DiffDocument.cpp put them in
// order. A section without blocks is not shown.
#pragma once

#include "report/document/Document.h"
#include "report/recording/Report.h"

namespace autoprof::report {

/// Of several changes that are worth making, the part of each in what they gain
/// together.
Section answerSection(const Input &Subject);
/// The sites that wait in the steps, with what to do about each; where waits
/// are unknown, the sites by time in them.
Section waitSection(const Input &Subject);
/// Start-up and the end of the program.
Section outsideSection(const Input &Subject);
/// Also those that never waited.
Section allSitesSection(const Input &Subject);

/// How often the steps do what, and how long they take.
Section kindSection(const Input &Subject);

/// The GPU's time: its work, and idle by cause.
Section timeSection(const Input &Subject, const TextStyle &Style);
/// The lines that the CPU was in meanwhile, where it was sampled.
Section hostLineSection(const Input &Subject);
/// Where the CPU was in the gaps that it caused, by the calls before and after:
/// by idle time of the GPU. In full only, where that is less than a twentieth
/// of the time, or the lines are known.
Section busyCpuSection(const Input &Subject);
/// First the transfers that are worth a change, with what changing them saves.
Section transferSection(const Input &Subject);
/// What else an expert would point out.
Section findingSection(const Input &Subject);
/// A bar for each step of both sides; `New` may be null.
Section stepSection(const Input &Base, const Input *New);
Section timelineSection(const Input &Subject);
/// Device memory over time, and who holds it: one for each device.
std::vector<Section> memorySections(const Input &Subject);
/// Kernels, calls, ranges, memory operations.
std::vector<Section> profileSections(const Input &Subject,
                                     const TextStyle &Style);

/// Names and values: of the steps, then of the whole run.
Section summarySection(const Input &Subject);

/// The style and scripts of these sections.
PageParts recordingParts();

/// They refer to their subjects, which have to live as long.
Document reportDocument(const Input &Subject, const TextStyle &Style);
Document diffDocument(const DiffInput &About, const TextStyle &Style);

} // namespace autoprof::report
