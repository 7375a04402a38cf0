// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/Command.h"
#include "commands/Commands.h"
#include "config/Config.h"
#include "config/ErrorKind.h"

#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"

using namespace autoprof;
using namespace autoprof::support;
using llvm::StringRef;

namespace {

const Option Options[] = {
    {"output", 'o', "FILE", "where it goes"},
    {"color", 0, "WHEN", "when", "auto|always|never"},
    {"all", 0, nullptr, "everything;\nmore"},
    {"worker", 0, "NUMBER"},
};
const Manual Text = {"try",   "a test", "autoprof try FILE", "Tries.",
                     Options, nullptr,  "autoprof try a"};

std::string errorOf(std::vector<StringRef> Args) {
  llvm::Expected<Arguments> A = parse(Args, Text);
  return A ? "" : llvm::toString(A.takeError());
}

TEST(Parse, TakesEverySpelling) {
  for (std::vector<StringRef> Args : {std::vector<StringRef>{"--output=x", "a"},
                                      {"--output", "x", "a"},
                                      {"-o", "x", "a"},
                                      {"-ox", "a"},
                                      {"-o=x", "a"},
                                      {"a", "-o", "x"}}) {
    llvm::Expected<Arguments> A = parse(Args, Text);
    ASSERT_TRUE(bool(A));
    EXPECT_EQ(A->get("output"), "x");
    EXPECT_EQ(A->Positional, std::vector<std::string>{"a"});
  }
}

TEST(Parse, ChecksChoices) {
  EXPECT_EQ(errorOf({"--color=never"}), "");
  EXPECT_EQ(errorOf({"--color=blue"}),
            "--color takes auto, always or never, not 'blue'");
}

TEST(Parse, SuggestsWhatIsForPeople) {
  EXPECT_EQ(errorOf({"--colr=x"}),
            "unknown option '--colr'; did you mean '--color'?");
  EXPECT_EQ(errorOf({"--workr=1"}), "unknown option '--workr'");
  EXPECT_EQ(errorOf({"--worker=1"}), "");
  EXPECT_EQ(errorOf({"--all=x"}), "the option '--all' takes no value");
  EXPECT_EQ(errorOf({"--output="}), "the option '--output' needs a value");
}

std::string printedBy(llvm::Error E) {
  const Command Try = {Text, nullptr};
  testing::internal::CaptureStderr();
  EXPECT_EQ(failUsage(Try, std::move(E)), Failure);
  return testing::internal::GetCapturedStderr();
}

TEST(FailUsage, PointsToTheHelpExceptForTheProjectsFile) {
  EXPECT_EQ(printedBy(llvm::createStringError("no '/p/.autoprof'")),
            "autoprof: no '/p/.autoprof' (see 'autoprof try --help')\n");
  EXPECT_EQ(printedBy(llvm::make_error<ErrorOf<Config>>("a mistake")),
            "autoprof: a mistake\n");
  EXPECT_EQ(printedBy(prefixed<Config>(
                "in it: ", llvm::make_error<ErrorOf<Config>>("a mistake"))),
            "autoprof: in it: a mistake\n");
  EXPECT_EQ(printedBy(prefixed<Config>("in it: ",
                                       llvm::createStringError("a mistake"))),
            "autoprof: in it: a mistake (see 'autoprof try --help')\n");
}

TEST(Help, IsMadeOfTheTable) {
  std::string Printed;
  llvm::raw_string_ostream OS(Printed);
  commands::printHelp(OS, Text);
  EXPECT_EQ(Printed, "Usage: autoprof try FILE\n"
                     "\n"
                     "Tries.\n"
                     "\n"
                     "Options:\n"
                     "  -o, --output=FILE   where it goes\n"
                     "  --color=WHEN        when\n"
                     "  --all               everything;\n"
                     "                      more\n"
                     "\n"
                     "Examples:\n"
                     "  autoprof try a\n");
}

/// Of the real tables: what no compiler checks.
TEST(Tables, AreInOrder) {
  std::vector<const Manual *> All(commands::all());
  All.push_back(&commands::Nvcc);
  for (const Manual *M : All) {
    llvm::StringSet<> Names;
    for (const Option &O : M->all()) {
      EXPECT_TRUE(Names.insert(O.Name).second) << M->Name << O.Name;
      if (O.Short)
        EXPECT_TRUE(Names.insert(std::string(1, O.Short)).second)
            << M->Name << O.Name;
      EXPECT_TRUE(!O.Choices || O.Value) << M->Name << O.Name;
      const StringRef Help = O.Help ? O.Help : "";
      EXPECT_EQ(Help, Help.trim()) << M->Name << O.Name;
      // Each choice is explained.
      llvm::SmallVector<StringRef> Choices;
      StringRef(O.Choices ? O.Choices : "").split(Choices, '|', -1, false);
      for (StringRef Choice : Choices)
        EXPECT_TRUE(Help.contains(Choice) || StringRef(O.Value).contains('|'))
            << M->Name << O.Name << Choice.str();
    }
    std::string Printed;
    llvm::raw_string_ostream OS(Printed);
    commands::printHelp(OS, *M);
    llvm::SmallVector<StringRef> Lines;
    StringRef(Printed).split(Lines, '\n');
    for (StringRef Line : Lines)
      if (!Line.starts_with("  autoprof ") && !Line.starts_with("  csv"))
        EXPECT_LE(Line.size(), 80u) << Line.str();
  }
}

} // namespace
