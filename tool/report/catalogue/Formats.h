// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formats of `autoprof explain`.
#pragma once

#include "fields/Fields.h"
#include "report/catalogue/Calls.h"
#include "report/document/Renderings.h"

namespace autoprof::report {

Document callDocument(const CallInput &Call, const TextStyle &Style);
/// Schema autoprof-call/1 (docs/json.md).
void writeCallJson(llvm::raw_ostream &Out, const CallInput &Call,
                   const TextStyle &Style);

/// `Only`: the general row of one call, or null for all.
void callFields(fields::Fields &F, llvm::StringRef Asked,
                const catalogue::Row *Only,
                const catalogue::Semantics *Calibration);

inline constexpr auto CallFormats =
    formatsOf<callDocument>(Format<CallInput>{"json", writeCallJson});

/// One line per call.
Document catalogueOverview(const CatalogueInput &About, const TextStyle &Style);
/// By library; docs/catalogue.md.
Document catalogueDocument(const CatalogueInput &About, const TextStyle &Style);
/// Schema autoprof-call/1, with the rows of all calls.
void writeCatalogueJson(llvm::raw_ostream &Out, const CatalogueInput &About,
                        const TextStyle &Style);

inline constexpr auto CatalogueFormats = formatsOf<catalogueDocument>(
    Format<CatalogueInput>{"terminal", as<catalogueOverview, renderTerminal>},
    Format<CatalogueInput>{"json", writeCatalogueJson});

} // namespace autoprof::report
