// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Findings.h"

#include "report/recording/Sentences.h"
#include "report/recording/Tables.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

std::string report::findingText(const Finding &F) {
  return F.Rule.str() + ": " + F.Message;
}

std::string report::findingAdvice(const Finding &F) {
  return F.Doubt.empty() ? F.Advice : F.Advice + " Caveat: " + F.Doubt;
}
