// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Calls.h"

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

int64_t nanoseconds(double Microseconds) {
  return std::llround(Microseconds * 1000);
}

void measured(json::OStream &J, const Measurement &M) {
  J.object([&] {
    J.attribute("call", M.Name);
    J.attribute("what", M.What);
    J.attribute("gpu", Measurement::Gpu);
    J.attribute("driver", Measurement::Driver);
    J.attribute("cuda", Measurement::Cuda);
    J.attribute("queued_ns", nanoseconds(Measurement::Queued));
    J.attribute("idle_ns", nanoseconds(M.Idle));
    J.attribute("own_stream_ns", nanoseconds(M.OwnStream));
    J.attribute("other_nonblocking_ns", nanoseconds(M.OtherNonBlocking));
    J.attribute("other_blocking_ns", nanoseconds(M.OtherBlocking));
    J.attribute("legacy_stream_ns", nanoseconds(M.LegacyStream));
    J.attribute("waited", M.waited());
    J.attribute("waited_for", catalogue::name(M.target()));
  });
}

void conditions(json::OStream &J, const Row &R) {
  J.attributeObject("conditions", [&] {
    for (unsigned I = 0; I < NumFacts; ++I)
      if (R.When.knows(Fact(I)))
        J.attributeArray(catalogue::name(Fact(I)), [&] {
          for (llvm::StringRef Value : valueNames(R.When, Fact(I)))
            J.value(Value);
        });
  });
}

void row(json::OStream &J, const Row &R, const Row &General) {
  J.object([&] {
    J.attribute("name", R.Name);
    J.attribute("library", R.Library);
    J.attribute("class", catalogue::name(General.Class));
    text(J, "when", describe(R.When));
    conditions(J, R);
    text(J, "decided_by", General.DecidedBy);
    J.attribute("waits", catalogue::name(R.Wait));
    J.attribute("waits_for", catalogue::name(R.Target));
    text(J, "why", R.Why);
    text(J, "replacement",
         R.Wait == Waits::No ? llvm::StringRef()
                             : llvm::StringRef(General.Replacement));
    J.attribute("source", R.Source);
    J.attributeArray("measured", [&] {
      for (const Measurement *M : measurementsOf(R))
        measured(J, *M);
    });
  });
}

void rowsOf(json::OStream &J, const Row &General) {
  row(J, General, General);
  for (const Row &R : conditional(General))
    row(J, R, General);
}

void differing(json::OStream &J, const Disagreement &D) {
  J.object([&] {
    J.attribute("call", D.Name);
    J.attribute("documented", D.Documented);
    J.attribute("measured", D.Measured);
  });
}

/// `Only`: one call, or null for all.
void write(llvm::raw_ostream &Out, llvm::StringRef Asked, const Row *Only) {
  json::OStream J(Out, 2);
  J.object([&] {
    J.attribute("schema", "autoprof-call/1");
    text(J, "call", Asked);
    J.attributeArray("rows", [&] {
      for (const Row &R : rows())
        if (R.General && (!Only || &R == Only))
          rowsOf(J, R);
    });
    J.attributeArray("measured", [&] {
      for (const Measurement &M : measurements())
        if (!Only || M.Name == Only->Name)
          measured(J, M);
    });
    J.attributeArray("disagreements", [&] {
      for (const Disagreement &D : disagreements())
        if (!Only || D.Name == Only->Name)
          differing(J, D);
    });
  });
  Out << '\n';
}

} // namespace

void report::writeCallJson(llvm::raw_ostream &Out, const CallInput &Call) {
  write(Out, Call.Asked, &Call.General);
}

void report::writeCatalogueJson(llvm::raw_ostream &Out) {
  write(Out, "", nullptr);
}
