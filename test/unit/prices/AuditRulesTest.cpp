// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prices/AuditRules.h"

#include <gtest/gtest.h>

using namespace autoprof::prices;

TEST(AuditRules, AreFoundByIdOrPlace) {
  llvm::Expected<AuditRules> Rules = AuditRules::read(R"({
    "schema": "autoprof-audit/1",
    "sites": [
      {"id": "0x0000000000000001", "file": "src/a.cu", "line": 5, "column": 3,
       "function": "train", "call": "cudaMemcpy"},
      {"id": "0x0000000000000002", "file": "src/a.cu", "line": 9, "column": 3,
       "function": "train", "call": "cudaFree"}],
    "findings": [
      {"rule": "autoprof-copy-synchronous", "site": "0x0000000000000001"},
      {"rule": "autoprof-host-managed-touch", "site": null}]})");
  ASSERT_TRUE(bool(Rules)) << toString(Rules.takeError());
  EXPECT_EQ(Rules->find({1, "", 0, 0, "", ""}), "autoprof-copy-synchronous");
  EXPECT_EQ(Rules->find({0, "/x/src/a.cu", 5, 0, "", "cudaMemcpy"}),
            "autoprof-copy-synchronous");
  EXPECT_EQ(Rules->find({2, "", 0, 0, "", ""}), "");
  EXPECT_EQ(Rules->find({0, "", 0, 0, "", "cudaMemcpy"}), "");
}

TEST(AuditRules, OtherFilesAreRefused) {
  for (const char *Wrong : {"", "7", R"({"schema": "autoprof-report/1"})",
                            R"({"schema": "autoprof-audit/1"})"}) {
    llvm::Expected<AuditRules> Rules = AuditRules::read(Wrong);
    EXPECT_FALSE(bool(Rules)) << Wrong;
    if (!Rules)
      EXPECT_FALSE(toString(Rules.takeError()).empty());
  }
}
