// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The catalogue against what was measured on the H200.
#include "catalogue/Measured.h"

#include "gtest/gtest.h"

#include <set>

using namespace autoprof::catalogue;

namespace {

/// What the catalogue answers in another way is explained one by one.
TEST(Measurements, AreAnsweredAsMeasured) {
  ASSERT_FALSE(shipped().empty());
  for (const Semantics &S : shipped()) {
    size_t Known = 0;
    for (const Observation &O : S.Observations) {
      EXPECT_TRUE(lookup(O.Call)) << O.Call << " is not in the catalogue";
      Known += verdict(O, S.QueuedNs).has_value();
    }
    std::vector<Difference> Different = differences(S);
    for (const Difference &D : Different)
      EXPECT_TRUE(explanation(*D.O))
          << machine(S) << ": " << D.O->Call << ", " << D.O->Arguments
          << ": measured: " << name(D.Seen.Wait).str() << ' '
          << name(D.Seen.Target).str()
          << "; answered: " << name(D.BuiltIn.Wait).str() << ' '
          << name(D.BuiltIn.Target).str()
          << ". Correct the row, or say why in explained.def";
    EXPECT_GT(Known, 100u);
    EXPECT_GE(double(Known - Different.size()), 0.95 * double(Known))
        << machine(S);
  }
}

/// No row says "measured" of what was not.
TEST(Measurements, StandBehindEachRowThatClaimsThem) {
  std::set<const Row *> Spoke;
  for (const Semantics &S : shipped())
    for (const Observation &O : S.Observations)
      if (const Row *General = lookup(O.Call);
          General && verdict(O, S.QueuedNs)) {
        Spoke.insert(General);
        for (const Row *R : ask(*General, O.Known).Rows)
          Spoke.insert(R);
      }
  for (const Row &R : rows())
    if (R.Source.starts_with("measured: H200"))
      EXPECT_TRUE(Spoke.count(&R))
          << R.Name.str() << " " << describe(R.Condition);
}

TEST(Disagreements, AreOfCallsThatWereMeasured) {
  std::set<std::string> Names;
  for (const Semantics &S : shipped())
    for (const Observation &O : S.Observations)
      Names.insert(O.Call);
  for (const Disagreement &D : disagreements())
    EXPECT_TRUE(Names.count(D.Name.str())) << D.Name.str();
}

} // namespace
