// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/catalogue/Calls.h"
#include "report/catalogue/Formats.h"

#include "llvm/Support/JSON.h"

#include <cmath>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::catalogue;
namespace json = llvm::json;

namespace {

void text(json::OStream &J, llvm::StringRef Key, llvm::StringRef V) {
  if (V.empty())
    J.attribute(Key, nullptr);
  else
    J.attribute(Key, json::fixUTF8(V));
}

void time(json::OStream &J, llvm::StringRef Key, std::optional<int64_t> Ns) {
  if (Ns)
    J.attribute(Key, *Ns);
  else
    J.attribute(Key, nullptr);
}

void measured(json::OStream &J, const Seen &S, const Semantics *Calibration) {
  J.object([&] {
    text(J, "call", S.O->Call);
    text(J, "what", S.O->Arguments);
    J.attribute("here", S.Calibrations == Calibration);
    text(J, "gpu", S.Calibrations->Gpu);
    text(J, "driver", S.Calibrations->Driver);
    text(J, "cuda", S.Calibrations->Cuda);
    text(J, "error", S.O->Error);
    J.attribute("queued_ns", S.Calibrations->QueuedNs);
    time(J, "first_ns", S.O->FirstNs);
    time(J, "idle_ns", S.O->IdleNs);
    for (unsigned I = 0; I < NumBehind; ++I)
      time(J, (catalogue::name(PriorWork(I)) + "_ns").str(), S.O->BehindNs[I]);
    J.attribute("waited", S.Says ? json::Value(mayWait(S.Says->Wait))
                                 : json::Value(nullptr));
    text(J, "waited_for", S.Says ? catalogue::name(S.Says->Target) : "");
  });
}

void conditions(json::OStream &J, const Row &R) {
  J.attributeObject("conditions", [&] {
    for (unsigned I = 0; I < NumFacts; ++I)
      if (R.Condition.knows(Fact(I)))
        J.attributeArray(catalogue::name(Fact(I)), [&] {
          for (llvm::StringRef Value : valueNames(R.Condition, Fact(I)))
            J.value(Value);
        });
  });
}

void differing(json::OStream &J, const Disagreement &D) {
  J.object([&] {
    J.attribute("call", D.Name);
    J.attribute("documented", D.Documented);
    J.attribute("measured", D.Measured);
  });
}

class Writer {
  json::OStream J;
  const Semantics *Calibration;
  const ObservationIndex Measured;

  void here(const Row &R, const Row &General);
  void row(const Row &R, const Row &General);

public:
  Writer(llvm::raw_ostream &Out, const Semantics *Calibration)
      : J(Out, 2), Calibration(Calibration),
        Measured(calibrations(Calibration)) {}
  /// `Only`: one call, or null for all.
  void write(llvm::StringRef Asked, const Row *Only);
};

/// What the user's calibration answers where the row holds.
void Writer::here(const Row &R, const Row &General) {
  Answer A = ask(General, R.Condition, Calibration);
  if (!A.Measured) {
    J.attribute("here", nullptr);
    return;
  }
  J.attributeObject("here", [&] {
    J.attribute("waits", catalogue::name(A.Wait));
    J.attribute("waits_for", catalogue::name(A.Target));
    J.attribute("source", json::fixUTF8(A.Source));
  });
}

void Writer::row(const Row &R, const Row &General) {
  J.object([&] {
    J.attribute("name", R.Name);
    J.attribute("library", R.Library);
    J.attribute("class", catalogue::name(General.Class));
    text(J, "when", describe(R.Condition));
    conditions(J, R);
    text(J, "decided_by", General.DecidedBy);
    J.attribute("waits", catalogue::name(R.Wait));
    J.attribute("waits_for", catalogue::name(R.Target));
    text(J, "why", R.Reason);
    text(J, "replacement",
         R.Wait == Waits::No ? llvm::StringRef()
                             : llvm::StringRef(General.Replacement));
    J.attribute("source", R.Source);
    here(R, General);
    J.attributeArray("measured", [&] {
      for (const Seen &S : Measured.under(R))
        measured(J, S, Calibration);
    });
  });
}

void Writer::write(llvm::StringRef Asked, const Row *Only) {
  auto Wanted = [&](const Row &R) {
    return R.General && (!Only || &R == Only);
  };
  J.object([&] {
    J.attribute("schema", "autoprof-call/1");
    text(J, "call", Asked);
    J.attributeArray("rows", [&] {
      for (const Row &General : rows())
        if (Wanted(General)) {
          row(General, General);
          for (const Row &R : conditional(General))
            row(R, General);
        }
    });
    J.attributeArray("measured", [&] {
      for (const Row &General : rows())
        if (Wanted(General))
          for (const Seen &S : Measured.of(General))
            measured(J, S, Calibration);
    });
    J.attributeArray("disagreements", [&] {
      for (const Disagreement &D : disagreements())
        if (!Only || D.Name == Only->Name)
          differing(J, D);
    });
  });
  J.flush();
}

} // namespace

void report::writeCallJson(llvm::raw_ostream &Out, const CallInput &Call,
                           const TextStyle &) {
  Writer(Out, Call.Calibration).write(Call.Asked, &Call.General);
  Out << '\n';
}

void report::writeCatalogueJson(llvm::raw_ostream &Out,
                                const CatalogueInput &About,
                                const TextStyle &) {
  Writer(Out, About.Calibration).write("", nullptr);
  Out << '\n';
}
