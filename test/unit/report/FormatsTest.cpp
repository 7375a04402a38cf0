// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/catalogue/Formats.h"
#include "commands/Commands.h"
#include "report/check/Check.h"
#include "report/recording/Formats.h"

#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

#include <set>

using namespace autoprof;
using namespace autoprof::report;
using llvm::StringRef;

namespace {

using Names = std::set<StringRef>;

/// What --format takes.
Names choices(const support::Manual &M) {
  for (const support::Option &O : M.all())
    if (StringRef(O.Name) == "format") {
      auto Split = llvm::split(O.Choices, '|');
      return Names(Split.begin(), Split.end());
    }
  return {};
}

template <typename Table> Names namesOf(const Table &Known) {
  Names Result;
  for (const auto &F : Known)
    Result.insert(F.Name);
  return Result;
}

/// Each format that a subcommand takes has a writer, and nothing else has.
TEST(Formats, AreWhatTheSubcommandsTake) {
  EXPECT_EQ(namesOf(ReportFormats), choices(commands::Report));
  EXPECT_EQ(namesOf(RanksFormats), choices(commands::Report));
  EXPECT_EQ(namesOf(DiffFormats), choices(commands::Diff));
  EXPECT_EQ(namesOf(CheckFormats), choices(commands::Check));
  EXPECT_EQ(namesOf(CallFormats), choices(commands::Explain));
  EXPECT_EQ(namesOf(CatalogueFormats), choices(commands::Explain));
}

} // namespace
