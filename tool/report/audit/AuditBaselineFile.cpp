// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/audit/AuditBaselineFile.h"

#include "config/ParseJson.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace autoprof;
using namespace autoprof::audit;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

constexpr StringRef Schema = "autoprof-audit-baseline/1";

template <typename Fields> void line(llvm::raw_ostream &OS, Fields Write) {
  json::OStream J(OS);
  J.object([&] { Write(J); });
  J.flush();
  OS << '\n';
}

void text(json::OStream &J, StringRef Key, StringRef Value) {
  if (Value.empty())
    J.attribute(Key, nullptr);
  else
    J.attribute(Key, json::fixUTF8(Value));
}

/// Reads lines; an error is what is wrong with the line, and the remedy.
class Reader {
  Baseline B;
  llvm::StringMap<int64_t> Lines; ///< By fingerprint.
  bool HasSchema = false;

  static std::optional<std::string> string(const json::Object &O,
                                           StringRef Key) {
    const json::Value *V = O.get(Key);
    if (!V || V->getAsNull())
      return "";
    if (std::optional<StringRef> Text = V->getAsString())
      return Text->str();
    return std::nullopt;
  }

  std::string readEntry(const json::Object &O, int64_t Number) {
    AcceptedFinding E;
    std::string Level;
    for (auto [Key, Target] : {std::pair("fingerprint", &E.Fingerprint),
                               {"call", &E.Call},
                               {"rule", &E.Rule},
                               {"severity", &Level},
                               {"file", &E.File},
                               {"function", &E.Function},
                               {"code", &E.Code},
                               {"reason", &E.Reason}}) {
      std::optional<std::string> Text = string(O, Key);
      if (!Text)
        return std::string("'") + Key + "' is not a string; fix or delete it";
      *Target = std::move(*Text);
    }
    if (const json::Array *Files = O.getArray("through"))
      for (const json::Value &File : *Files)
        if (std::optional<StringRef> Name = File.getAsString())
          E.Through.push_back(Name->str());
    if (const std::optional<int64_t> Calls = O.getInteger("loop_calls"))
      E.LoopCalls = std::max<int64_t>(*Calls, 0);
    if (E.Fingerprint.empty())
      return "the line has no 'fingerprint'; fix or delete it";
    const std::optional<Severity> Known = severityNamed(Level);
    if (!Known)
      return "'" + Level + "' of 'severity' is not one; fix it";
    E.Level = *Known;
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

void report::writeAuditBaseline(llvm::raw_ostream &OS, const Baseline &B) {
  OS << "# Findings that 'autoprof audit --baseline' accepts; --update writes "
        "this file.\n"
        "# Say why in \"reason\"; updates keep it.\n";
  line(OS, [&](json::OStream &J) { J.attribute("schema", Schema); });
  for (const AcceptedFinding &E : B.Entries)
    line(OS, [&](json::OStream &J) {
      J.attribute("fingerprint", E.Fingerprint);
      text(J, "call", E.Call);
      J.attribute("rule", E.Rule);
      J.attribute("severity", name(E.Level));
      text(J, "file", E.File);
      text(J, "function", E.Function);
      text(J, "code", E.Code);
      text(J, "reason", E.Reason);
      if (!E.Through.empty())
        J.attributeArray("through", [&] {
          for (const std::string &File : E.Through)
            J.value(json::fixUTF8(File));
        });
      if (E.LoopCalls)
        J.attribute("loop_calls", *E.LoopCalls);
    });
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
