// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fields that several JSON reports have in common.
#pragma once

#include "analysis/replay/WhatIf.h"
#include "catalogue/Semantics.h"
#include "fields/Fields.h"
#include "trace/timeline/Timeline.h"

namespace autoprof::report {

using fields::Bounds;
using fields::Fields;
using fields::writeFields;

/// The schemas of the JSON that this library writes, one on each line: what
/// scripts/json-tables.py makes docs/schemas from.
void printSchemas(llvm::raw_ostream &Out);

/// How sites[].kind names what a call does.
constexpr llvm::StringRef SiteKinds[] = {"launch", "copy",  "set",
                                         "sync",   "alloc", "free",
                                         "query",  "other", "operator"};

template <typename T> std::optional<T> onlyIf(bool IsKnown, T V) {
  return IsKnown ? std::optional<T>(V) : std::nullopt;
}

/// A member of what may not be known.
template <typename T, typename Member>
std::optional<Member> of(const std::optional<T> &V, Member T::*M) {
  return V ? std::optional<Member>((*V).*M) : std::nullopt;
}

/// How a process was recorded.
template <typename Process> void modeFields(Fields &F, Process &P) {
  F.choice("mode", "how it was recorded; null: another profiler's trace",
           P.Mode, {"full", "light", "nvtx", ""});
  F.choice("cupti",
           "`ok`, or why there is no GPU work; null: another profiler's trace",
           P.CuptiState, {"ok", "missing", "busy", "refused", "off", ""});
}

/// One of inputs[].
inline void inputFields(Fields &F, llvm::StringRef Path,
                        const trace::Process &P, uint64_t FileBytes,
                        const catalogue::Semantics *Calibration) {
  F.field("path", "as given on the command line", Path);
  F.text("command", "the recorded program's command line", P.CommandLine);
  modeFields(F, P);
  F.text("cupti_reason", "one sentence when `cupti` is not `ok`",
         P.CuptiReason);
  F.text("recorded_by",
         "another profiler ([import.md](import.md)): `the PyTorch profiler`, "
         "`Nsight Systems 2026.2.1.210`; null: autoprof",
         P.Source.Producer);
  F.field("limits", "what such a trace does not tell, one sentence each",
          P.Source.Limits);
  F.field("ended_in_order",
          "false: killed, crashed, or `_exit`; null: another profiler's trace "
          "does not tell",
          onlyIf(P.Source.Producer.empty(), !P.EndReason.empty()));
  F.field("file_bytes", "size of the trace, unpacked", FileBytes);
  F.text("semantics",
         "GPU, driver and CUDA of the calibration by which waits were judged "
         "([calibrate.md](calibrate.md)); null: the built-in table",
         Calibration && !Calibration->Observations.empty()
             ? catalogue::machine(*Calibration)
             : "");
}

/// Null for None.
inline const trace::Site *siteAt(const trace::Timeline &T, uint32_t Site) {
  return Site == trace::None ? nullptr : &T.Sites[Site];
}

/// id, file, line, function.
template <typename Site> void placeFields(Fields &F, Site &S) {
  F.id("id",
       "16 hex digits; stays the same when other code changes. Null without a "
       "source line",
       S.Id);
  F.text("file", "relative to the project's root; null without a source line",
         S.File);
  F.unlessZero("line", "line, counted from 1; null without a source line",
               S.Line);
  Site User;
  F.text("function",
         "the function that contains it; null without a source line",
         S.isUserRange() ? User.Function : S.Function);
}
/// All null without a site.
inline void placeFields(Fields &F, const trace::Site *S) {
  static const trace::Site Unknown;
  placeFields(F, S ? *S : Unknown);
}

/// What tells places of calls in one line apart.
template <typename Site> void callDetailFields(Fields &F, Site &S) {
  F.unlessZero("column", "byte in the line, counted from 1; null: not known",
               S.Column);
  F.object("called_from",
           "where `file` is a framework's: the innermost line of the user's "
           "own code that led there; else null",
           S.CalledFrom, [&](auto &From) {
             F.text("file", "its file", From.File);
             F.unlessZero("line", "counted from 1", From.Line);
             F.text("function", "the function that contains it", From.Function);
           });
}
/// The place of a call.
template <typename Site> void callSiteFields(Fields &F, Site &S) {
  placeFields(F, S);
  callDetailFields(F, S);
}
inline void callSiteFields(Fields &F, const trace::Site *S) {
  static const trace::Site Unknown;
  callSiteFields(F, S ? *S : Unknown);
}

/// A call at a place.
inline void callFields(Fields &F, const trace::Site *S, llvm::StringRef Call) {
  callSiteFields(F, S);
  F.field("call", "the call, or the kernel that is launched", Call);
}

/// The call of a row of ranks or of a summary.
template <typename Row> void siteCallFields(Fields &F, Row &S) {
  callSiteFields(F, S.Place);
  F.field("call", "the call, or the kernel that is launched", S.Call);
  F.choice("kind",
           "class of the call; `operator`: `call` is the path of a framework's "
           "operators ([import.md](import.md))",
           S.Kind, SiteKinds);
}

/// Sums of such a row; null where not known.
template <typename Row> void siteSumsFields(Fields &F, Row &S) {
  F.field("count",
          "how often it ran; of several ranks, like the next ones, the sum",
          S.Count);
  F.field("waits", "how often it waited", S.Waits);
  F.field("wait_ns",
          "sum of its waits; null where one of the ranks does not know, like "
          "the next ones",
          S.Wait);
  F.field("exposed_ns", "exposed stall", S.Exposed);
}

} // namespace autoprof::report
