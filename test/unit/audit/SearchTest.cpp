// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many steps a search looks at, in a loop with a launch and many branches
// that wait.
#include "audit/walk/Waits.h"

#include <gtest/gtest.h>

using namespace autoprof::audit;

namespace {

constexpr unsigned Branches = 100;

/// `PerBranch` waits in each branch, and code that is not visible before it.
Project program(unsigned PerBranch) {
  Function F;
  F.Usr = "c:@F@run";
  F.Name = "run";
  F.Location = {"/p/a.cu", 1, 1, 0};
  unsigned Offset = 0;
  const auto Next = [&] { return Place{"/p/a.cu", ++Offset, 1, Offset}; };
  const auto AddScope = [&](Scope::Kind Kind) {
    Scope S;
    S.Class = Kind;
    S.Parent = F.Scopes.empty() ? -1 : 0;
    S.Location = Next();
    F.Scopes.push_back(S);
    return int(F.Scopes.size()) - 1;
  };
  Block B;
  const auto AddSite = [&](std::string Row, int Scope) {
    Site S;
    S.Row = S.Callee = std::move(Row);
    S.Location = Next();
    S.Scope = Scope;
    B.Events.push_back({Event::SiteReached, unsigned(F.Sites.size()),
                        S.Location, Scope, false});
    F.Sites.push_back(std::move(S));
  };
  AddSite("", AddScope(Scope::Loop));
  for (unsigned I = 0; I < Branches; ++I) {
    B.Events.push_back({Event::UnknownCall, 0, Next(), 0, false});
    const int Branch = AddScope(Scope::Condition);
    for (unsigned Wait = 0; Wait < PerBranch; ++Wait)
      AddSite("cudaDeviceSynchronize", Branch);
  }
  F.Blocks = {std::move(B)};
  std::vector<TranslationUnit> Units(1);
  Units[0].MainFile = "/p/a.cu";
  Units[0].Functions = {std::make_shared<Function>(std::move(F))};
  return Project(std::move(Units));
}

/// The steps that searches from all waits find, one way or the other.
template <typename Callback>
unsigned found(const Project &P, unsigned Kinds, Callback Each) {
  unsigned Result = 0;
  forTraces(P, [&](Trace &T) {
    for (size_t At = 0; At < T.Steps.size(); ++At) {
      if (!T.Steps[At].Call || !T.Steps[At].Call->waits())
        continue;
      Search Back(T, At, Kinds);
      unsigned Seen = 0;
      for (size_t I = At; Back.last(0, I, I); ++Seen)
        Each(T, At, I);
      Search On(T, At, Kinds);
      for (size_t I = At + 1; On.first(I, T.Steps.size(), I); ++I, ++Seen)
        Each(T, At, I);
      Result += Seen;
    }
  });
  return Result;
}

} // namespace

TEST(Search, PassesOverTheWaitsOfOtherBranches) {
  const auto IsLaunch = [](const Trace &T, size_t, size_t Found) {
    EXPECT_TRUE(T.Steps[Found].Call->Linked->Launches);
  };
  EXPECT_EQ(found(program(1), Search::Calls, IsLaunch), Branches);
}

TEST(Search, FindsTheWaitsOfItsOwnBranch) {
  const auto IsNear = [](const Trace &T, size_t At, size_t Found) {
    EXPECT_TRUE(Found == 0 || T.Steps[Found].Guard == T.Steps[At].Guard);
  };
  // The launch and two waits, from each of three.
  EXPECT_EQ(found(program(3), Search::Calls, IsNear), Branches * 3 * 3);
}

TEST(Search, FindsAllWaitsIfAsked) {
  const auto Any = [](const Trace &, size_t, size_t) {};
  EXPECT_EQ(found(program(1), Search::Calls | Search::Quiet, Any),
            Branches * Branches);
  EXPECT_EQ(found(program(1), Search::All, Any), Branches * 2 * Branches);
}
