// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source-cli/Answer.h"

#include "compilation/Frontend.h"
#include "support/Archive.h"

#include "llvm/Support/FileSystem.h"

using llvm::StringRef;

namespace autoprof::sources {

std::string describe(const source::Loss &Lost) {
  constexpr size_t Named = 3;
  const size_t Count = Lost.Functions.size();
  std::string Text = Lost.First;
  if (Count)
    Text += "; " + std::to_string(Count) +
            (Count == 1 ? " function was" : " functions were") + " left out: ";
  for (size_t I = 0; I < std::min(Count, Named); ++I) {
    const source::Skipped &F = Lost.Functions[I];
    Text += (I ? ", " : "") + F.Function + " (line " +
            std::to_string(F.Location.Line) + ")";
  }
  if (Count > Named)
    Text += " and " + std::to_string(Count - Named) + " more";
  return Text;
}

static Outcome failed(std::string Reason) {
  Outcome O;
  O.Error = std::move(Reason);
  return O;
}

static Outcome readOnce(SourceTask &Task, const Unit &U) {
  if (std::error_code E = llvm::sys::fs::set_current_path(U.Directory))
    return failed("cannot enter its folder '" + U.Directory +
                  "': " + E.message());
  auto Compiler = makeCompiler(U);
  if (!Compiler)
    return failed(llvm::toString(Compiler.takeError()));
  llvm::Expected<Reading> Read = Task.work(U, **Compiler);
  Outcome Result;
  if (!Read) {
    llvm::Error Failure = Read.takeError();
    llvm::visitErrors(Failure, [&Result](const llvm::ErrorInfoBase &E) {
      if (E.isA<source::UnreadText>())
        Result.Missing = static_cast<const source::UnreadText &>(E).Missing;
    });
    Result.Error = llvm::toString(std::move(Failure));
    return Result;
  }
  Result.Class = Read->Lost.Errors ? Outcome::Partly : Outcome::Done;
  Result.Error = Read->Lost.First;
  Result.Missing = Read->Lost.Missing;
  Result.Read = std::move(*Read);
  return Result;
}

Outcome read(SourceTask &Task, const Unit &U) {
  Outcome First = readOnce(Task, U);
  if (First.Class == Outcome::Done || U.Reordered.empty())
    return First;
  Unit Other = U;
  Other.Args = U.Reordered;
  Outcome Second = readOnce(Task, Other);
  Second.Reordered = true;
  const bool IsBetter =
      Second.Class < First.Class ||
      (Second.Class == Outcome::Partly && First.Class == Outcome::Partly &&
       Second.Read.Lost.Errors < First.Read.Lost.Errors);
  return IsBetter ? Second : First;
}

template <typename V> static void visit(V &Do, Outcome &O) {
  Do(O.Class, O.Error, O.Missing, O.Reordered, O.Read.Bytes, O.Read.Lost.Errors,
     O.Read.Lost.Functions);
}

std::string encode(Outcome O) {
  support::ArchiveWriter Out;
  Out(O);
  return std::move(Out.Bytes);
}

std::optional<Outcome> decode(StringRef Bytes) {
  support::ArchiveReader In(Bytes);
  Outcome O;
  In(O);
  if (In.Damaged || !In.atEnd())
    return std::nullopt;
  O.Read.Lost.First = O.Error;
  O.Read.Lost.Missing = O.Missing;
  return O;
}

} // namespace autoprof::sources
