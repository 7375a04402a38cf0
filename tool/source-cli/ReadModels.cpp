// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source-cli/ReadModels.h"

#include "audit/extract/Extract.h"
#include "source-cli/Answer.h"
#include "source/project/Project.h"

#include "llvm/Support/Path.h"

using namespace autoprof;
using namespace autoprof::sources;

llvm::Expected<Reading> ReadModels::work(const Unit &U,
                                         clang::CompilerInstance &CI) {
  // Paths in a model are relative to the project's root.
  const std::string Root = source::Project::findRoot(
      llvm::sys::path::parent_path(U.File), U.Directory, Database);
  const uint64_t Key = audit::Cache::key(U.Args, U.Directory + '\n' + Root);
  if (std::optional<Reading> Earlier = findReading(Key))
    return std::move(*Earlier);
  Reading Result;
  std::vector<std::string> Read;
  llvm::Expected<audit::TranslationUnit> TU =
      audit::extract(CI, Database, Result.Lost, &Read);
  if (!TU)
    return TU.takeError();
  Result.Bytes = audit::encode(*TU);
  // A header that is missing may appear. Other errors depend on the command
  // and the files that were read.
  if (!Result.Lost.NeedsFiles)
    storeReading(Key, Read, Result);
  return Result;
}

void ReadModels::collect(const Unit &U, Outcome O) {
  report::AuditFile File{U.File, report::AuditFile::Read, "", "", {}};
  std::optional<audit::TranslationUnit> TU;
  if (O.isRead())
    TU = audit::decode(O.Read.Bytes, Functions);
  if (!TU) {
    File.State = report::AuditFile::NotRead;
    File.Error =
        O.isRead() ? "its worker's answer was damaged" : std::move(O.Error);
    File.Missing = std::move(O.Missing);
  } else {
    Units.push_back(std::move(*TU));
    if (O.Class == Outcome::Partly) {
      File.State = report::AuditFile::Partly;
      File.Error = std::move(O.Error);
      File.Missing = std::move(O.Missing);
      File.Functions = std::move(O.Read.Lost.Functions);
    }
  }
  Files.push_back(std::move(File));
}

std::optional<Reading> ReadModels::findReading(uint64_t Key) const {
  const std::optional<std::string> Bytes = Known.find(Key);
  std::optional<Outcome> Earlier = Bytes ? decode(*Bytes) : std::nullopt;
  if (!Earlier)
    return std::nullopt;
  return std::move(Earlier->Read);
}

void ReadModels::storeReading(uint64_t Key, llvm::ArrayRef<std::string> Files,
                              const Reading &Result) const {
  Outcome O;
  O.Class = Result.Lost.Errors ? Outcome::Partly : Outcome::Done;
  O.Error = Result.Lost.First;
  O.Missing = Result.Lost.Missing;
  O.Read = Result;
  Known.store(Key, Files, encode(O));
}
