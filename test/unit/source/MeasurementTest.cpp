// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The catalogue against what was measured on the H200.
#include "catalogue/Measured.h"

#include "gtest/gtest.h"

#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

using namespace autoprof::catalogue;

namespace {

/// Lines that time no catalogued call.
const std::set<std::string> NoCalls = {"managed host read (not touched by GPU)",
                                       "final"};

std::map<std::string, std::vector<double>> readCsv() {
  std::map<std::string, std::vector<double>> Result;
  std::ifstream In(AUTOPROF_MEASURED_CSV);
  std::string Line;
  std::getline(In, Line); // The header.
  while (std::getline(In, Line)) {
    std::stringstream Fields(Line);
    std::string What, Number;
    std::getline(Fields, What, ',');
    if (NoCalls.count(What))
      continue;
    while (std::getline(Fields, Number, ','))
      Result[What].push_back(std::stod(Number));
  }
  return Result;
}

/// The first run, made before there was `autoprof calibrate`.
const Semantics &firstRun() {
  for (const Semantics &S : shipped())
    if (S.Made.empty())
      return S;
  static const Semantics None;
  ADD_FAILURE() << "the first run is missing";
  return None;
}

TEST(Measurements, AreThoseOfTheFirstRun) {
  auto Csv = readCsv();
  ASSERT_EQ(Csv.size(), firstRun().Observations.size());
  for (const Observation &O : firstRun().Observations) {
    std::string Line =
        O.Arguments.empty() ? O.Call : O.Call + " " + O.Arguments;
    if (!Csv.count(Line))
      Line = O.Arguments;
    ASSERT_TRUE(Csv.count(Line)) << Line;
    std::vector<int64_t> Ns = {*O.IdleNs};
    for (std::optional<int64_t> Behind : O.BehindNs)
      Ns.push_back(*Behind);
    for (size_t I = 0; I < Ns.size(); ++I)
      EXPECT_EQ(std::llround(Csv[Line][I] * 1000), Ns[I]) << Line;
  }
}

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
