// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an audit found, for reports about recordings: from the JSON that
// `autoprof audit --format=json` writes (schema autoprof-audit/1).
#ifndef AUTOPROF_PRICES_AUDITRULES_H
#define AUTOPROF_PRICES_AUDITRULES_H

#include "prices/Places.h"

#include "llvm/Support/Error.h"

#include <memory>

namespace autoprof::prices {

class AuditRules {
public:
  /// An error is one sentence without the file's name.
  static llvm::Expected<AuditRules> read(llvm::StringRef Json);

  /// The rule that finds a recorded call: "autoprof-sync-in-loop"; "": none.
  llvm::StringRef find(const Place &Recorded) const;

private:
  /// In which the index points.
  std::unique_ptr<std::vector<Place>> Places;
  std::unique_ptr<PlaceIndex> Index;
  std::unordered_map<uint64_t, std::string> Rules; ///< By site id.
};

} // namespace autoprof::prices

#endif // AUTOPROF_PRICES_AUDITRULES_H
