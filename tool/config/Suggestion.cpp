// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "config/Suggestion.h"

#include "llvm/ADT/Twine.h"

#include <algorithm>

using llvm::StringRef;

StringRef autoprof::nearest(StringRef Text, llvm::ArrayRef<StringRef> Known) {
  StringRef Nearest;
  unsigned Best = ~0u;
  for (StringRef K : Known) {
    unsigned Distance = Text.edit_distance(K);
    if (Distance < Best) {
      Best = Distance;
      Nearest = K;
    }
  }
  // A larger distance is not a typing error.
  return Best > std::max<size_t>(2, Text.size() / 3) ? "" : Nearest;
}

std::string autoprof::suggestion(StringRef Text,
                                 llvm::ArrayRef<StringRef> Known) {
  const StringRef Nearest = nearest(Text, Known);
  return Nearest.empty() ? "" : ("; did you mean '" + Nearest + "'?").str();
}
