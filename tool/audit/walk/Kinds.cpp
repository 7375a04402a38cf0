// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/walk/Kinds.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <set>

using llvm::StringRef;

namespace autoprof::audit {

llvm::StringRef name(LoopKind K) {
  constexpr llvm::StringLiteral Names[] = {"work", "example", "benchmark",
                                           "test"};
  return Names[unsigned(K)];
}

/// "test" of "unit_tests", "test-solver", "TestNet".
static LoopKind kindOf(StringRef Word) {
  if (!Word.consume_back("s") && !Word.consume_back("ing"))
    Word.consume_back("er");
  return llvm::StringSwitch<LoopKind>(Word.lower())
      .Case("test", LoopKind::Test)
      .Case("unittest", LoopKind::Test)
      .Case("gtest", LoopKind::Test)
      .Case("bench", LoopKind::Benchmark)
      .Case("benchmark", LoopKind::Benchmark)
      .Case("perf", LoopKind::Benchmark)
      .Case("example", LoopKind::Example)
      .Case("sample", LoopKind::Example)
      .Case("demo", LoopKind::Example)
      .Case("tutorial", LoopKind::Example)
      .Default(LoopKind::Work);
}

static LoopKind kindByPlace(StringRef Path) {
  llvm::SmallVector<StringRef, 8> Parts, Words;
  Path.split(Parts, '/');
  for (StringRef Part : Parts)
    llvm::SplitString(Part, Words, "_-.");
  for (StringRef Word : Words)
    if (const LoopKind Kind = kindOf(Word); Kind != LoopKind::Work)
      return Kind;
  return LoopKind::Work;
}

Kinds::Kinds(const Project &P) : P(P) {
  std::set<LoopKind> OfPrograms;
  for (unsigned I = 0; I < P.functions().size(); ++I)
    if (const Function &F = *P.functions()[I].Model; F.Name == "main")
      OfPrograms.insert(byPlace(I, F.Location.File));
  AreExamples =
      OfPrograms.count(LoopKind::Example) && !OfPrograms.count(LoopKind::Work);
}

LoopKind Kinds::byPlace(unsigned Function, StringRef File) const {
  File.consume_front(P.units()[P.functions()[Function].Unit].Root);
  return kindByPlace(File);
}

LoopKind Kinds::of(unsigned Function, StringRef File) const {
  const LoopKind Kind = byPlace(Function, File);
  return Kind == LoopKind::Example && AreExamples ? LoopKind::Work : Kind;
}

} // namespace autoprof::audit
