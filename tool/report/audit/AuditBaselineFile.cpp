// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/audit/AuditBaselineFile.h"

#include "config/ParseJson.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace autoprof;
using namespace autoprof::audit;
using namespace autoprof::report;
using fields::Fields;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

constexpr StringRef Schema = "autoprof-audit-baseline/1";

/// Reads lines; an error is what is wrong with the line, and the remedy.
class Reader {
  Baseline B;
  llvm::StringMap<int64_t> Lines; ///< By fingerprint.
  bool HasSchema = false;

  std::string readEntry(const json::Object &O, int64_t Number) {
    AcceptedFinding E;
    Fields F(O);
    acceptedFindingFields(F, E);
    if (!F.wrong().empty())
      return F.wrong() + "; fix or delete it";
    if (auto [Known, New] = Lines.try_emplace(E.Fingerprint, Number); !New)
      return "line " + std::to_string(Known->second) +
             " is about the same finding; delete one of the two lines";
    B.Entries.push_back(std::move(E));
    return "";
  }

public:
  std::string read(StringRef Line, int64_t Number) {
    llvm::Expected<json::Value> V = parseJson(Line);
    if (!V) {
      llvm::consumeError(V.takeError());
      return "the line is not JSON (a merge conflict?); fix or delete it";
    }
    const json::Object *O = V->getAsObject();
    if (!O)
      return "the line is not a JSON object; fix or delete it";
    if (HasSchema)
      return readEntry(*O, Number);
    HasSchema = true;
    return O->getString("schema") == Schema
               ? ""
               : "this is not a baseline of this version: its first line has "
                 "no schema '" +
                     Schema.str() + "'; --update writes one to another file";
  }
  bool hasSchema() const { return HasSchema; }
  Baseline finish() { return std::move(B); }
};

} // namespace

void report::auditBaselineFields(Fields &F) {
  F.format(Schema,
           "The file that `autoprof audit --baseline=FILE --update` writes: "
           "one object per line, after comment lines that begin with `#`. The "
           "first object names the format, the others are accepted findings, "
           "sorted by file, function and code.");
}

void report::acceptedFindingFields(Fields &F, AcceptedFinding &E) {
  F.field("fingerprint",
          "what the finding is recognized by: a hash and a counter of equals. "
          "Of a wait in a loop, of the names of the functions from the loop "
          "down to the call, and of the call; of others, of rule, file, "
          "function and code",
          E.Fingerprint);
  if (F.reads() && E.Fingerprint.empty())
    F.complain("fingerprint", "is missing");
  F.field("rule", "`autoprof-<group>-<name>`", E.Rule);
  F.choice("severity",
           "when it was accepted; a finding that becomes more severe is not "
           "accepted any more",
           E.Level, Severity::High);
  F.text("file", "relative to the folder of the baseline, or absolute", E.File);
  F.text("function", "the function that contains it", E.Function);
  F.text("loop", "the function that contains its loop; null: it is in none",
         E.Loop);
  F.text("code", "the line, without blanks around it", E.Code);
  F.text("reason", "why it is accepted, written by a person; updates keep it",
         E.Reason);
  F.mayLack(!E.Through.empty(), [&] {
    F.field(
        "through",
        "other files on the path from its loop, as `file`; missing if there "
        "are none. If one of them was not read, the entry is not stale",
        E.Through);
  });
}

void report::writeAuditBaseline(llvm::raw_ostream &OS, const Baseline &B) {
  OS << "# Findings that 'autoprof audit --baseline' accepts; --update writes "
        "this file.\n"
        "# Say why in \"reason\"; updates keep it.\n";
  fields::writeFields(OS, auditBaselineFields, /*Indent=*/0);
  for (AcceptedFinding E : B.Entries)
    fields::writeFields(
        OS, [&](Fields &F) { acceptedFindingFields(F, E); }, /*Indent=*/0);
}

llvm::Expected<Baseline> report::readAuditBaseline(StringRef Path) {
  auto File = llvm::MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!File)
    return llvm::createStringError("cannot read the baseline '" + Path +
                                   "': " + File.getError().message() +
                                   "; --update writes one, in a CMake build "
                                   "the target autoprof-audit-update");
  Reader R;
  for (llvm::line_iterator I(**File, /*SkipBlanks=*/true, '#'); !I.is_at_eof();
       ++I)
    if (std::string Wrong = R.read(*I, I.line_number()); !Wrong.empty())
      return llvm::createStringError(Path + ":" + llvm::Twine(I.line_number()) +
                                     ": " + Wrong);
  if (!R.hasSchema())
    return llvm::createStringError("the baseline '" + Path +
                                   "' is empty; write it with --update");
  return R.finish();
}
