// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/check/BaselineFile.h"

#include "config/ParseJson.h"
#include "report/JsonFields.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"

#include <set>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

constexpr StringRef Schema = "autoprof-baseline/1";

void list(json::OStream &J, StringRef Key, const std::vector<int64_t> &Values) {
  J.attributeArray(Key, [&] {
    for (int64_t V : Values)
      J.value(V);
  });
}

template <typename Fields> void line(llvm::raw_ostream &Out, Fields Write) {
  json::OStream J(Out);
  J.object([&] { Write(J); });
  J.flush();
  Out << '\n';
}

void writeSite(llvm::raw_ostream &Out, const BaselineSite &S) {
  line(Out, [&](json::OStream &J) {
    sitePlace(J, &S.Place);
    text(J, "kind", S.Place.Kind);
    text(J, "call", S.Call);
    if (S.Wait.empty())
      return;
    list(J, "wait_ns", S.Wait);
    list(J, "exposed_ns", S.Exposed);
  });
}

/// One line's fields; remembers the first invalid one.
class Fields {
  const json::Object &O;
  std::string Wrong;

  void fail(StringRef Key, StringRef Expected) {
    if (Wrong.empty())
      Wrong = ("'" + Key + "' is not a " + Expected).str();
  }

public:
  explicit Fields(const json::Object &O) : O(O) {}
  const std::string &wrong() const { return Wrong; }

  std::string text(StringRef Key) {
    const json::Value *V = O.get(Key);
    if (!V || V->getAsNull())
      return "";
    if (auto S = V->getAsString())
      return S->str();
    fail(Key, "string");
    return "";
  }
  uint64_t id(StringRef Key) {
    std::string Text = text(Key);
    uint64_t Id = 0;
    if (!Text.empty() && StringRef(Text).getAsInteger(0, Id))
      fail(Key, "site id");
    return Id;
  }
  uint32_t number(StringRef Key) {
    const json::Value *V = O.get(Key);
    if (!V || V->getAsNull())
      return 0;
    auto N = V->getAsInteger();
    if (!N || *N < 0 || *N > UINT32_MAX)
      fail(Key, "number");
    return uint32_t(N.value_or(0));
  }
  double share(StringRef Key) {
    auto N = O.getNumber(Key);
    if (!N || !(*N >= 0))
      fail(Key, "share");
    return N.value_or(0);
  }
  bool has(StringRef Key) const { return O.get(Key); }
  /// One for each run.
  std::vector<int64_t> times(StringRef Key, size_t Runs) {
    std::vector<int64_t> Result;
    if (const json::Array *A = O.getArray(Key))
      for (const json::Value &V : *A)
        Result.push_back(V.getAsInteger().value_or(-1));
    if (Result.empty() || (Runs && Result.size() != Runs) ||
        llvm::any_of(Result, [](int64_t V) { return V < 0; }))
      fail(Key, "list of times, one for each run");
    return Result;
  }
};

/// Reads lines into a baseline; an error is what is wrong with the line.
class Reader {
  Baseline B;
  std::set<std::tuple<uint64_t, std::string, uint32_t, std::string>> Seen;

  std::string readSteps(Fields F) {
    if (F.text("schema") != Schema)
      return "this is not a baseline of this version: its first line has no "
             "schema '" +
             Schema.str() + "'";
    B.Device = F.text("device");
    B.Source = F.text("steps");
    B.StepSite = F.id("step_id");
    B.FromGpu = F.text("clock") == "gpu";
    B.StepMedians = F.times("step_ns", 0);
    B.RunsVary = F.share("runs_vary");
    B.Noise.Freedom = F.number("noise_freedom");
    if (B.Noise.isKnown())
      B.Noise.Deviation = F.share("noise_spread");
    return F.wrong();
  }
  std::string readSite(Fields F) {
    BaselineSite S;
    S.Place.Id = F.id("id");
    S.Place.Kind = F.text("kind");
    S.Place.File = F.text("file");
    S.Place.Line = F.number("line");
    S.Place.Function = F.text("function");
    S.Place.Callee = S.Call = F.text("call");
    if (F.has("wait_ns")) {
      S.Wait = F.times("wait_ns", B.StepMedians.size());
      S.Exposed = F.times("exposed_ns", B.StepMedians.size());
    }
    if (!Seen.insert({S.Place.Id, S.Place.File, S.Place.Line, S.Call}).second)
      return "the site was in a line before";
    B.Sites.push_back(std::move(S));
    return F.wrong();
  }

public:
  std::string read(StringRef Line) {
    llvm::Expected<json::Value> V = parseJson(Line);
    if (!V) {
      llvm::consumeError(V.takeError());
      return "the line is not JSON (a merge conflict?)";
    }
    const json::Object *O = V->getAsObject();
    if (!O)
      return "the line is not a JSON object";
    return B.StepMedians.empty() ? readSteps(Fields(*O)) : readSite(Fields(*O));
  }
  bool hasSteps() const { return !B.StepMedians.empty(); }
  Baseline finish() { return std::move(B); }
};

} // namespace

void report::writeBaseline(llvm::raw_ostream &Out, const Baseline &B) {
  Out << "# What the steps may cost; 'autoprof check --update' writes it.\n";
  line(Out, [&](json::OStream &J) {
    J.attribute("schema", Schema);
    text(J, "device", B.Device);
    text(J, "steps", B.Source);
    text(J, "step_id", B.StepSite ? fmt::format("{:#018x}", B.StepSite) : "");
    J.attribute("clock", B.FromGpu ? "gpu" : "host");
    list(J, "step_ns", B.StepMedians);
    // As people write it: 0.005, not the nearest binary fraction.
    J.attributeBegin("runs_vary");
    J.rawValue(fmt::format("{:g}", B.RunsVary));
    J.attributeEnd();
    J.attributeBegin("noise_spread");
    J.rawValue(B.Noise.isKnown() ? fmt::format("{:.4g}", B.Noise.Deviation)
                                 : "null");
    J.attributeEnd();
    J.attribute("noise_freedom", int64_t(B.Noise.Freedom));
  });
  for (const BaselineSite &S : B.Sites)
    writeSite(Out, S);
}

llvm::Expected<Baseline> report::readBaseline(StringRef Path) {
  auto File = llvm::MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!File)
    return llvm::createStringError("cannot read the baseline '" + Path +
                                   "': " + File.getError().message() +
                                   "; --update writes one from the traces");
  Reader R;
  for (llvm::line_iterator I(**File, /*SkipBlanks=*/true, '#'); !I.is_at_eof();
       ++I)
    if (std::string Wrong = R.read(*I); !Wrong.empty())
      return llvm::createStringError(
          Path + ":" + llvm::Twine(I.line_number()) + ": " + Wrong +
          "; fix it, or write the file again with --update");
  if (!R.hasSteps())
    return llvm::createStringError("the baseline '" + Path +
                                   "' is empty; write it with --update");
  return R.finish();
}
