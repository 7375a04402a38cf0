// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/import/CallPaths.h"

#include "trace/timeline/NumberedRanges.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <tuple>

using namespace autoprof::trace;
using llvm::StringRef;

namespace {

/// Walks the slices of one thread after another, each in order of time.
class Walker {
  TimelineBuilder &Builder;
  const bool KeepsOperators;
  struct Frame {
    const HostRow *Row;
    bool HasSite = false; ///< Its site slice was added.
  };
  llvm::SmallVector<Frame, 32> Open; ///< Operators and Python's functions.
  const HostRow *OuterCall = nullptr;
  /// Of Python: the innermost function outside of the core, and, where that is
  /// a framework's, of the user. Names, or None.
  struct Functions {
    uint32_t Inner = None, User = None;
  };
  /// By the path (into Strings) and the functions.
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> Sites;
  std::vector<std::optional<CodeOwner>> Owners; ///< By name.

  CodeOwner ownerOfFunction(uint32_t Name);
  uint32_t pathTo(const HostRow &Call);
  Functions place();
  uint32_t site(uint32_t Path, const Functions &At);
  void openOperator(const HostRow &Row);
  void call(const HostRow &Call);

public:
  Walker(TimelineBuilder &Builder, bool KeepsOperators)
      : Builder(Builder), KeepsOperators(KeepsOperators) {}
  void startThread() {
    Open.clear();
    OuterCall = nullptr;
  }
  void visit(const HostRow &Row);
};

CodeOwner Walker::ownerOfFunction(uint32_t Name) {
  if (Owners.size() <= Name)
    Owners.resize(Name + 1);
  if (!Owners[Name]) {
    const auto P = pythonPlace(Builder.T.Strings[Name]);
    Owners[Name] = P ? P->Owner : CodeOwner::Core;
  }
  return *Owners[Name];
}

Walker::Functions Walker::place() {
  Functions Result;
  for (const Frame &F : llvm::reverse(Open)) {
    if (F.Row->Role != HostRole::Python)
      continue;
    const CodeOwner Owner = ownerOfFunction(F.Row->Name);
    if (Owner == CodeOwner::Core)
      continue;
    const bool IsFirst = Result.Inner == None;
    if (IsFirst)
      Result.Inner = F.Row->Name;
    if (Owner == CodeOwner::User) {
      if (!IsFirst)
        Result.User = F.Row->Name;
      break;
    }
  }
  return Result;
}

/// The operators around the call; the call itself where there are none.
uint32_t Walker::pathTo(const HostRow &Call) {
  llvm::SmallString<128> Path;
  for (const Frame &F : Open)
    if (F.Row->Role == HostRole::Operator) {
      if (!Path.empty())
        Path += " > ";
      Path += withoutNumber(Builder.T.Strings[F.Row->Name]);
    }
  return Path.empty() ? Call.Name : Builder.T.Strings.intern(Path);
}

uint32_t Walker::site(uint32_t Path, const Functions &At) {
  auto [It, New] =
      Sites.try_emplace({Path, At.Inner, At.User}, Builder.T.Sites.size());
  if (!New)
    return It->second;
  Site S;
  S.Callee = Builder.T.Strings[Path].str();
  if (At.Inner != None) {
    const PythonPlace P = *pythonPlace(Builder.T.Strings[At.Inner]);
    S.File = P.File.str();
    S.Function = P.Function.str();
    S.Line = P.Line;
  }
  if (At.User != None) {
    const PythonPlace P = *pythonPlace(Builder.T.Strings[At.User]);
    S.CalledFrom = UserLine{P.File.str(), P.Function.str(), P.Line};
  }
  Builder.T.Sites.push_back(std::move(S));
  return It->second;
}

void Walker::openOperator(const HostRow &Row) {
  if (!KeepsOperators)
    return;
  StringPool &Strings = Builder.T.Strings;
  const StringRef Name = Strings[Row.Name], Stem = withoutNumber(Name);
  Builder.addOperator(
      Row.Thread, {Row.Start, Row.End,
                   Stem.size() == Name.size() ? Row.Name : Strings.intern(Stem),
                   uint32_t(Row.Id)});
}

void Walker::call(const HostRow &Call) {
  if (OuterCall && OuterCall->End > Call.Start)
    return; // Belongs to what the outer call belongs to.
  OuterCall = &Call;
  auto Innermost = llvm::find_if(llvm::reverse(Open), [](const Frame &F) {
    return F.Row->Role == HostRole::Operator;
  });
  bool InOperator = Innermost != Open.rend();
  if (InOperator && Innermost->HasSite)
    return;
  const Functions At = place();
  if (!InOperator && At.Inner == None)
    return;
  const HostRow &Slice = InOperator ? *Innermost->Row : Call;
  uint32_t Site = Slice.Site;
  if (Site == None)
    Site = site(pathTo(Call), At);
  if (InOperator) {
    Builder.T.Sites[Site].Kind = OperatorKind.str();
    Innermost->HasSite = true;
  }
  Builder.addHost(HostKind::Site, Slice.Thread, Slice.Start,
                  std::max(Slice.End, Call.End), Slice.Name, Site);
}

void Walker::visit(const HostRow &Row) {
  // Not only from the end: if clocks differ, slices may overlap.
  llvm::erase_if(Open,
                 [&Row](const Frame &F) { return F.Row->End <= Row.Start; });
  switch (Row.Role) {
  case HostRole::Operator:
    openOperator(Row);
    [[fallthrough]];
  case HostRole::Python:
    Open.push_back({&Row});
    return;
  case HostRole::Autoprof: {
    uint32_t Site = Builder.site(Row.Id);
    StringRef Kind = Builder.T.Sites[Site].Kind;
    bool IsRange =
        Kind == "function" || Kind == "loop" || Kind == UserRangeKind;
    Builder.addHost(IsRange ? HostKind::Range : HostKind::Site, Row.Thread,
                    Row.Start, Row.End, Row.Name, Site);
    return;
  }
  case HostRole::Range:
    Builder.addHost(HostKind::Range, Row.Thread, Row.Start, Row.End, Row.Name,
                    Builder.userRange(uint32_t(Row.Id), Row.Name));
    return;
  case HostRole::Api:
  case HostRole::Driver:
    call(Row);
    Builder.addHost(Row.Role == HostRole::Api ? HostKind::Api
                                              : HostKind::Driver,
                    Row.Thread, Row.Start, Row.End, Row.Name, Row.Site, Row.Id);
  }
}

} // namespace

void autoprof::trace::addHostRows(TimelineBuilder &Builder,
                                  std::vector<HostRow> &Rows,
                                  bool KeepOperators) {
  llvm::sort(Rows, [](const HostRow &A, const HostRow &B) {
    return std::tie(A.Thread, A.Start, B.End, A.Role, A.Id, A.Name) <
           std::tie(B.Thread, B.Start, A.End, B.Role, B.Id, B.Name);
  });
  Walker W(Builder, KeepOperators);
  const HostRow *Before = nullptr;
  for (const HostRow &Row : Rows) {
    if (!Before || Before->Thread != Row.Thread)
      W.startThread();
    W.visit(Row);
    Before = &Row;
  }
}

std::optional<PythonPlace> autoprof::trace::pythonPlace(StringRef Name) {
  auto [Place, Function] = Name.split("): ");
  auto [File, Line] = Place.rsplit('(');
  PythonPlace P{File, Function, 0, ownerOf(File)};
  if (File.empty() || Function.empty() || Line.getAsInteger(10, P.Line) ||
      P.Owner == CodeOwner::Core)
    return std::nullopt;
  if (Function == "<module>")
    P.Line = 0; // The whole file.
  return P;
}
