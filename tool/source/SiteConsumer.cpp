// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/SiteConsumer.h"

#include "clang/Basic/DiagnosticSema.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace autoprof::source {

void FirstError::HandleDiagnostic(DiagnosticsEngine::Level Level,
                                  const Diagnostic &Info) {
  // A template with a local type that is used but not instantiated is caused by
  // us (SiteConsumer), so it is not an error.
  if (Level < DiagnosticsEngine::Error || !Message.empty() ||
      Info.getID() == diag::err_undefined_internal_type)
    return;
  if (Info.getLocation().isValid() && Info.hasSourceManager()) {
    PresumedLoc Presumed =
        Info.getSourceManager().getPresumedLoc(Info.getLocation());
    Message = (llvm::Twine(Presumed.getFilename()) + ":" +
               llvm::Twine(Presumed.getLine()) + ":" +
               llvm::Twine(Presumed.getColumn()) + ": ")
                  .str();
  }
  llvm::SmallString<128> Text;
  Info.FormatDiagnostic(Text);
  Message += Text;
}

bool SiteConsumer::HandleTopLevelDecl(DeclGroupRef Group) {
  for (Decl *D : Group)
    if (!CI.getSourceManager().isInSystemHeader(D->getLocation()))
      TopLevel.push_back(D);
  if (TheSema)
    TheSema->PendingInstantiations.clear();
  return true;
}

} // namespace autoprof::source
