// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/SemanticsFile.h"

#include "catalogue/SemanticsJson.h"

#include "llvm/Support/MemoryBuffer.h"

#include <cstdlib>

using namespace autoprof;
using llvm::StringRef;

llvm::Expected<std::unique_ptr<catalogue::Semantics>>
support::readSemanticsFile(const std::string &Path, StringRef NamedBy) {
  std::string Named = (NamedBy + "'" + Path + "'").str();
  auto Text = llvm::MemoryBuffer::getFile(Path);
  if (!Text)
    return llvm::createStringError("cannot read " + Named + ": " +
                                   Text.getError().message());
  llvm::Expected<catalogue::Semantics> S =
      catalogue::readSemantics((*Text)->getBuffer());
  if (!S)
    return llvm::createStringError("cannot use " + Named + ": " +
                                   llvm::toString(S.takeError()));
  return std::make_unique<catalogue::Semantics>(std::move(*S));
}

llvm::Expected<std::unique_ptr<catalogue::Semantics>>
support::openSemantics(const Arguments &Args) {
  if (Args.has("semantics"))
    return readSemanticsFile(Args.get("semantics"));
  const char *Variable = std::getenv("AUTOPROF_SEMANTICS");
  if (Variable && *Variable)
    return readSemanticsFile(Variable, "AUTOPROF_SEMANTICS: ");
  return nullptr;
}
