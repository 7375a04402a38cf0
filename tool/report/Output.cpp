// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Output.h"

#include "llvm/Support/FileSystem.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::support;

namespace {

/// The least that --max-chars takes.
constexpr size_t LeastBytes = 1000;

/// What the user asks for in COLUMNS; nullopt: nothing, or nothing sensible.
std::optional<unsigned> askedWidth() {
  const char *Columns = std::getenv("COLUMNS");
  unsigned Width;
  if (!Columns || llvm::StringRef(Columns).getAsInteger(10, Width) ||
      Width < 60 || Width > 400)
    return std::nullopt;
  return Width;
}

unsigned terminalWidth() {
  winsize Size;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &Size) || !Size.ws_col)
    return 100;
  return std::clamp<unsigned>(Size.ws_col, 80, 120);
}

} // namespace

llvm::Error Output::finish() {
  if (!File)
    return llvm::Error::success(); // main() checks standard output.
  auto &Stream = static_cast<llvm::raw_fd_ostream &>(*File);
  Stream.close();
  if (!Stream.has_error())
    return llvm::Error::success();
  std::string Reason = Stream.error().message();
  Stream.clear_error();
  return llvm::createStringError("cannot write the output: " + Reason);
}

static llvm::Error readMaxChars(const Arguments &Args, Output &Out) {
  if (!Args.has("max-chars"))
    return llvm::Error::success();
  if (Out.Format != "markdown")
    return llvm::createStringError("--max-chars needs --format=markdown");
  const std::string Text = Args.get("max-chars");
  if (llvm::StringRef(Text).getAsInteger(10, Out.Style.MaxBytes) ||
      Out.Style.MaxBytes < LeastBytes)
    return llvm::createStringError("--max-chars takes a number of at least " +
                                   llvm::Twine(LeastBytes) + ", not '" + Text +
                                   "'");
  return llvm::Error::success();
}

llvm::Expected<Output> report::openOutput(const Arguments &Args) {
  Output Result;
  Result.Format = Args.get("format", "terminal");
  if (llvm::Error E = readMaxChars(Args, Result))
    return std::move(E);

  std::string Color = Args.get("color", "auto");
  const char *NoColor = std::getenv("NO_COLOR");
  bool ToTerminal = !Args.has("output") && isatty(STDOUT_FILENO);
  if (Result.Format == "html" && ToTerminal)
    return llvm::createStringError(
        "a page is for a browser; name a file with -o");
  Result.Style.Color = Color == "always" || (Color == "auto" && ToTerminal &&
                                             !(NoColor && *NoColor));
  Result.Style.All = Args.has("all") || Args.has("details");
  Result.Style.ByShape = Args.has("by-shape");
  Result.Style.Profile = Args.has("profile") || Result.Style.ByShape;
  if (std::optional<unsigned> Asked = askedWidth())
    Result.Style.Width = *Asked;
  else if (ToTerminal)
    Result.Style.Width = terminalWidth();

  if (Args.has("output")) {
    for (const std::string &Input : Args.Positional)
      if (llvm::sys::fs::equivalent(Input, Args.get("output")))
        return llvm::createStringError("-o names the input '" + Input +
                                       "' itself; choose another file");
    std::error_code E;
    Result.File = std::make_unique<llvm::raw_fd_ostream>(Args.get("output"), E);
    if (E)
      return llvm::createStringError("cannot write '" + Args.get("output") +
                                     "': " + E.message());
  }
  return Result;
}
