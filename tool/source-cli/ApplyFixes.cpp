// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source-cli/ApplyFixes.h"

#include "clang/Tooling/Core/Replacement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace clang::tooling;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace autoprof::sources {

namespace {

using Edits = std::map<std::string, Replacements>; ///< Indexed by file.

/// One fix may be that of several findings: of each loop in which a call waits.
llvm::Error add(const audit::Finding &F, Edits &To) {
  for (const audit::FixIt &Fix : F.FixIts) {
    const Replacement One(Fix.Extent.Begin.File, Fix.Extent.Begin.Offset,
                          Fix.Extent.Length, Fix.Text);
    Replacements &Known = To[Fix.Extent.Begin.File];
    if (!llvm::is_contained(Known, One))
      if (llvm::Error E = Known.add(One))
        return E;
  }
  return llvm::Error::success();
}

std::string nameOf(const audit::Finding &F, const audit::Project &P) {
  return F.Rule + " at " + P.shownPath(F.Location) + ":" +
         std::to_string(F.Location.Line);
}

/// Whether only the macro around the call prevents its fix.
bool isInMacro(const audit::Finding &F) {
  return F.Rule == "autoprof-sync-repeated" && F.Site &&
         !F.Site->Model->Macro.empty();
}

/// The first of `Earlier` that conflicts with `F`.
const audit::Finding *
conflictOf(const audit::Finding &F,
           llvm::ArrayRef<const audit::Finding *> Earlier) {
  for (const audit::Finding *Other : Earlier) {
    Edits Both;
    llvm::cantFail(add(*Other, Both)); // This succeeded before.
    if (llvm::Error E = add(F, Both)) {
      llvm::consumeError(std::move(E));
      return Other;
    }
  }
  return nullptr;
}

llvm::Error replaceFile(StringRef Path, const Replacements &Changes) {
  const auto Fail = [&](std::error_code E) {
    return llvm::createStringError("cannot fix '" + Path + "': " + E.message());
  };
  llvm::SmallString<256> Real;
  if (std::error_code E = fs::real_path(Path, Real))
    return Fail(E);
  auto Text = llvm::MemoryBuffer::getFile(Real);
  if (!Text)
    return Fail(Text.getError());
  llvm::ErrorOr<fs::perms> Known = fs::getPermissions(Real);
  if (!Known)
    return Fail(Known.getError());
  // Renaming another file over it would need no permission to write it.
  if (std::error_code E = fs::access(Real, fs::AccessMode::Write))
    return Fail(E);
  llvm::Expected<std::string> New =
      applyAllReplacements((*Text)->getBuffer(), Changes);
  if (!New)
    return New.takeError();
  llvm::Expected<fs::TempFile> Temporary =
      fs::TempFile::create(Real + ".%%%%%%", *Known);
  if (!Temporary)
    return Temporary.takeError();
  llvm::raw_fd_ostream OS(Temporary->FD, /*shouldClose=*/false);
  OS << *New;
  OS.flush();
  fs::setPermissions(Temporary->FD, *Known); // Undoes the effect of the umask.
  if (OS.has_error()) {
    const std::error_code E = OS.error();
    OS.clear_error();
    llvm::consumeError(Temporary->discard());
    return Fail(E);
  }
  return Temporary->keep(Real);
}

} // namespace

llvm::Expected<AppliedFixes> applyFixes(const report::Audit &A) {
  AppliedFixes Result;
  Edits All;
  std::vector<const audit::Finding *> Added;
  for (const audit::Finding &F : A.Findings) {
    if (F.FixIts.empty()) {
      ++(isInMacro(F) ? Result.InMacros : Result.Others);
      continue;
    }
    if (const audit::Finding *Other = conflictOf(F, Added)) {
      Result.Refused.push_back("the fix of " + nameOf(F, A.P) +
                               " overlaps that of " + nameOf(*Other, A.P) +
                               "; run it again");
      continue;
    }
    if (llvm::Error E = add(F, All))
      return std::move(E);
    Added.push_back(&F);
    Result.Fixed.insert(&F);
    Result.Done.push_back(nameOf(F, A.P));
  }
  for (const auto &[Path, Changes] : All) {
    if (llvm::Error E = replaceFile(Path, Changes))
      return std::move(E);
    ++Result.Files;
  }
  return Result;
}

} // namespace autoprof::sources
