// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang's driver, and what differs between its versions: support/LLVMVersion.h
// for programs that link clang. The interface is that of clang 22.
#pragma once

#include "clang/Frontend/CompilerInstance.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <memory>

#if LLVM_VERSION_MAJOR >= 22
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Options/OptionUtils.h"
#include "clang/Options/Options.h"
#else
#include "clang/Driver/Driver.h"
#include "clang/Driver/Options.h"
#include "clang/Frontend/Utils.h"
#endif

namespace autoprof::sources {

#if LLVM_VERSION_MAJOR >= 22
namespace options = clang::options;
using clang::getDriverOptTable;
using clang::GetResourcesPath;
#else
namespace options = clang::driver::options;
using clang::driver::getDriverOptTable;
inline std::string GetResourcesPath(llvm::StringRef Program) {
  return clang::driver::Driver::GetResourcesPath(Program);
}
#endif

using Files = llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>;

/// An engine that reports to `Client`, which it does not own; both must outlive
/// it.
inline llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine>
makeDiagnostics([[maybe_unused]] const Files &VFS,
                clang::DiagnosticOptions &Options,
                clang::DiagnosticConsumer &Client) {
#if LLVM_VERSION_MAJOR >= 22
  return clang::CompilerInstance::createDiagnostics(*VFS, Options, &Client,
                                                    /*ShouldOwnClient=*/false);
#else
  // They are counted there, and the engine keeps them.
  return clang::CompilerInstance::createDiagnostics(
      new clang::DiagnosticOptions(Options), &Client,
      /*ShouldOwnClient=*/false);
#endif
}

/// A compiler that reads from `VFS` and reports nothing.
inline std::unique_ptr<clang::CompilerInstance>
makeInstance(std::shared_ptr<clang::CompilerInvocation> Invocation,
             const Files &VFS) {
#if LLVM_VERSION_MAJOR >= 22
  auto CI = std::make_unique<clang::CompilerInstance>(std::move(Invocation));
  CI->setVirtualFileSystem(VFS);
  CI->createFileManager();
#else
  auto CI = std::make_unique<clang::CompilerInstance>();
  CI->setInvocation(std::move(Invocation));
  CI->createFileManager(VFS);
#endif
  CI->createDiagnostics(new clang::IgnoringDiagConsumer);
  return CI;
}

} // namespace autoprof::sources
