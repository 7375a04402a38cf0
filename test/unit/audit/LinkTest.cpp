// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What linking joins, on models made by hand: two translation units, two
// programs with functions of the same name, recursion.
#include "audit/Finding.h"

#include <gtest/gtest.h>

#include <optional>

using namespace autoprof;
using namespace autoprof::audit;
using namespace autoprof::catalogue::values;

namespace {

Function function(std::string Name, std::string File, unsigned Line) {
  Function F;
  F.Usr = "c:@F@" + Name;
  F.Name = std::move(Name);
  F.Location = {std::move(File), Line, 1, 0};
  return F;
}

Site site(std::string Row, const Function &F, int Scope = -1) {
  Site S;
  S.Row = S.Callee = std::move(Row);
  S.Location = {F.Location.File, F.Location.Line + 1 + unsigned(F.Sites.size()),
                1, 0};
  S.Scope = Scope;
  return S;
}

Site kernel(const Function &F, int Scope = -1) { return site("", F, Scope); }

void call(Function &F, std::string Callee, int Scope = -1) {
  Call C;
  C.Callee = "c:@F@" + Callee;
  C.Name = std::move(Callee);
  C.Location = F.Location;
  C.Scope = Scope;
  F.Calls.push_back(std::move(C));
}

void loop(Function &F) {
  Scope S;
  S.Class = Scope::Loop;
  S.Parent = int(F.Scopes.size()) - 1;
  S.Location = F.Location;
  F.Scopes.push_back(S);
}

/// Everything happens in one block: first the sites, then the calls.
void happen(Function &F) {
  if (!F.Blocks.empty())
    return;
  Block B;
  for (unsigned I = 0; I < F.Sites.size(); ++I)
    B.Events.push_back(
        {Event::SiteReached, I, F.Sites[I].Location, F.Sites[I].Scope, false});
  for (unsigned I = 0; I < F.Calls.size(); ++I)
    B.Events.push_back(
        {Event::CallMade, I, F.Calls[I].Location, F.Calls[I].Scope, false});
  F.Blocks = {std::move(B)};
}

TranslationUnit unit(std::string Main, std::vector<Function> Functions) {
  TranslationUnit TU;
  TU.MainFile = std::move(Main);
  for (Function &F : Functions) {
    happen(F);
    TU.Functions.push_back(std::make_shared<Function>(std::move(F)));
  }
  return TU;
}

std::vector<TranslationUnit> list(TranslationUnit A, TranslationUnit B) {
  std::vector<TranslationUnit> Result;
  Result.push_back(std::move(A));
  Result.push_back(std::move(B));
  return Result;
}

const LinkedSite &find(const Project &P, llvm::StringRef Row,
                       llvm::StringRef File) {
  for (const LinkedSite &S : P.sites())
    if (S.Model->Row == Row && S.Model->Location.File.str() == File)
      return S;
  ADD_FAILURE() << Row.str() << " is not in " << File.str();
  return P.sites().front();
}

/// The finding at a site, if it is in a launching loop.
std::optional<Finding> inLoop(const Project &P, llvm::StringRef Row,
                              llvm::StringRef File) {
  const LinkedSite &S = find(P, Row, File);
  for (Finding &F : check(P, [](llvm::StringRef) { return true; }).All)
    if (F.Site == &S)
      return F;
  return std::nullopt;
}

} // namespace

TEST(Link, AUnitThatCouldReadAFunctionOfAHeaderSpeaksForIt) {
  Function Unread = function("wait", "/p/wait.h", 1);
  Unread.Unread = true;
  Unread.Blocks = {{{{Event::UnknownCall, 0, {}}}, {}}};
  Function Read = function("wait", "/p/wait.h", 1);
  Read.Sites.push_back(site("cudaDeviceSynchronize", Read));
  const Project P(list(unit("/p/a.cu", {Unread}), unit("/p/b.cu", {Read})));
  ASSERT_EQ(P.functions().size(), 1u);
  EXPECT_EQ(P.sites().size(), 1u);
  EXPECT_EQ(P.functions()[0].Unit, 1u);
  EXPECT_EQ(P.functions()[0].AlsoIn, std::vector<unsigned>{0});
  EXPECT_FALSE(P.functions()[0].Model->Unread);
}

