// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formats of `autoprof explain`.
#ifndef AUTOPROF_REPORT_CATALOGUE_FORMATS_H
#define AUTOPROF_REPORT_CATALOGUE_FORMATS_H

#include "report/Formats.h"
#include "report/catalogue/Calls.h"

namespace autoprof::report {

void writeCallTerminal(llvm::raw_ostream &Out, const CallInput &Call,
                       const TextStyle &Style);
void writeCallMarkdown(llvm::raw_ostream &Out, const CallInput &Call,
                       const TextStyle &Style);
/// Schema autoprof-call/1 (docs/json.md).
void writeCallJson(llvm::raw_ostream &Out, const CallInput &Call,
                   const TextStyle &Style);

inline constexpr Format<CallInput> CallFormats[] = {
    {"terminal", writeCallTerminal},
    {"markdown", writeCallMarkdown},
    {"json", writeCallJson}};

/// One line per call.
void writeCatalogueTerminal(llvm::raw_ostream &Out, const CatalogueInput &About,
                            const TextStyle &Style);
/// docs/catalogue.md.
void writeCatalogueMarkdown(llvm::raw_ostream &Out, const CatalogueInput &About,
                            const TextStyle &Style);
/// Schema autoprof-call/1, with the rows of all calls.
void writeCatalogueJson(llvm::raw_ostream &Out, const CatalogueInput &About,
                        const TextStyle &Style);

inline constexpr Format<CatalogueInput> CatalogueFormats[] = {
    {"terminal", writeCatalogueTerminal},
    {"markdown", writeCatalogueMarkdown},
    {"json", writeCatalogueJson}};

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_CATALOGUE_FORMATS_H
