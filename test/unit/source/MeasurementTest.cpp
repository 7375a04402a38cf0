// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The catalogue against what was measured on the H200.
#include "catalogue/Catalogue.h"

#include "gtest/gtest.h"

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

TEST(Measurements, AreThoseOfTheFile) {
  auto Csv = readCsv();
  ASSERT_EQ(Csv.size(), measurements().size());
  for (const Measurement &M : measurements()) {
    ASSERT_TRUE(Csv.count(M.What.str())) << M.What.str();
    EXPECT_EQ(Csv[M.What.str()],
              (std::vector<double>{M.Idle, M.OwnStream, M.OtherNonBlocking,
                                   M.OtherBlocking, M.LegacyStream}))
        << M.What.str();
  }
}

/// Those that the catalogue answers in another way, with the reason, are
/// listed in docs/catalogue.md.
TEST(Measurements, AreAnsweredAsMeasured) {
  const std::set<std::string> Explained = {
      "2000 launches (queue depth) per-launch"};
  std::set<std::string> Different;
  for (const Measurement &M : measurements()) {
    const Row *General = lookup(M.Name);
    ASSERT_TRUE(General) << M.Name.str();
    Answer A = ask(*General, M.With);
    bool Same =
        A.Wait != Waits::Maybe && mayWait(A.Wait) == M.waited() &&
        (A.Target == M.target() || (A.Target == WaitsFor::Event && M.waited()));
    if (!Same)
      Different.insert(M.What.str());
  }
  EXPECT_EQ(Different, Explained);
  EXPECT_GE(double(measurements().size() - Different.size()),
            0.95 * double(measurements().size()));
}

/// No row says "measured" of what was not.
TEST(Measurements, StandBehindEachRowThatClaimsThem) {
  std::set<const Row *> Spoke;
  for (const Measurement &M : measurements()) {
    const Row *General = lookup(M.Name);
    Spoke.insert(General);
    for (const Row *R : ask(*General, M.With).Rows)
      Spoke.insert(R);
  }
  for (const Row &R : rows())
    if (R.Source.starts_with("measured: H200"))
      EXPECT_TRUE(Spoke.count(&R)) << R.Name.str() << " " << describe(R.When);
}

TEST(Measurements, TellWhatWasWaitedFor) {
  Measurement M = {"x", "", Facts(), 5, 20010, 20010, 20010, 20010};
  EXPECT_TRUE(M.waited());
  EXPECT_EQ(M.target(), WaitsFor::Device);
  M = {"x", "", Facts(), 5, 6, 7, 20010, 20010};
  EXPECT_EQ(M.target(), WaitsFor::Stream);
  M = {"x", "", Facts(), 17000, 16600, 16500, 16500, 16700};
  EXPECT_FALSE(M.waited());
  EXPECT_EQ(M.target(), WaitsFor::Nothing);
}

TEST(Disagreements, AreOfCallsThatWereMeasured) {
  std::set<std::string> Names;
  for (const Measurement &M : measurements())
    Names.insert(M.Name.str());
  for (const Disagreement &D : disagreements())
    EXPECT_TRUE(Names.count(D.Name.str())) << D.Name.str();
}

} // namespace
