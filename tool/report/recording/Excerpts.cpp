// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Excerpts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace autoprof;
using namespace autoprof::report;
using llvm::StringRef;

/// Lines before and after the site's.
constexpr unsigned Around = 3;

report::Excerpts::Excerpts(StringRef TracePath) {
  llvm::SmallString<256> WorkingFolder, OfTrace(TracePath);
  llvm::sys::fs::current_path(WorkingFolder);
  llvm::sys::fs::make_absolute(OfTrace);
  for (StringRef Path :
       {StringRef(WorkingFolder), llvm::sys::path::parent_path(OfTrace)})
    for (; !Path.empty(); Path = llvm::sys::path::parent_path(Path))
      if (!llvm::is_contained(Folders, Path))
        Folders.push_back(Path.str());
}

std::string report::Excerpts::find(StringRef File) const {
  if (llvm::sys::path::is_absolute(File))
    return File.str();
  for (const std::string &Folder : Folders) {
    llvm::SmallString<256> Path(Folder);
    llvm::sys::path::append(Path, File);
    if (llvm::sys::fs::is_regular_file(Path))
      return Path.str().str();
  }
  return "";
}

/// The name that is in the source: `reduce` of `thrust::reduce<int>`.
static StringRef plainName(StringRef Call) {
  Call = Call.take_until([](char C) { return C == '<' || C == '('; });
  const size_t Colon = Call.rfind(':');
  return Colon == StringRef::npos ? Call : Call.substr(Colon + 1);
}

Excerpt report::Excerpts::around(const trace::Site &S, StringRef Call) {
  Excerpt Result;
  const std::string Path = S.File.empty() ? "" : find(S.File);
  if (Path.empty() || !S.Line)
    return Result;
  llvm::ArrayRef<StringRef> Lines = Source.lines(Path);
  // If the place is from a recorded stack, the line is the caller's, which may
  // call a wrapper.
  if (S.Line > Lines.size() ||
      (S.Frames.empty() && !Lines[S.Line - 1].contains(plainName(Call))))
    return Result;
  Result.File = S.File;
  Result.First = S.Line > Around ? S.Line - Around : 1;
  for (StringRef Line : Lines.slice(Result.First - 1)
                            .take_front(S.Line + Around + 1 - Result.First))
    Result.Lines.push_back(Line.str());
  Result.Marked = S.Line;
  Result.Why = "waits for the GPU";
  // A stack's columns are used only if its expression was found in the file.
  if (S.Frames.empty() || !S.Expression.empty()) {
    Result.Column = S.Column;
    Result.Length = S.EndLine == S.Line ? S.EndColumn - S.Column + 1 : 0;
  }
  return Result;
}