TEST(Link, ALoopOfAnotherFileIsHot) {
  Function Wait = function("wait", "/p/wait.cu", 1);
  Wait.Sites.push_back(site("cudaDeviceSynchronize", Wait));
  Function Train = function("train", "/p/train.cu", 1);
  loop(Train);
  Train.Sites.push_back(kernel(Train, 0));
  call(Train, "wait", 0);
  Project P(list(unit("/p/wait.cu", {Wait}), unit("/p/train.cu", {Train})));
  const std::optional<Finding> F =
      inLoop(P, "cudaDeviceSynchronize", "/p/wait.cu");
  ASSERT_TRUE(F);
  EXPECT_EQ(F->Level, Severity::High);
  ASSERT_EQ(F->Path.size(), 2u);
  EXPECT_EQ(F->Path[1]->Description, "calls wait");
}

TEST(Link, TwoProgramsKeepTheirFunctionsApart) {
  // Both have run() and main(); only the second one calls run() in a loop.
  auto Program = [](const std::string &File, bool InLoop) {
    Function Run = function("run", File, 10);
    Run.Sites.push_back(site("cudaDeviceSynchronize", Run));
    Function Main = function("main", File, 20);
    loop(Main);
    Main.Sites.push_back(kernel(Main, 0));
    call(Main, "run", InLoop ? 0 : -1);
    return unit(File, {Run, Main});
  };
  Project P(
      list(Program("/p/a/main.cu", false), Program("/p/b/main.cu", true)));
  EXPECT_FALSE(inLoop(P, "cudaDeviceSynchronize", "/p/a/main.cu"));
  EXPECT_TRUE(inLoop(P, "cudaDeviceSynchronize", "/p/b/main.cu"));
}

TEST(Link, AUnitUsesTheHeaderThatItIncludes) {
  // Two samples with a header each that defines run(); the second one's main
  // lies nearer to the first one's header.
  auto Program = [](const std::string &File, const std::string &Header,
                    bool InLoop) {
    Function Run = function("run", Header, 10);
    Run.Sites.push_back(site("cudaDeviceSynchronize", Run));
    Function Main = function("main", File, 20);
    loop(Main);
    Main.Sites.push_back(kernel(Main, 0));
    call(Main, "run", InLoop ? 0 : -1);
    return unit(File, {Run, Main});
  };
  Project P(list(Program("/p/a/main.cu", "/p/a/run.h", false),
                 Program("/p/a/x/main.cu", "/p/b/run.h", true)));
  EXPECT_FALSE(inLoop(P, "cudaDeviceSynchronize", "/p/a/run.h"));
  EXPECT_TRUE(inLoop(P, "cudaDeviceSynchronize", "/p/b/run.h"));
}

TEST(Link, AVirtualCallStaysInItsProgram) {
  // Both override step(); the second one's main calls it in a loop.
  auto Program = [](const std::string &File, bool InLoop) {
    Function Base = function("step", File, 5);
    Function Override = function("override", File, 10);
    Override.Overrides.push_back(Base.Usr);
    Override.Sites.push_back(site("cudaDeviceSynchronize", Override));
    Function Main = function("main", File, 20);
    loop(Main);
    Main.Sites.push_back(kernel(Main, 0));
    call(Main, "step", InLoop ? 0 : -1);
    Main.Calls.back().Virtual = true;
    return unit(File, {Base, Override, Main});
  };
  Project P(
      list(Program("/p/a/main.cu", false), Program("/p/b/main.cu", true)));
  EXPECT_FALSE(inLoop(P, "cudaDeviceSynchronize", "/p/a/main.cu"));
  EXPECT_TRUE(inLoop(P, "cudaDeviceSynchronize", "/p/b/main.cu"));
}

