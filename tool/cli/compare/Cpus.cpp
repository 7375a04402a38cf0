// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/compare/Cpus.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <optional>
#include <sched.h>
#include <set>

using namespace autoprof::cli;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {

std::string readLine(const std::string &Path) {
  auto File = llvm::MemoryBuffer::getFileAsStream(Path);
  return File ? (*File)->getBuffer().split('\n').first.trim().str() : "";
}

/// Of the first NVIDIA GPU; nullopt: unknown, or there is only one.
std::optional<int> gpuNode(const std::string &Root) {
  std::set<std::string> Devices; // In order: the first is always the same.
  std::error_code E;
  for (fs::directory_iterator It(Root + "/sys/bus/pci/devices", E), End;
       !E && It != End; It.increment(E))
    Devices.insert(It->path());
  for (const std::string &Device : Devices) {
    const StringRef Nvidia = "0x10de", Display = "0x03";
    int Node;
    if (readLine(Device + "/vendor") == Nvidia &&
        StringRef(readLine(Device + "/class")).starts_with(Display) &&
        !StringRef(readLine(Device + "/numa_node")).getAsInteger(10, Node) &&
        Node >= 0)
      return Node;
  }
  return std::nullopt;
}

/// One CPU of each core, the one with the lowest number.
CpuList onePerCore(const CpuList &Cpus, const std::string &Root) {
  CpuList Result;
  std::set<unsigned> Taken;
  for (unsigned C : Cpus) {
    if (Taken.count(C))
      continue;
    Result.push_back(C);
    llvm::Expected<CpuList> Siblings = parseCpus(
        readLine(Root + "/sys/devices/system/cpu/cpu" + std::to_string(C) +
                 "/topology/thread_siblings_list"));
    if (Siblings)
      Taken.insert(Siblings->begin(), Siblings->end());
    else
      llvm::consumeError(Siblings.takeError());
  }
  return Result;
}

CpuList automatic(size_t Count, const CpuList &Allowed,
                  const std::string &Root) {
  CpuList Candidates = Allowed;
  if (std::optional<int> Node = gpuNode(Root)) {
    llvm::Expected<CpuList> OfNode =
        parseCpus(readLine(Root + "/sys/devices/system/node/node" +
                           std::to_string(*Node) + "/cpulist"));
    if (OfNode)
      llvm::erase_if(Candidates, [&](unsigned C) {
        return !llvm::is_contained(*OfNode, C);
      });
    else
      llvm::consumeError(OfNode.takeError());
  }
  if (Candidates.empty()) // A container's CPUs may all be elsewhere.
    Candidates = Allowed;
  CpuList Cores = onePerCore(Candidates, Root);
  if (Cores.size() > Count && Cores.front() == 0)
    Cores.erase(Cores.begin());
  if (Cores.size() > Count)
    Cores.resize(Count);
  return Cores;
}

} // namespace

llvm::Expected<CpuList> autoprof::cli::parseCpus(StringRef Text) {
  std::set<unsigned> Found;
  llvm::SmallVector<StringRef> Parts;
  Text.split(Parts, ',');
  for (StringRef Part : Parts) {
    auto [FromText, ToText] = Part.trim().split('-');
    unsigned From, To;
    if (FromText.getAsInteger(10, From))
      return llvm::createStringError("'" + Text + "' is not a list of CPUs");
    To = From;
    if ((Part.contains('-') && ToText.getAsInteger(10, To)) || To < From ||
        To >= CPU_SETSIZE)
      return llvm::createStringError("'" + Text + "' is not a list of CPUs");
    for (unsigned C = From; C <= To; ++C)
      Found.insert(C);
  }
  return CpuList(Found.begin(), Found.end());
}

std::string autoprof::cli::cpusText(const CpuList &Cpus) {
  std::string Text;
  for (size_t I = 0; I < Cpus.size();) {
    size_t Last = I;
    while (Last + 1 < Cpus.size() && Cpus[Last + 1] == Cpus[Last] + 1)
      ++Last;
    Text += (Text.empty() ? "" : ",") + std::to_string(Cpus[I]);
    if (Last > I)
      Text += "-" + std::to_string(Cpus[Last]);
    I = Last + 1;
  }
  return Text;
}

CpuList autoprof::cli::allowedCpus() {
  cpu_set_t Set;
  CPU_ZERO(&Set);
  CpuList Result;
  if (!sched_getaffinity(0, sizeof Set, &Set))
    for (unsigned C = 0; C < CPU_SETSIZE; ++C)
      if (CPU_ISSET(C, &Set))
        Result.push_back(C);
  return Result;
}

llvm::Expected<CpuList> autoprof::cli::chooseCpus(StringRef Asked,
                                                  const CpuList &Allowed,
                                                  const std::string &Root) {
  auto [Word, CountText] = Asked.split(':');
  if (Word == "auto") {
    constexpr size_t Usual = 4;
    size_t Count = Usual;
    if (Asked.contains(':') && (CountText.getAsInteger(10, Count) || !Count))
      return llvm::createStringError("--cpus=auto:N takes a number of CPUs, "
                                     "not '" +
                                     CountText + "'");
    return automatic(Count, Allowed, Root);
  }
  llvm::Expected<CpuList> Cpus = parseCpus(Asked);
  if (!Cpus) {
    llvm::consumeError(Cpus.takeError());
    return llvm::createStringError(
        "--cpus takes auto, auto:N or a list of CPUs such as 2-5,8; not '" +
        Asked + "'");
  }
  for (unsigned C : *Cpus)
    if (!llvm::is_contained(Allowed, C))
      return llvm::createStringError(
          "--cpus=" + Asked + ": CPU " + llvm::Twine(C) +
          " does not exist or is not available here; available: " +
          cpusText(Allowed));
  return Cpus;
}
