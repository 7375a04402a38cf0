// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workflow commands of GitHub Actions, which show a message beside the line.
#include "report/audit/Audit.h"

using namespace autoprof;
using namespace autoprof::audit;
using llvm::StringRef;

/// `Property`: of what stands before the message, where more is markup.
static std::string escape(StringRef Text, bool Property) {
  std::string Result;
  for (char C : Text)
    if (C == '%')
      Result += "%25";
    else if (C == '\r')
      Result += "%0D";
    else if (C == '\n')
      Result += "%0A";
    else if (Property && C == ':')
      Result += "%3A";
    else if (Property && C == ',')
      Result += "%2C";
    else
      Result += C;
  return Result;
}

void report::writeAuditGithub(const Audit &A, llvm::raw_ostream &OS) {
  for (const Finding *F : bySeverity(A)) {
    std::string Text = F->Message;
    if (!F->Replacement.empty())
      Text += "\nInstead: " + F->Replacement;
    OS << (F->How == Severity::Note ? "::notice" : "::warning")
       << " file=" << escape(A.P.shown(F->At), true) << ",line=" << F->At.Line
       << ",col=" << F->At.Column << ",title=" << escape(F->Rule, true)
       << "::" << escape(Text, false) << '\n';
  }
  for (const AuditSkipped &S : A.Skipped)
    OS << "::notice title=not read::" << escape(S.File + ": " + S.Error, false)
       << '\n';
  OS << auditSummary(A) << '\n';
}