TEST(Link, ParametersHaveTheKindsOfAllCallers) {
  Function Copy = function("copy", "/p/copy.cu", 1);
  Site S = site("cudaMemcpyAsync", Copy);
  S.Facts.push_back({catalogue::Fact::Direction, Value::fromMask(DtoH)});
  S.Facts.push_back(
      {catalogue::Fact::Destination, Value::fromSlot("P:c:@F@copy#0")});
  Copy.Sites.push_back(S);
  Function User = function("use", "/p/use.cu", 1);
  call(User, "copy");
  auto WaitsWith = [&](std::vector<Value> Given) {
    TranslationUnit Caller = unit("/p/use.cu", {User});
    for (Value &V : Given)
      Caller.Flows.push_back({"P:c:@F@copy#0", std::move(V)});
    Project P(list(unit("/p/copy.cu", {Copy}), std::move(Caller)));
    return find(P, "cudaMemcpyAsync", "/p/copy.cu").Effects.Wait;
  };
  using catalogue::Waits;
  EXPECT_EQ(WaitsWith({Value::fromMask(Pageable)}), Waits::Yes);
  EXPECT_EQ(WaitsWith({Value::fromMask(Pinned)}), Waits::No);
  EXPECT_EQ(WaitsWith({Value::fromMask(Pinned), Value::fromMask(Pageable)}),
            Waits::Maybe);
  EXPECT_EQ(WaitsWith({Value::anything()}), Waits::Maybe);
  EXPECT_EQ(WaitsWith({}), Waits::Maybe) << "nobody calls it";
  EXPECT_EQ(WaitsWith({Value::fromSlot("R:c:@F@notInTheProject")}),
            Waits::Maybe);
}

TEST(Link, TheLegacyStreamMayBeTheThreadsOwn) {
  Function F = function("f", "/p/f.cu", 1);
  Site S = site("cudaStreamSynchronize", F);
  S.Facts.push_back({catalogue::Fact::Stream, Value::fromMask(Null)});
  F.Sites.push_back(S);
  for (bool PerThreadStream : {false, true}) {
    TranslationUnit TU = unit("/p/f.cu", {F});
    TU.PerThreadStream = PerThreadStream;
    std::vector<TranslationUnit> All;
    All.push_back(std::move(TU));
    Project P(std::move(All));
    EXPECT_EQ(P.sites()[0].Known[catalogue::Fact::Stream],
              uint32_t(PerThreadStream ? PerThread : Legacy));
  }
}

TEST(Link, RecursionEnds) {
  Function A = function("a", "/p/a.cu", 1);
  A.Sites.push_back(site("cudaDeviceSynchronize", A));
  call(A, "b");
  Function B = function("b", "/p/b.cu", 1);
  loop(B);
  B.Sites.push_back(kernel(B, 0));
  call(B, "a", 0);
  Project P(list(unit("/p/a.cu", {A}), unit("/p/b.cu", {B})));
  EXPECT_TRUE(inLoop(P, "cudaDeviceSynchronize", "/p/a.cu"));
}

TEST(Link, TheOrderOfSourcesDoesNotMatter) {
  Function Wait = function("wait", "/p/wait.cu", 1);
  Wait.Sites.push_back(site("cudaDeviceSynchronize", Wait));
  Function Train = function("train", "/p/train.cu", 1);
  loop(Train);
  Train.Sites.push_back(kernel(Train, 0));
  call(Train, "wait", 0);
  const TranslationUnit A = unit("/p/wait.cu", {Wait}),
                        B = unit("/p/train.cu", {Train});
  const Project One(list(A, B)), Other(list(B, A));
  ASSERT_EQ(One.units().size(), 2u);
  for (unsigned I : {0, 1})
    EXPECT_EQ(One.units()[I].MainFile, Other.units()[I].MainFile);
}

TEST(Link, AVirtualCallIsNotCertain) {
  Function Base = function("Base::end", "/p/a.cu", 1);
  Function Derived = function("Derived::end", "/p/a.cu", 9);
  Derived.Overrides.push_back(Base.Usr);
  Derived.Sites.push_back(site("cudaDeviceSynchronize", Derived));
  Function Train = function("train", "/p/b.cu", 1);
  loop(Train);
  Train.Sites.push_back(kernel(Train, 0));
  call(Train, "Base::end", 0);
  Train.Calls.back().Virtual = true;
  Project P(list(unit("/p/a.cu", {Base, Derived}), unit("/p/b.cu", {Train})));
  const std::optional<Finding> F =
      inLoop(P, "cudaDeviceSynchronize", "/p/a.cu");
  ASSERT_TRUE(F);
  EXPECT_EQ(F->Level, Severity::Medium);
  EXPECT_EQ(F->HowOften, Frequency::SomeRuns);
}

