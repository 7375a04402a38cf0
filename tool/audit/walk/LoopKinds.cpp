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
  const StringRef Name = Function.rsplit("::").second.empty()
                             ? Function
                             : Function.rsplit("::").second;
  const StringRef Rest = Name.drop_front(!Name.empty());
  const std::string Word =
      Name.take_front(1 + Rest.take_while(llvm::isLower).size()).lower();
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
