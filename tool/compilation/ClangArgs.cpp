// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compilation/ClangArgs.h"

#include "compilation/ClangVersion.h"
#include "compilation/Headers.h"
#include "compilation/HostCompiler.h"
#include "compilation/Prelude.h"

#include "clang/Driver/Types.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/Path.h"

using namespace clang;
using llvm::StringRef;
using llvm::opt::Arg;

namespace autoprof::sources {

namespace {

/// Options about the output, not about reading the source.
bool isAboutOutput(const llvm::opt::Option &O) {
  static const unsigned Ids[] = {options::OPT_c,
                                 options::OPT_S,
                                 options::OPT_E,
                                 options::OPT_o,
                                 options::OPT_emit_llvm,
                                 options::OPT_fsyntax_only,
                                 options::OPT_M_Group,
                                 options::OPT_Link_Group,
                                 options::OPT_save_temps,
                                 options::OPT_save_temps_EQ,
                                 options::OPT_fplugin_EQ,
                                 options::OPT_plugin_arg,
                                 options::OPT_v,
                                 options::OPT_fpass_plugin_EQ,
                                 options::OPT_shared,
                                 options::OPT__HASH_HASH_HASH,
                                 options::OPT_cuda_device_only,
                                 options::OPT_cuda_host_only,
                                 options::OPT_cuda_compile_host_device,
                                 options::OPT_offload_arch_EQ,
                                 options::OPT_no_offload_arch_EQ,
                                 options::OPT_ftime_trace,
                                 options::OPT_ftime_trace_EQ};
  for (unsigned Id : Ids)
    if (O.matches(Id))
      return true;
  return false;
}

llvm::opt::InputArgList parse(llvm::ArrayRef<std::string> Args) {
  std::vector<const char *> Pointers;
  for (const std::string &A : Args)
    Pointers.push_back(A.c_str());
  unsigned MissingAt = 0, MissingCount = 0;
  return getDriverOptTable().ParseArgs(
      Pointers, MissingAt, MissingCount,
      llvm::opt::Visibility(options::ClangOption));
}

enum class Standards { All, OfC, OfCxx };

/// Whether it is a standard of another language, which gcc warns about and
/// clang rejects.
bool isMisfit(const Arg &A, Standards Fit) {
  return Fit != Standards::All && A.getOption().matches(options::OPT_std_EQ) &&
         StringRef(A.getValue()).contains("++") != (Fit == Standards::OfCxx);
}

/// `Args` without inputs, outputs, standards of another language, and options
/// that clang does not know.
void appendKnown(std::vector<std::string> &Result,
                 llvm::ArrayRef<std::string> Args, Standards Fit,
                 std::vector<std::string> &Dropped) {
  llvm::opt::InputArgList Parsed = parse(Args);
  for (const Arg *A : Parsed) {
    if (A->getOption().matches(options::OPT_INPUT) ||
        isAboutOutput(A->getOption()) || isMisfit(*A, Fit))
      continue;
    if (A->getOption().matches(options::OPT_UNKNOWN)) {
      Dropped.push_back(A->getAsString(Parsed));
      continue;
    }
    llvm::opt::ArgStringList Rendered;
    A->render(Parsed, Rendered);
    Result.insert(Result.end(), Rendered.begin(), Rendered.end());
  }
}

std::vector<std::string> commandFor(bool IsCxx, StringRef GccFolder) {
  std::vector<std::string> Result = {
      clangProgram(), IsCxx ? "--driver-mode=g++" : "--driver-mode=gcc"};
  if (!GccFolder.empty())
    Result.push_back(("--gcc-install-dir=" + GccFolder).str());
  return Result;
}

/// Decided by -x, otherwise by the file's name.
bool isHip(llvm::ArrayRef<std::string> Args, StringRef File) {
  const llvm::opt::InputArgList Parsed = parse(Args);
  if (const Arg *Language = Parsed.getLastArg(options::OPT_x))
    return StringRef(Language->getValue()) == "hip";
  return File.ends_with(".hip");
}

void finish(std::vector<std::string> &Args, StringRef File) {
  const bool Hip = isHip(Args, File);
  Args.push_back("--cuda-host-only");
  // One architecture that every toolkit since CUDA 11.8 has, because the host
  // side does not see it. HIP's headers need the size of a wavefront on the
  // host, too, which clang no longer defines there.
  if (Hip)
    Args.insert(Args.end(), {"--offload-arch=gfx90a", "-nogpulib",
                             "-D__AMDGCN_WAVEFRONT_SIZE=64"});
  else
    Args.insert(Args.end(), {"--offload-arch=sm_90", "--no-cuda-version-check",
                             "-Wno-unknown-cuda-version"});
  Args.push_back("-Qunused-arguments");
  Args.push_back(File.str());
}

} // namespace

bool isSource(StringRef File) {
  using namespace clang::driver;
  StringRef Extension = llvm::sys::path::extension(File);
  if (!Extension.consume_front("."))
    return false;
  const types::ID Type = types::lookupTypeForExtension(Extension);
  return Type != types::TY_INVALID && types::isDerivedFromC(Type) &&
         !types::onlyPrecompileType(Type);
}

std::vector<std::string> sourcesAmong(llvm::ArrayRef<std::string> Args) {
  std::vector<std::string> Sources;
  for (const Arg *A : parse(Args))
    if (A->getOption().matches(options::OPT_INPUT) && isSource(A->getValue()))
      Sources.push_back(A->getValue());
  return Sources;
}

/// Decided by -x, otherwise by the program and the file's name.
static bool isC(const HostProgram &Program, llvm::ArrayRef<std::string> Args,
                StringRef File) {
  const llvm::opt::InputArgList Parsed = parse(Args);
  if (const Arg *Language = Parsed.getLastArg(options::OPT_x))
    return StringRef(Language->getValue()) == "c";
  return !Program.IsCxx && File.ends_with(".c");
}

std::vector<std::string> argsForClang(const HostProgram &Program,
                                      llvm::ArrayRef<std::string> Args,
                                      StringRef File,
                                      std::vector<std::string> &Dropped) {
  std::vector<std::string> Result =
      commandFor(Program.IsCxx, Program.GccFolder);
  const Standards Fit = !Program.IsGnu             ? Standards::All
                        : isC(Program, Args, File) ? Standards::OfC
                                                   : Standards::OfCxx;
  appendKnown(Result, Args, Fit, Dropped);
  finish(Result, File);
  return Result;
}

std::vector<std::string> argsForNvcc(const NvccCommand &Command, StringRef File,
                                     StringRef Directory, StringRef Toolkit,
                                     IncludeOrder Order,
                                     std::vector<std::string> &Dropped) {
  const bool IsCuda = Command.isCuda(File), IsC = Command.isC(File);
  std::vector<std::string> Result = commandFor(
      /*IsCxx=*/!IsC,
      gccFolderOf(hostCompilerOf(Command.HostCompiler, Directory)));
  appendPreludeArgs(Result, Toolkit, IsCuda);
  for (const std::string &Folder : Command.IncludeFolders)
    if (Order == IncludeOrder::MisleadingLast &&
        mayMisleadClang(Folder, Directory))
      appendLast(Result, Folder);
    else
      Result.push_back("-I" + Folder);
  appendKnown(Result, Command.HostOptions,
              IsC ? Standards::OfC : Standards::OfCxx, Dropped);
  std::string Architectures;
  for (unsigned A : Command.Architectures)
    Architectures += (Architectures.empty() ? "" : ",") + std::to_string(A);
  if (!Architectures.empty())
    Result.push_back("-D__CUDA_ARCH_LIST__=" + Architectures);
  if (IsCuda)
    Result.insert(Result.end(), {"-x", "cuda"});
  else if (!Command.Language.empty())
    Result.insert(Result.end(), {"-x", Command.Language});
  finish(Result, File);
  return Result;
}

} // namespace autoprof::sources
