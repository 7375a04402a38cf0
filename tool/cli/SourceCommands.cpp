// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The subcommands that read sources. They need clang, which this program must
// not depend on, so autoprof-source (tool/source-cli) implements them.
#include "cli/AuditPrices.h"
#include "cli/SubCommands.h"
#include "commands/Commands.h"
#include "support/Launch.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {

/// autoprof-source next to this program.
llvm::Expected<std::string> findReader() {
  llvm::SmallString<256> Path;
  if (std::error_code E = fs::real_path("/proc/self/exe", Path))
    return llvm::createStringError("cannot find its own folder: " +
                                   E.message());
  llvm::sys::path::remove_filename(Path);
  llvm::sys::path::append(Path, "autoprof-source");
  if (!fs::exists(Path))
    return llvm::createStringError(
        "this command reads sources, for which '" + Path +
        "' is missing; build or install autoprof as a whole");
  return Path.str().str();
}

int runReader(StringRef Name, std::vector<std::string> Args) {
  llvm::Expected<std::string> Reader = findReader();
  if (!Reader)
    return fail(llvm::toString(Reader.takeError()));
  std::vector<std::string> Command{*Reader, Name.str()};
  llvm::append_range(Command, Args);
  llvm::Expected<int> Code = launch(*Reader, Command);
  if (!Code)
    return fail(llvm::toString(Code.takeError()));
  // The exit code of the dynamic loader, which has reported what is missing.
  if (*Code == 127)
    return fail("'" + *Reader +
                "' cannot start; install clang 22 (libclang-cpp22)");
  return *Code;
}

std::vector<std::string> strings(llvm::ArrayRef<StringRef> Args) {
  return std::vector<std::string>(Args.begin(), Args.end());
}

/// Traces are read here, and sources there.
int runAudit(llvm::ArrayRef<StringRef> Args) {
  llvm::Expected<std::vector<std::string>> Priced = priceArguments(Args);
  if (!Priced)
    return fail(llvm::toString(Priced.takeError()));
  return runReader("audit", std::move(*Priced));
}

} // namespace

const Command cli::RewriteCommand = {
    commands::Rewrite, [](llvm::ArrayRef<StringRef> Args) {
      return runReader("rewrite", strings(Args));
    }};

const Command cli::SourcesCommand = {
    commands::Sources, [](llvm::ArrayRef<StringRef> Args) {
      return runReader("sources", strings(Args));
    }};

const Command cli::AuditCommand = {commands::Audit, runAudit};
