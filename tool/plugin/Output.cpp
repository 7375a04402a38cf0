// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plugin/Output.h"

#include "source/project/UserFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace autoprof::plugin {

template <typename PlaceT>
static void printPlace(const PlaceT &P, llvm::raw_ostream &OS) {
  OS << P.Location.File << ':' << P.Location.Line << ':' << P.Location.Column
     << ": " << P.Kind;
  if (!P.Callee.empty())
    OS << ' ' << P.Callee;
  if (!P.Function.empty())
    OS << " in " << P.Function;
}

static void printReason(const source::Skipped &S, StringRef Location,
                        llvm::raw_ostream &OS) {
  printPlace(S, OS);
  OS << ": " << Location << ": " << S.Reason << '\n';
}

void printList(const source::Rewriting &R, const source::Rewriting &Text,
               llvm::raw_ostream &OS) {
  for (const source::Site &S : R.Sites) {
    printPlace(S, OS);
    OS << " [" << source::hex(S.Id) << "]\n";
  }
  for (const source::Skipped &S : R.NotInstrumented)
    printReason(S, "not instrumented", OS);
  for (const source::Skipped &S : Text.NotInstrumented)
    if (llvm::none_of(R.NotInstrumented, [&](const source::Skipped &Known) {
          return std::tie(S.Location.File, S.Location.Line, S.Location.Column,
                          S.Callee) ==
                 std::tie(Known.Location.File, Known.Location.Line,
                          Known.Location.Column, Known.Callee);
        }))
      printReason(S, "not in the emitted text", OS);
}

llvm::Error writeFiles(const source::Rewriting &R, StringRef Folder,
                       const clang::FileManager &Files) {
  const source::Project Project(R.Root, std::nullopt, std::nullopt);
  for (const source::EditedFile &F : R.Files) {
    llvm::SmallString<256> Path(Folder);
    llvm::sys::path::append(Path, Project.relative(source::UserFiles::absolute(
                                      F.File.getName(), Files)));
    std::error_code Failure =
        llvm::sys::fs::create_directories(llvm::sys::path::parent_path(Path));
    if (!Failure) {
      llvm::raw_fd_ostream Out(Path, Failure);
      if (!Failure) {
        Out << F.rewritten();
        Out.close();
        Failure = Out.error();
        Out.clear_error();
      }
    }
    if (Failure)
      return llvm::createStringError("cannot write " + Path + ": " +
                                     Failure.message());
  }
  return llvm::Error::success();
}

} // namespace autoprof::plugin
