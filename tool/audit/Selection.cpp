// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Selection.h"

#include "audit/Finding.h"
#include "config/Config.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using llvm::Error;
using llvm::StringRef;

namespace autoprof::audit {

NameGlobs::NameGlobs(StringRef Text) {
  llvm::SmallVector<StringRef, 8> Parts;
  llvm::SplitString(Text, Parts, ",\n");
  for (StringRef Part : Parts) {
    Part = Part.trim();
    const bool Takes = !Part.consume_front("-");
    if (Part.empty())
      continue;
    std::string Pattern = "^";
    for (char C : Part)
      Pattern += C == '*' ? ".*" : llvm::Regex::escape(StringRef(&C, 1));
    All.push_back({Takes, llvm::Regex(Pattern + "$")});
  }
}

bool NameGlobs::contains(StringRef Name) const {
  bool Result = false;
  for (const Glob &G : All)
    if (G.Pattern.match(Name))
      Result = G.Takes;
  return Result;
}

std::vector<StringRef> unknownRules(StringRef Globs) {
  llvm::SmallVector<StringRef, 8> Parts;
  std::vector<StringRef> Result;
  llvm::SplitString(Globs, Parts, ",\n");
  for (StringRef Glob : Parts) {
    Glob = Glob.trim();
    Glob.consume_front("-");
    if (!Glob.empty() && llvm::none_of(rules(), [&](const Rule &R) {
          return NameGlobs(Glob).contains(R.Name);
        }))
      Result.push_back(Glob);
  }
  return Result;
}

/// "project/.autoprof:3: ": the line of a file on which a text first is; "" if
/// there is no file.
static std::string placeOf(StringRef File, StringRef Text) {
  if (File.empty())
    return "";
  auto Buffer = llvm::MemoryBuffer::getFile(File);
  const size_t Pos =
      Buffer ? (*Buffer)->getBuffer().find(Text) : StringRef::npos;
  if (Pos == StringRef::npos)
    return (File + ": ").str();
  const size_t Line = 1 + (*Buffer)->getBuffer().take_front(Pos).count('\n');
  return (File + ":" + llvm::Twine(Line) + ": ").str();
}

/// A glob that matches no rule is a mistake that would otherwise go unnoticed.
/// `Origin`: the file of the globs, or "" for the command line.
static Error checkGlobs(StringRef Globs, StringRef Key, StringRef Origin) {
  const std::vector<StringRef> Unknown = unknownRules(Globs);
  if (Unknown.empty())
    return Error::success();
  const std::string Nearest = nearestRule(Unknown.front());
  return llvm::createStringError(
      placeOf(Origin, Unknown.front()) + "'" + Unknown.front() + "' of '" +
      Key + "' matches no rule; " +
      (Nearest.empty()
           ? "'autoprof audit --list-checks --checks=*' lists all rules"
           : "did you mean '" + Nearest + "'?"));
}

static Error check(const Choice &C, StringRef Origin) {
  if (C.Checks)
    if (Error E = checkGlobs(*C.Checks, "checks", Origin))
      return E;
  if (C.WarningsAsErrors)
    if (Error E = checkGlobs(*C.WarningsAsErrors, "warnings-as-errors", Origin))
      return E;
  std::string Reason;
  if (C.HeaderFilter && !llvm::Regex(*C.HeaderFilter).isValid(Reason))
    return llvm::createStringError(placeOf(Origin, *C.HeaderFilter) + "'" +
                                   *C.HeaderFilter +
                                   "' of 'header-filter' is not a regular "
                                   "expression: " +
                                   Reason);
  return Error::success();
}

llvm::Expected<Selection> Selection::create(Choice Request) {
  if (Error E = check(Request, ""))
    return std::move(E);
  Selection Result;
  Result.Request = std::move(Request);
  return std::move(Result);
}

Selection::Compiled Selection::compile(const Choice &FileChoice) const {
  const auto FirstOf = [](const auto &First, const auto &Second) {
    return First ? First : Second;
  };
  const std::optional<std::string> Headers =
      FirstOf(Request.HeaderFilter, FileChoice.HeaderFilter);
  // Later globs are appended: the last match decides, as in clang-tidy.
  return {
      NameGlobs("autoprof-*," + FileChoice.Checks.value_or("") + "," +
                Request.Checks.value_or("")),
      NameGlobs(FirstOf(Request.WarningsAsErrors, FileChoice.WarningsAsErrors)
                    .value_or("")),
      Headers ? std::optional<llvm::Regex>(*Headers) : std::nullopt,
      severityNamed(
          FirstOf(Request.FailOn, FileChoice.FailOn).value_or("medium"))};
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
  const Choice FileChoice{Project->AuditChecks, Project->AuditWarningsAsErrors,
                          Project->AuditHeaderFilter, Project->AuditFailOn};
  if (Error E = check(FileChoice, findConfigFile(Folder)))
    return E;
  ByFolder.try_emplace(Folder, compile(FileChoice));
  return Error::success();
}

const Selection::Compiled &Selection::optionsOf(StringRef File) const {
  auto It = ByFolder.find(folderOf(File));
  assert(It != ByFolder.end() && "load() comes first");
  return It->second;
}

bool Selection::wantsRule(StringRef File, StringRef Rule) const {
  return optionsOf(File).Checks.contains(Rule);
}

bool Selection::wantsFile(const Project &P, StringRef File) const {
  return llvm::any_of(P.units(), [&](const TranslationUnit &U) {
    const std::optional<llvm::Regex> &Headers =
        optionsOf(U.MainFile).HeaderFilter;
    return U.MainFile == File ||
           (Headers ? Headers->match(File) : File.starts_with(U.Root));
  });
}

bool Selection::filtersHeaders(StringRef MainFile) const {
  return optionsOf(MainFile).HeaderFilter.has_value();
}

bool Selection::wants(const Project &P, const Finding &F) const {
  return wantsFile(P, F.Location.File) && wantsRule(F.Location.File, F.Rule);
}

bool Selection::fails(const Finding &F) const {
  const Compiled &C = optionsOf(F.Location.File);
  return C.FailOn &&
         (F.Level >= *C.FailOn || C.WarningsAsErrors.contains(F.Rule));
}

bool Selection::mayFail(StringRef File) const {
  return optionsOf(File).FailOn.has_value();
}

} // namespace autoprof::audit
