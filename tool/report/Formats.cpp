// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Formats.h"

#include "llvm/ADT/Twine.h"

using namespace autoprof::report;
using llvm::StringRef;

llvm::Expected<FormatName>
autoprof::report::findFormat(llvm::ArrayRef<FormatName> Known,
                             StringRef Given) {
  for (const FormatName &F : Known)
    if (F.Name == Given)
      return F;
  std::string Names;
  for (size_t I = 0; I < Known.size(); ++I)
    Names += (I == 0                 ? ""
              : I + 1 < Known.size() ? ", "
                                     : " and ") +
             Known[I].Name.str();
  return llvm::createStringError("unknown format '" + Given + "'; there are " +
                                 Names);
}
