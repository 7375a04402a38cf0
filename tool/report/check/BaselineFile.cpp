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

/// An object on a line.
void line(llvm::raw_ostream &Out, llvm::function_ref<void(Fields &)> Write) {
  writeFields(Out, Write, /*Indent=*/0);
}

/// Reads lines into a baseline; an error is what is wrong with the line.
class Reader {
  Baseline B;
  std::set<std::pair<std::string, std::string>> Seen;

  std::string readSteps(const json::Object &O) {
    if (O.getString("schema").value_or("") != Schema)
      return "this is not a baseline of this version: its first line has no "
             "schema '" +
             Schema.str() + "'";
    Fields F(O);
    baselineFields(F, B);
    if (B.StepMedians.empty())
      F.complain("step_ns", "is not a list of times, one for each run");
    return F.wrong();
  }
  std::string readSite(const json::Object &O) {
    Fields F(O);
    BaselineSite S;
    baselineSiteFields(F, S);
    S.Place.Callee = S.Call;
    const size_t Runs =
        S.Wait.empty() && S.Exposed.empty() ? 0 : B.StepMedians.size();
    for (auto [Key, Times] :
         {std::pair("wait_ns", &S.Wait), std::pair("exposed_ns", &S.Exposed)})
      if (Times->size() != Runs)
        F.complain(Key, "is not a list of times, one for each run");
    if (!Seen.insert({S.Place.key(), S.Call}).second)
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
    return B.StepMedians.empty() ? readSteps(*O) : readSite(*O);
  }
  bool hasSteps() const { return !B.StepMedians.empty(); }
  Baseline finish() { return std::move(B); }
};

} // namespace

void report::baselineFields(Fields &F, Baseline &B) {
  F.format(Schema,
           "The file that `autoprof check --update` writes: one object per "
           "line, after comment lines that begin with `#`. The first object is "
           "about the steps. The others are sites: those that wait in the "
           "steps and, without times, what else is in their functions, so that "
           "a site is found again among its neighbors.");
  F.text("device", "name of the GPU", B.Device);
  F.text("steps", "as `steps.source` of `autoprof-report/1`", B.Source);
  F.id("step_id", "site id of that range", B.StepSite);
  F.either("clock", "as `steps.clock` of `autoprof-report/1`", B.FromGpu, "gpu",
           "host");
  F.field("step_ns", "median step time of each run", B.StepMedians);
  F.rounded("runs_vary",
            "how far single runs of one program are known to be apart in this "
            "regime; used where nothing else tells",
            B.RunsVary, 6);
  std::optional<double> Spread;
  if (B.Noise.isKnown())
    Spread = B.Noise.Deviation;
  auto Freedom = int64_t(B.Noise.Freedom);
  // Baselines of older versions lack them.
  F.mayLack(/*Have=*/true, [&] {
    F.rounded("noise_spread",
              "standard deviation of the logarithms of step times, of the runs "
              "given with `--noise`; null without",
              Spread, 4);
    F.field("noise_freedom", "its degrees of freedom", Freedom);
  });
  if (F.reads() && Freedom && !Spread)
    F.complain("noise_spread", "is missing");
  B.Noise = {Spread.value_or(0), double(Freedom)};
}

void report::baselineSiteFields(Fields &F, BaselineSite &S) {
  placeFields(F, S.Place);
  F.mayLack(!S.Place.Id && S.Place.Column,
            [&] { callDetailFields(F, S.Place); });
  F.text("kind",
         "as `sites[].kind` of `autoprof-report/1`, or `function` or `loop` of "
         "a range",
         S.Place.Kind);
  F.text("call", "the call; null for ranges", S.Call);
  F.mayLack(!S.Wait.empty(), [&] {
    F.field("wait_ns", "wait per step, of each run; only of sites that wait",
            S.Wait);
    F.field("exposed_ns",
            "exposed stall per step, of each run; only of sites that wait",
            S.Exposed);
  });
}

void report::writeBaseline(llvm::raw_ostream &Out, const Baseline &B) {
  Out << "# What the steps may cost; 'autoprof check --update' writes it.\n";
  Baseline Written = B;
  line(Out, [&](Fields &F) { baselineFields(F, Written); });
  for (BaselineSite &S : Written.Sites)
    line(Out, [&](Fields &F) { baselineSiteFields(F, S); });
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
