// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/experiment/Places.h"

#include "runtime/experiment/Timing.h"
#include "runtime/probes/Modules.h"
#include "runtime/protocol/Experiment.h"
#include "runtime/stacks/PythonStack.h"
#include "runtime/support/ModulePath.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <link.h>
#include <string>
#include <unwind.h>
#include <utility>

namespace autoprof::runtime {

namespace {

/// One frame or site of a place.
struct Wanted {
  Place Where;
  uint64_t Site = 0;                 ///< 0: a frame.
  std::string Line;                  ///< "FILE:LINE"; "": not of Python.
  std::string Module{};              ///< The file of an address.
  uintptr_t Offset = 0;              ///< The address in it.
  std::atomic<uintptr_t> Address{0}; ///< In this process; 0: not loaded yet.
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
static std::deque<Wanted> &places() {
  static auto &List = *new std::deque<Wanted>;
  return List;
}
static bool HasPython = false, HasNative = false;

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

// "FILE:LINE" or "/path/module+0x1f3c".
static void addFrame(const Place &Where, const std::string &Frame) {
  Wanted &W = places().emplace_back();
  W.Where = Where;
  const size_t Plus = Frame.rfind("+0x");
  if (Plus == std::string::npos) {
    W.Line = Frame;
    HasPython = true;
    return;
  }
  W.Module = Frame.substr(0, Plus);
  W.Offset = strtoull(Frame.c_str() + Plus + 1, nullptr, 16);
  HasNative = true;
}

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
    else if (sscanf(Row.c_str(), "%u site %llx", &Late, &Site) == 2) {
      Wanted &W = places().emplace_back();
      W.Where = {Index, Late};
      W.Site = Site;
    } else if (sscanf(Row.c_str(), "%u frame %n", &Late, &Used) == 1 && Used)
      for (size_t From = size_t(Used), Tab; From != std::string::npos;
           From = Tab == std::string::npos ? Tab : Tab + 1) {
        Tab = Row.find('\t', From);
        addFrame({Index, Late}, Row.substr(From, Tab - From));
      }
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

static int placeModule(dl_phdr_info *Info, size_t, void *IsFirst) {
  const std::string Path =
      modulePath(*Info, std::exchange(*static_cast<bool *>(IsFirst), false));
  for (Wanted &W : places())
    if (!W.Module.empty() && W.Module == Path)
      W.Address.store(Info->dlpi_addr + W.Offset, std::memory_order_relaxed);
  return 0;
}

// Libraries that were loaded meanwhile may have probes, or frames. Each look
// costs microseconds, so not each call looks.
static void findProbes() {
  constexpr unsigned OneIn = 64;
  static std::atomic<unsigned> Calls{0};
  if (Calls.fetch_add(1, std::memory_order_relaxed) % OneIn != 0)
    return;
  scanModules(Hooks);
  bool IsFirst = true;
  if (HasNative)
    dl_iterate_phdr(placeModule, &IsFirst);
}

static _Unwind_Reason_Code matchFrame(_Unwind_Context *Context, void *Found) {
  // Recorded is an address within the call, not the one after it.
  const uintptr_t Address = _Unwind_GetIP(Context) - 1;
  for (const Wanted &W : places()) {
    if (W.Address.load(std::memory_order_relaxed) != Address)
      continue;
    *static_cast<const Wanted **>(Found) = &W;
    return _URC_END_OF_STACK;
  }
  return _URC_NO_REASON;
}

static const Wanted *findHere() {
  char Frames[4096] = "";
  if (HasPython) {
    if (!pythonPlace())
      lookForPython();
    Frames[pythonStack(Frames, sizeof Frames - 1)] = 0;
  }
  for (const Wanted &W : places())
    if (W.Site ? isInSite(W.Site) : !W.Line.empty() && hasLine(Frames, W.Line))
      return &W;
  const Wanted *Native = nullptr;
  if (HasNative)
    _Unwind_Backtrace(matchFrame, static_cast<void *>(&Native));
  return Native;
}

std::optional<Place> placeHere() {
  unsigned Turn;
  if (places().empty() || isOurs())
    return std::nullopt;
  findProbes();
  // Also where nothing is changed: parts differ only by the change.
  const Wanted *Here = findHere();
  if (!Here || !isChanging(Turn))
    return std::nullopt;
  return Place{Here->Where.Index, Here->Where.Late, Turn};
}

} // namespace autoprof::runtime
