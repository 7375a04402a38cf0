// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Selection.h"

#include "audit/Rules.h"
#include "config/Config.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using llvm::Error;
using llvm::StringRef;

namespace autoprof::audit {

/// A glob that names no rule is a mistake, which would be silent.
static Error checkGlobs(StringRef Globs, StringRef Key, StringRef From) {
  llvm::SmallVector<StringRef, 8> Parts;
  llvm::SplitString(Globs, Parts, ",\n");
  for (StringRef Part : Parts) {
    StringRef Glob = Part.trim();
    Glob.consume_front("-");
    if (!Glob.empty() && llvm::none_of(rules(), [&](const Rule &R) {
          return NameGlobs(Glob).contains(R.Name);
        }))
      return llvm::createStringError(
          From + "'" + Glob + "' of '" + Key +
          "' names no rule; see 'autoprof audit --list-checks --checks=*'");
  }
  return Error::success();
}

static Error check(const Choice &C, StringRef From) {
  if (C.Checks)
    if (Error E = checkGlobs(*C.Checks, "checks", From))
      return E;
  if (C.WarningsAsErrors)
    if (Error E = checkGlobs(*C.WarningsAsErrors, "warnings-as-errors", From))
      return E;
  if (C.FailOn && *C.FailOn != "never" && !severityNamed(*C.FailOn))
    return llvm::createStringError(From + "'" + *C.FailOn +
                                   "' of 'fail-on' is not a severity; write "
                                   "high, medium, low, note or never");
  std::string Why;
  if (C.HeaderFilter && !llvm::Regex(*C.HeaderFilter).isValid(Why))
    return llvm::createStringError(From + "'" + *C.HeaderFilter +
                                   "' of 'header-filter' is no regular "
                                   "expression: " +
                                   Why);
  return Error::success();
}

llvm::Expected<Selection> Selection::create(Choice Given, LineFilter Lines) {
  if (Error E = check(Given, ""))
    return std::move(E);
  Selection Result;
  Result.Given = std::move(Given);
  Result.Lines = std::move(Lines);
  return std::move(Result);
}

Selection::Compiled Selection::compile(const Choice &OfFile) const {
  const auto Or = [](const auto &First, const auto &Second) {
    return First ? First : Second;
  };
  const std::optional<std::string> Headers =
      Or(Given.HeaderFilter, OfFile.HeaderFilter);
  // Globs are added, so that the last that fits decides, as in clang-tidy.
  return {NameGlobs("autoprof-*," + OfFile.Checks.value_or("") + "," +
                    Given.Checks.value_or("")),
          NameGlobs(
              Or(Given.WarningsAsErrors, OfFile.WarningsAsErrors).value_or("")),
          Headers ? std::optional<llvm::Regex>(*Headers) : std::nullopt,
          severityNamed(Or(Given.FailOn, OfFile.FailOn).value_or("medium"))};
}

static std::string folderOf(StringRef File) {
  llvm::SmallString<256> Path(llvm::sys::path::parent_path(File));
  llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

Error Selection::load(StringRef File) {
  const std::string Folder = folderOf(File);
  if (ByFolder.count(Folder))
    return Error::success();
  llvm::Expected<Config> Project = loadConfig(Folder);
  if (!Project)
    return Project.takeError();
  const Choice OfFile{Project->AuditChecks, Project->AuditWarningsAsErrors,
                      Project->AuditHeaderFilter, Project->AuditFailOn};
  if (Error E = check(OfFile, findConfigFile(Folder) + ": "))
    return E;
  ByFolder.try_emplace(Folder, compile(OfFile));
  return Error::success();
}

const Selection::Compiled &Selection::of(StringRef File) const {
  auto It = ByFolder.find(folderOf(File));
  assert(It != ByFolder.end() && "load() comes first");
  return It->second;
}

bool Selection::wantsRule(StringRef File, StringRef Rule) const {
  return of(File).Checks.contains(Rule);
}

bool Selection::wantsFile(const Project &P, StringRef File) const {
  return llvm::any_of(P.units(), [&](const TranslationUnit &U) {
    const std::optional<llvm::Regex> &Headers = of(U.MainFile).HeaderFilter;
    return U.MainFile == File ||
           (Headers ? Headers->match(File) : File.starts_with(U.Root));
  });
}

bool Selection::wants(const Project &P, const Finding &F) const {
  return Lines.contains(F.At) && wantsFile(P, F.At.File) &&
         wantsRule(F.At.File, F.Rule);
}

bool Selection::fails(const Finding &F) const {
  const Compiled &C = of(F.At.File);
  return C.FailOn &&
         (F.How >= *C.FailOn || C.WarningsAsErrors.contains(F.Rule));
}

bool Selection::wantsAllLines(StringRef File) const {
  return Lines.containsAll(File);
}

} // namespace autoprof::audit
