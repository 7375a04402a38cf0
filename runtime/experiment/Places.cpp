// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/experiment/Places.h"

#include "runtime/experiment/Timing.h"
#include "runtime/probes/Modules.h"
#include "runtime/protocol/Experiment.h"
#include "runtime/stacks/PythonStack.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace autoprof::runtime {

namespace {

struct Wanted {
  Place Where;
  uint64_t Site;    ///< 0: a line.
  std::string Line; ///< "FILE:LINE"
};

/// The sites that a thread is in. Deeper ones are not looked at.
struct OpenSites {
  static constexpr unsigned Most = 64;
  uint64_t Ids[Most];
  unsigned Count;
};

} // namespace

static bool PoolsAreKept = false;

// Leaked: threads may outlive static objects. Not changed after readPlaces().
static std::vector<Wanted> &places() {
  static auto &List = *new std::vector<Wanted>;
  return List;
}

static thread_local OpenSites Open
    __attribute__((tls_model("initial-exec"))) = {};

static unsigned long long beginSite(unsigned long long Id) noexcept {
  if (Open.Count < OpenSites::Most)
    Open.Ids[Open.Count] = Id;
  ++Open.Count;
  return 1;
}

static void endSite(unsigned long long, unsigned long long) noexcept {
  if (Open.Count)
    --Open.Count;
}

static unsigned long long beginRange(unsigned long long) noexcept { return 0; }
static void endRange(unsigned long long, unsigned long long) noexcept {}
static int refuse(autoprof_request) { return 0; }

static const autoprof_hooks Hooks = {
    sizeof(autoprof_hooks), beginSite, endSite, beginRange, endRange, refuse};

void readPlaces(const char *Text) {
  unsigned Index = 0;
  for (const char *End; Text && *Text && Index < MostPlaces;
       Text = *End ? End + 1 : End, ++Index) {
    End = strchrnul(Text, '\n');
    const std::string Row(Text, static_cast<size_t>(End - Text));
    unsigned long long Site = 0;
    unsigned Late = 1;
    int Used = 0;
    if (sscanf(Row.c_str(), "%u pool%n", &Late, &Used) == 1 && Used)
      PoolsAreKept = true;
    else if (sscanf(Row.c_str(), "%u site %llx", &Late, &Site) == 2)
      places().push_back({{Index, Late}, Site, ""});
    else if (sscanf(Row.c_str(), "%u line %n", &Late, &Used) == 1 && Used)
      places().push_back({{Index, Late}, 0, Row.substr(size_t(Used))});
  }
  scanModules(Hooks);
}

bool hasPools() { return PoolsAreKept; }

static bool isInSite(uint64_t Id) {
  for (unsigned I = 0; I < Open.Count && I < OpenSites::Most; ++I)
    if (Open.Ids[I] == Id)
      return true;
  return false;
}

// One of the frames, a line of text each: "FILE:LINE:COLUMNS FUNCTION" or
// "FILE:LINE FUNCTION".
static bool hasLine(const char *Frames, const std::string &Line) {
  for (const char *Frame = Frames; *Frame;) {
    if (strncmp(Frame, Line.c_str(), Line.size()) == 0 &&
        (Frame[Line.size()] == ':' || Frame[Line.size()] == ' '))
      return true;
    Frame = strchrnul(Frame, '\n');
    Frame += *Frame == '\n';
  }
  return false;
}

// Libraries that were loaded meanwhile may have probes, too. Each look costs a
// microsecond, and outside of all sites most calls are in no place, so not each
// of them looks.
static void findProbes() {
  constexpr unsigned OneIn = 64;
  static std::atomic<unsigned> Calls{0};
  if (!Open.Count && Calls.fetch_add(1, std::memory_order_relaxed) % OneIn == 0)
    scanModules(Hooks);
}

std::optional<Place> placeHere() {
  unsigned Turn;
  if (places().empty() || !isChanging(Turn))
    return std::nullopt;
  findProbes();
  char Frames[4096];
  bool AreRead = false;
  for (const Wanted &W : places()) {
    if (!W.Site && !AreRead) {
      AreRead = true;
      if (!pythonPlace())
        lookForPython();
      Frames[pythonStack(Frames, sizeof Frames - 1)] = 0;
    }
    if (W.Site ? isInSite(W.Site) : hasLine(Frames, W.Line))
      return Place{W.Where.Index, W.Where.Late, Turn};
  }
  return std::nullopt;
}

} // namespace autoprof::runtime
