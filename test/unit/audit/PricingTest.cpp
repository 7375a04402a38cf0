// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings and recordings, on a model made by hand: a function with a launching
// loop, and a call after it.
#include "audit/Pricing.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::audit;

namespace {

Site site(uint64_t Id, std::string Row, unsigned Line, int Scope) {
  Site S;
  S.Id = Id;
  S.Row = S.Callee = std::move(Row);
  S.Location = {"/p/src/a.cu", Line, 3, 0};
  S.Scope = Scope;
  return S;
}

/// Lines 5 to 9: a loop with a kernel and four calls; line 12: a call after it.
std::vector<TranslationUnit> model() {
  Function F;
  F.Usr = "c:@F@train";
  F.Name = "train";
  F.Location = {"/p/src/a.cu", 3, 1, 0};
  Scope Loop;
  Loop.Class = Scope::Loop;
  Loop.Location = {"/p/src/a.cu", 4, 3, 0};
  F.Scopes.push_back(Loop);
  Site Kernel = site(1, "", 5, 0);
  Kernel.Callee = "step";
  F.Sites = {Kernel,
             site(2, "cudaDeviceSynchronize", 6, 0),
             site(3, "cudaDeviceSynchronize", 7, 0),
             site(4, "cudaStreamSynchronize", 8, 0),
             site(5, "cudaStreamSynchronize", 8, 0),
             site(6, "cudaDeviceSynchronize", 12, -1)};
  F.Sites[4].Location.Column = 40;
  Block Whole;
  for (unsigned I = 0; I < F.Sites.size(); ++I)
    Whole.Events.push_back({Event::SiteReached, I, F.Sites[I].Location});
  F.Blocks = {Whole};
  TranslationUnit TU;
  TU.MainFile = "/p/src/a.cu";
  TU.Root = "/p/";
  TU.Functions.push_back(std::make_shared<Function>(F));
  std::vector<TranslationUnit> Units;
  Units.push_back(std::move(TU));
  return Units;
}

Finding finding(const Project &P, uint64_t Id, Severity Level,
                std::string Rule = "autoprof-sync-in-loop") {
  Finding F;
  F.Rule = std::move(Rule);
  F.Level = Level;
  for (const LinkedSite &S : P.sites())
    if (S.Model->Id == Id)
      F.Site = &S;
  F.Location = F.Site->Model->Location;
  return F;
}

prices::SitePrice price(uint64_t Id, unsigned Line, int64_t Wait,
                        std::string Call = "cudaDeviceSynchronize") {
  prices::SitePrice S;
  S.Position = {Id, "src/a.cu", Line, 0, "train", std::move(Call)};
  S.Calls = 10;
  S.Waits = Wait ? 10 : 0;
  S.Wait = S.Exposed = Wait;
  S.Removed = prices::Gain{0, Wait};
  S.Span = 100'000;
  return S;
}

std::vector<prices::Prices> recording(std::vector<prices::SitePrice> Sites,
                                      std::set<uint64_t> Unreached = {}) {
  prices::Prices P;
  P.Recordings.push_back({"a.pftrace", "./a", true, "", false});
  P.Sites = std::move(Sites);
  P.Unreached = std::move(Unreached);
  P.Span = 100'000;
  P.Waited = 0;
  return {std::move(P)};
}

} // namespace

TEST(Pricing, SortsByGainAndPutsWhatCostsNothingLast) {
  const Project P(model());
  std::vector<Finding> Findings{
      finding(P, 2, Severity::High), finding(P, 3, Severity::Low),
      finding(P, 4, Severity::Low), finding(P, 5, Severity::High)};
  const Pricing Priced(
      P, recording({price(2, 6, 0), price(3, 7, 900)}, /*Unreached=*/{5}));
  Priced.sort(Findings);
  ASSERT_EQ(Findings.size(), 4u);
  EXPECT_EQ(Findings[0].Site->Model->Id, 3u);
  EXPECT_EQ(Priced.of(Findings[0])->State, Measured::Waited);
  EXPECT_EQ(Findings[1].Site->Model->Id, 5u);
  EXPECT_EQ(Priced.of(Findings[1])->State, Measured::NotReached);
  EXPECT_EQ(Findings[2].Site->Model->Id, 4u);
  EXPECT_EQ(Priced.of(Findings[2])->State, Measured::NoProbe);
  EXPECT_EQ(Findings[3].Site->Model->Id, 2u);
  EXPECT_EQ(Priced.of(Findings[3])->State, Measured::NeverWaited);
}

TEST(Pricing, ARuleAboutSomethingElseIsNotRefutedByNoWait) {
  const Project P(model());
  const Pricing Priced(P, recording({price(2, 6, 0)}));
  const Finding F = finding(P, 2, Severity::High, "autoprof-unsafe-early-read");
  EXPECT_EQ(Priced.of(F)->State, Measured::NotAWait);
}

TEST(Pricing, ARecordingWithoutProbesTellsNotWhatRan) {
  const Project P(model());
  const Pricing Priced(P, recording({price(0, 7, 900)}));
  EXPECT_EQ(Priced.of(finding(P, 2, Severity::High))->State, Measured::Unknown);
  const std::optional<FindingPrice> Price =
      Priced.of(finding(P, 3, Severity::High));
  EXPECT_EQ(Price->State, Measured::Waited);
  EXPECT_TRUE(Price->ByPlace);
}

TEST(Pricing, CallsOfOneLineAreNotGuessed) {
  const Project P(model());
  const Pricing Priced(P,
                       recording({price(0, 8, 900, "cudaStreamSynchronize")}));
  EXPECT_FALSE(Priced.of(finding(P, 4, Severity::High))->Site);
  const std::vector<UnfoundWait> Unfound =
      Priced.unfound({}, SilentSites(), {});
  ASSERT_EQ(Unfound.size(), 1u);
  EXPECT_EQ(Unfound[0].Cause, Silence::Ambiguous);
}

TEST(Pricing, ExplainsWaitsThatAreNoFinding) {
  const Project P(model());
  prices::SitePrice Elsewhere = price(70, 6, 500), Nowhere = price(0, 0, 400),
                    Gone = price(71, 99, 300), Lost = price(72, 1, 200);
  Elsewhere.Position.File = "src/b.cu";
  Nowhere.Position.File = "";
  Lost.Position.File = "src/c.cu";
  const Pricing Priced(
      P, recording({price(2, 6, 900), price(3, 7, 800), price(4, 8, 700),
                    price(6, 12, 600), Elsewhere, Nowhere, Gone, Lost}));
  const std::vector<Finding> Findings{finding(P, 2, Severity::High)};
  SilentSites Silent;
  Silent[finding(P, 3, Severity::High).Site] = Silence::Comment;
  Silent[finding(P, 4, Severity::High).Site] = Silence::NoRule;
  Silent[finding(P, 6, Severity::High).Site] = Silence::OutsideLoops;
  const UnreadSource Unread{"src/c.cu", "", "it has errors"};
  const std::vector<UnfoundWait> Unfound =
      Priced.unfound(Findings, Silent, {Unread});
  std::vector<Silence> Reasons;
  for (const UnfoundWait &W : Unfound)
    Reasons.push_back(W.Cause);
  EXPECT_EQ(Reasons, (std::vector{Silence::Comment, Silence::NoRule,
                                  Silence::OutsideLoops, Silence::NotInSources,
                                  Silence::NoPlace, Silence::Changed,
                                  Silence::NotRead}));
  EXPECT_EQ(Unfound.back().Text, "its source was not read: it has errors");
}
