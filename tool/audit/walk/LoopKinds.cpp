// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/walk/LoopKinds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using llvm::StringRef;

namespace autoprof::audit {

llvm::StringRef name(LoopKind K) {
  constexpr llvm::StringLiteral Names[] = {"work", "set_up", "example",
                                           "benchmark", "test"};
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

bool setsUp(StringRef Function) {
  const size_t At = Function.rfind("::");
  const StringRef Name =
      At == StringRef::npos ? Function : Function.drop_front(At + 2);
  const StringRef Class =
      At == StringRef::npos ? "" : Function.take_front(At).split('<').first;
  if (Class == Name || Class.ends_with(("::" + Name).str()))
    return true;
  const StringRef First = Name.take_front(
      1 + Name.drop_front(!Name.empty()).find_if_not([](char C) {
        return llvm::isLower(C);
      }));
  const std::string Word = First.lower();
  return Word == "init" || Word == "initialize" || Word == "initialise" ||
         Word == "setup";
}

LoopKind kindByPlace(StringRef Path) {
  llvm::SmallVector<StringRef, 8> Parts, Words;
  Path.split(Parts, '/');
  for (StringRef Part : Parts)
    llvm::SplitString(Part, Words, "_-.");
  for (StringRef Word : Words)
    if (const LoopKind Kind = kindOf(Word); Kind != LoopKind::Work)
      return Kind;
  return LoopKind::Work;
}

} // namespace autoprof::audit
