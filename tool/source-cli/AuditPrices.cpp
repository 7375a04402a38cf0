// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source-cli/AuditPrices.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace autoprof;

llvm::Expected<std::vector<prices::Prices>>
sources::readPrices(const support::Arguments &Options) {
  std::vector<prices::Prices> Result;
  for (const auto &[Name, Path] : Options.Given) {
    if (Name != "prices")
      continue;
    auto Buffer = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false,
                                              /*IsVolatile=*/true);
    if (!Buffer)
      return llvm::createStringError("cannot read '" + Path +
                                     "': " + Buffer.getError().message());
    llvm::Expected<prices::Prices> Read =
        prices::readReport((*Buffer)->getBuffer());
    if (!Read)
      return llvm::createStringError("cannot read '" + Path +
                                     "': " + llvm::toString(Read.takeError()));
    Result.push_back(std::move(*Read));
  }
  return Result;
}

void sources::addPrices(report::Audit &A,
                        std::vector<prices::Prices> Recordings) {
  if (Recordings.empty())
    return;
  A.Priced = std::make_unique<audit::Pricing>(A.P, std::move(Recordings));
  if (A.Sorting != report::Order::File)
    A.Priced->sort(A.Findings);
  std::vector<audit::UnreadSource> Unread;
  for (const report::AuditFile &F : A.Files) {
    if (F.State == report::AuditFile::NotRead)
      Unread.push_back({F.File, "", F.Error});
    for (const source::Skipped &Function : F.Functions)
      Unread.push_back(
          {Function.Location.File, Function.Function, Function.Reason});
  }
  A.Unfound = A.Priced->unfound(A.Findings, A.Silent, Unread);
}