namespace {

/// A unit with one function that names others.
TranslationUnit naming(std::string Defines, std::vector<std::string> Names) {
  // Projects sort units by their files: these stay in the order given.
  static unsigned Count = 1000;
  const std::string File = "/p/" + std::to_string(++Count) + Defines;
  TranslationUnit TU = unit(File, {function(std::move(Defines), File, 1)});
  for (const std::string &Name : Names)
    TU.Elsewhere.push_back("c:@F@" + Name);
  return TU;
}

bool together(const Project &P, unsigned A, unsigned B) {
  return P.mayShareProgram(A, B) && P.mayShareProgram(B, A);
}

} // namespace

TEST(Programs, AMainLeadsToWhatItNames) {
  std::vector<TranslationUnit> Units;
  Units.push_back(naming("main", {"a"}));
  Units.push_back(naming("main", {"b", "b"}));
  Units.push_back(naming("a", {"shared", "a", "a"}));
  Units.push_back(naming("b", {"shared"}));
  Units.push_back(naming("shared", {}));
  Units.push_back(naming("plugin", {})); // no main leads to it
  const Project P(std::move(Units));
  EXPECT_FALSE(together(P, 0, 1));
  EXPECT_TRUE(together(P, 0, 2));
  EXPECT_FALSE(together(P, 0, 3));
  EXPECT_FALSE(together(P, 2, 3));
  EXPECT_TRUE(together(P, 2, 4));
  EXPECT_TRUE(together(P, 3, 4));
  for (unsigned I = 0; I < 6; ++I)
    EXPECT_TRUE(together(P, I, 5)) << I;
}

/// One that names a library's function does not hold the units of all others.
TEST(Programs, OneThatNamesWhatWasNotReadHoldsNoMore) {
  std::vector<TranslationUnit> Units;
  Units.push_back(naming("main", {"ofLibrary"}));
  Units.push_back(naming("main", {"b", "b"}));
  Units.push_back(naming("b", {}));
  const Project P(std::move(Units));
  EXPECT_FALSE(together(P, 0, 2));
  EXPECT_TRUE(together(P, 1, 2));
  EXPECT_FALSE(together(P, 0, 1)); // each has a main
}

TEST(Programs, OneOfSeveralDefinitionsMayBeMeant) {
  std::vector<TranslationUnit> Units;
  Units.push_back(naming("main", {"a"}));
  Units.push_back(naming("main", {"other", "b"}));
  Units.push_back(naming("a", {}));
  Units.push_back(naming("a", {"b"})); // in another file
  Units.push_back(naming("b", {}));
  Units.push_back(naming("other", {}));
  const Project P(std::move(Units));
  EXPECT_TRUE(together(P, 0, 2));
  EXPECT_TRUE(together(P, 0, 3));
  EXPECT_TRUE(together(P, 1, 4));
  EXPECT_FALSE(together(P, 0, 5));
}

/// Its own `main` was not read, or does not name it.
TEST(Programs, AUnitThatNoMainLeadsToBelongsToTheNearestOnes) {
  std::vector<TranslationUnit> Units;
  Units.push_back(naming("main", {"a", "b"}));
  Units.push_back(naming("main", {}));
  Units.push_back(naming("orphan", {}));
  Units[0].MainFile = "/p/far/main.cu";
  Units[1].MainFile = "/p/near/main.cu";
  Units[2].MainFile = "/p/near/orphan.cu";
  const Project P(std::move(Units));
  EXPECT_FALSE(together(P, 0, 2));
  EXPECT_TRUE(together(P, 1, 2));
}

TEST(Programs, WithoutAMainAllMayBeTogether) {
  const Project P(list(naming("a", {}), naming("b", {})));
  EXPECT_TRUE(together(P, 0, 1));
}
