// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "audit/Cache.h"
#include "audit/Model.h"
#include "report/audit/Audit.h"
#include "source-cli/SourceTask.h"

namespace autoprof::sources {

/// Reads each unit into a model; the project is linked once all are read.
class ReadModels : public SourceTask {
public:
  std::vector<audit::TranslationUnit> Units;
  std::vector<report::AuditFile> Files;

  /// `Database`: see source::Project::findRoot().
  ReadModels(audit::Cache Known, std::string Database)
      : Known(std::move(Known)), Database(std::move(Database)) {}

  llvm::Expected<Reading> work(const Unit &U,
                               clang::CompilerInstance &CI) override;
  void collect(const Unit &U, Outcome O) override;

private:
  std::optional<Reading> findReading(uint64_t Key) const;
  void storeReading(uint64_t Key, llvm::ArrayRef<std::string> Files,
                    const Reading &Result) const;

  audit::SharedFunctions Functions;
  const audit::Cache Known;
  const std::string Database;
};

} // namespace autoprof::sources
