// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catalogue/Catalogue.h"

using namespace autoprof::catalogue;
using namespace autoprof::catalogue::values;

namespace {

#define AUTOPROF_MEASURED(NAME, WHAT, WITH, IDLE, OWN, OTHER_NONBLOCKING,      \
                          OTHER_BLOCKING, LEGACY)                              \
  {#NAME, WHAT, WITH, IDLE, OWN, OTHER_NONBLOCKING, OTHER_BLOCKING, LEGACY},
constexpr Measurement Measured[] = {
#include "catalogue/h200.def"
};

#define AUTOPROF_DISAGREE(NAME, DOCUMENTED, MEASURED)                          \
  {#NAME, DOCUMENTED, MEASURED},
constexpr Disagreement Disagreements[] = {
#include "catalogue/disagreements.def"
};

} // namespace

bool Measurement::waited() const {
  return waitedFor(OwnStream) || waitedFor(OtherNonBlocking) ||
         waitedFor(OtherBlocking) || waitedFor(LegacyStream);
}

WaitsFor Measurement::target() const {
  if (!waited())
    return WaitsFor::Nothing;
  return waitedFor(OwnStream) && waitedFor(OtherNonBlocking) ? WaitsFor::Device
                                                             : WaitsFor::Stream;
}

llvm::ArrayRef<Measurement> autoprof::catalogue::measurements() {
  return Measured;
}

std::vector<const Measurement *>
autoprof::catalogue::measurementsOf(const Row &Speaking) {
  std::vector<const Measurement *> Result;
  for (const Measurement &M : Measured)
    if (M.Name == Speaking.Name &&
        ask(*lookup(M.Name), M.With).Rows.front() == &Speaking)
      Result.push_back(&M);
  return Result;
}

llvm::ArrayRef<Disagreement> autoprof::catalogue::disagreements() {
  return Disagreements;
}
