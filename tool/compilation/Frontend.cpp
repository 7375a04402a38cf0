// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compilation/Frontend.h"

#include "compilation/ClangVersion.h"
#include "compilation/Prelude.h"
#include "source/ast/ErrorLog.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace clang;

namespace autoprof::sources {

/// Adds gcc's own headers after all others, for those that clang lacks (omp.h).
/// They are in the folder from which clang found libstdc++.
static void addGccHeaders(HeaderSearchOptions &Headers) {
  std::string Folder;
  for (const HeaderSearchOptions::Entry &E : Headers.UserEntries)
    if (size_t Pos = E.Path.find("/../../../../include/c++");
        Pos != std::string::npos && Folder.empty())
      Folder = E.Path.substr(0, Pos) + "/include";
  if (llvm::sys::fs::is_directory(Folder))
    Headers.AddPath(Folder, frontend::After, /*IsFramework=*/false,
                    /*IgnoreSysRoot=*/true);
}

llvm::Expected<std::unique_ptr<CompilerInstance>> makeCompiler(const Unit &U) {
  std::vector<const char *> Args;
  for (const std::string &A : U.Args)
    Args.push_back(A.c_str());

  CreateInvocationOptions Options;
  Options.VFS = U.WrittenFor == Compiler::Nvcc ? filesForClang(U.Args)
                                               : llvm::vfs::getRealFileSystem();
  DiagnosticOptions DiagOptions;
  source::ErrorLog Errors;
  Options.Diags = makeDiagnostics(Options.VFS, DiagOptions, Errors);
  // Most errors of the driver do not matter for reading.
  Options.RecoverOnError = true;
  std::shared_ptr<CompilerInvocation> Invocation =
      createInvocation(Args, Options);
  if (!Invocation || Invocation->getFrontendOpts().Inputs.empty())
    return llvm::createStringError(
        Errors.All.empty() ? "clang cannot make sense of its command"
                           : Errors.All.front().Text);
  if (U.WrittenFor != Compiler::Clang)
    addGccHeaders(Invocation->getHeaderSearchOpts());
  FrontendOptions &Frontend = Invocation->getFrontendOpts();
  Frontend.ProgramAction = frontend::ParseSyntaxOnly;
  Frontend.Plugins.clear();
  Frontend.AddPluginActions.clear();
  Frontend.DisableFree = true; // The worker ends with the compiler.
  return makeInstance(std::move(Invocation), Options.VFS);
}

} // namespace autoprof::sources
