// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The differences between the versions of LLVM and clang that autoprof is built
// with (22 and 19). The interface is that of LLVM 22; this
// file supplies what older versions lack. No other file checks the version,
// except for messages that name it.
//
// What concerns clang is a template or a macro, so that programs without clang
// can include this header.
#ifndef AUTOPROF_SUPPORT_LLVMVERSION_H
#define AUTOPROF_SUPPORT_LLVMVERSION_H

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>

/// Whether clang passes OpenACC's routines to consumers.
#define AUTOPROF_HAS_OPENACC_ROUTINES (LLVM_VERSION_MAJOR >= 22)

namespace autoprof {

#if LLVM_VERSION_MAJOR >= 22
using llvm::scope_exit;
using llvm::StringSwitch;
#else
template <typename Callable>
class scope_exit : public llvm::detail::scope_exit<Callable> {
public:
  explicit scope_exit(Callable F)
      : llvm::detail::scope_exit<Callable>(std::move(F)) {}
};

/// llvm::StringSwitch takes the strings of Cases as separate arguments there.
template <typename T> class StringSwitch {
  llvm::StringRef Text;
  std::optional<T> Result;

public:
  explicit StringSwitch(llvm::StringRef Text) : Text(Text) {}

  StringSwitch &Case(llvm::StringLiteral Name, T Value) {
    return Cases({Name}, std::move(Value));
  }
  StringSwitch &Cases(std::initializer_list<llvm::StringLiteral> Names,
                      T Value) {
    for (llvm::StringRef Name : Names)
      if (!Result && Name == Text)
        Result = std::move(Value);
    return *this;
  }
  StringSwitch &StartsWith(llvm::StringLiteral Prefix, T Value) {
    if (!Result && Text.starts_with(Prefix))
      Result = std::move(Value);
    return *this;
  }
  [[nodiscard]] T Default(T Value) {
    return Result ? std::move(*Result) : std::move(Value);
  }
};
#endif

/// Puts `Folder` before a relative `Path`.
inline void makeAbsolute(llvm::StringRef Folder,
                         llvm::SmallVectorImpl<char> &Path) {
#if LLVM_VERSION_MAJOR >= 22
  llvm::sys::path::make_absolute(Folder, Path);
#else
  llvm::sys::fs::make_absolute(Folder, Path);
#endif
}

/// A compiler for `Given` that looks files up through `Outer`.
template <typename Compiler, typename Invocation>
std::unique_ptr<Compiler> makeNested(Compiler &Outer,
                                     std::shared_ptr<Invocation> Given) {
#if LLVM_VERSION_MAJOR >= 22
  auto Nested = std::make_unique<Compiler>(std::move(Given),
                                           Outer.getPCHContainerOperations());
  Nested->setVirtualFileSystem(Outer.getVirtualFileSystemPtr());
  Nested->setFileManager(Outer.getFileManagerPtr());
#else
  auto Nested = std::make_unique<Compiler>(Outer.getPCHContainerOperations());
  Nested->setInvocation(std::move(Given));
  Nested->setFileManager(&Outer.getFileManager());
#endif
  return Nested;
}

/// Makes `File` a dependency (-MD) of what `CI` compiles.
template <typename Compiler>
void addDependency(Compiler &CI, llvm::StringRef File) {
#if LLVM_VERSION_MAJOR >= 22
  for (const auto &Collector : CI.getDependencyCollectors())
    Collector->maybeAddDependency(File, /*FromModule=*/false,
                                  /*IsSystem=*/false, /*IsModuleFile=*/false,
                                  /*IsMissing=*/false);
#else
  // The collectors are not accessible, but they react to __has_include.
  const auto &SM = CI.getSourceManager();
  CI.getPreprocessor().getPPCallbacks()->HasInclude(
      SM.getLocForStartOfFile(SM.getMainFileID()), File, /*IsAngled=*/false,
      CI.getFileManager().getOptionalFileRef(File), {});
#endif
}

} // namespace autoprof
#endif
