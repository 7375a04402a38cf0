// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "calibrate/Compiler.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

using namespace autoprof::calibrate;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {

/// Only a compiler that hangs takes this long: the slowest source takes half a
/// minute on one core of a server, and ten times that on one that is busy.
constexpr int LimitMs = 1'800'000;

/// "" if there is none.
std::string findNvcc() {
  if (auto Found = llvm::sys::findProgramByName("nvcc"))
    return *Found;
  for (const char *Variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *Value = std::getenv(Variable); Value && *Value)
      if (std::string File = std::string(Value) + "/bin/nvcc";
          fs::can_execute(File))
        return File;
  constexpr char Usual[] = "/usr/local/cuda/bin/nvcc";
  return fs::can_execute(Usual) ? Usual : "";
}

} // namespace

Compiler::~Compiler() {
  for (auto &Each : Running)
    Each.second->end(/*GraceMs=*/0);
}

void Compiler::start(const std::set<std::string> &Names, StringRef Sources,
                     StringRef ComputeCapability, StringRef Folder) {
  this->Sources = Sources.str();
  this->Folder = Folder.str();
  Architecture = "sm_";
  for (char C : ComputeCapability)
    if (C != '.')
      Architecture += C;
  std::string Nvcc = findNvcc();
  if (Nvcc.empty())
    Unavailable = "needs nvcc, which is not on PATH, nor in CUDA_HOME or "
                  "/usr/local/cuda";
  else if (!fs::is_directory(Sources))
    Unavailable = "its sources are missing in '" + this->Sources +
                  "'; build or install autoprof as a whole";
  if (!Unavailable.empty())
    return;
  for (const std::string &Name : Names) {
    // Only the architecture of this GPU, little optimization, and the runtime
    // that the measuring process has open: this saves time.
    auto Started = Child::start(
        Nvcc,
        {"nvcc", "-std=c++17", "-O1", "-arch=" + Architecture, "-shared",
         "-Xcompiler=-fPIC", "-cudart=shared", "-o",
         this->Folder + "/" + Name + ".so", this->Sources + "/" + Name + ".cu"},
        {{"TMPDIR", this->Folder}}, Child::Priority::Low);
    if (Started)
      Running[Name] = std::move(*Started);
    else
      Unavailable = llvm::toString(Started.takeError());
  }
}

std::string Compiler::wait(StringRef Name,
                           const volatile std::sig_atomic_t *Interrupt) {
  std::string Source = Sources + "/" + Name.str() + ".cu";
  auto It = Running.find(Name);
  if (It != Running.end()) {
    std::string Line;
    Child::Outcome Read = It->second->read(Line, LimitMs, Interrupt);
    It->second->end(/*GraceMs=*/Read == Child::Outcome::Ended ? 500 : 0);
    Running.erase(It);
    if (Read != Child::Outcome::Ended)
      return "nvcc needed more than " + std::to_string(LimitMs / 60'000) +
             " minutes for " + Source;
  }
  if (fs::exists(Folder + "/" + Name + ".so"))
    return "";
  return "nvcc cannot compile " + Source +
         "; 'nvcc -shared -arch=" + Architecture + " " + Source + "' says why";
}
