// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/Load.h"

#include "trace/Readers.h"
#include "trace/input/AvailableMemory.h"
#include "trace/timeline/PartOf.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace autoprof::trace;
using llvm::StringRef;

namespace {

llvm::Error failure(StringRef Path, const llvm::Twine &Reason) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "cannot read '" + Path + "': " + Reason);
}

llvm::Error failure(StringRef Path, llvm::Error Reason) {
  const std::string Prefix = ("cannot read '" + Path + "': ").str();
  return Reason.isA<TooLarge>()
             ? autoprof::prefixed<Selection>(Prefix, std::move(Reason))
             : autoprof::prefixed<Format>(Prefix, std::move(Reason));
}

/// In this order; the last one takes what is left.
const Format *const Formats[] = {&KinetoFormat, &NsysFormat, &PftraceFormat};

/// What reading and analyzing take for one event (docs/performance.md), rounded
/// up.
constexpr uint64_t BytesAnEvent = 70;

/// Not everything that was selected was kept.
llvm::Error tooMany(StringRef Path, const Timeline &T, uint64_t Available) {
  const uint64_t Events = T.Host.size() + T.Ops.size() + T.Unread.EventsTooMany;
  return failure(Path,
                 llvm::make_error<TooLarge>(
                     (T.Part ? "the window" : "it") + llvm::Twine(" has ") +
                     llvm::Twine(Events / 1'000'000) +
                     " million events, and analyzing them takes about " +
                     gigabytes(Events * BytesAnEvent) +
                     " of memory, of which this machine has " +
                     gigabytes(Available) + " left; " +
                     (T.Part ? "give a shorter --window" : PartInstead)));
}

/// Reads the file once.
llvm::Expected<Timeline> read(StringRef Path, const LoadOptions &Options,
                              const Selection &Select) {
  llvm::Expected<TraceFile> File = TraceFile::open(Path);
  if (!File)
    return failure(Path, File.takeError());
  const Format *Chosen = *llvm::find_if(
      Formats, [&File](const Format *F) { return F->Recognises(*File); });
  llvm::Expected<Timeline> T =
      Chosen->Read(*File, {Options.Pid, Options.Progress, Select});
  if (!T)
    return failure(Path, T.takeError());
  return T;
}

/// Reads what was selected, or reports that it does not fit into memory.
llvm::Expected<Timeline> readWithin(StringRef Path, const LoadOptions &Options,
                                    Selection Select) {
  const uint64_t Available = availableMemory();
  if (Available)
    Select.MaxEvents = Available / BytesAnEvent;
  llvm::Expected<Timeline> T = read(Path, Options, Select);
  if (T && T->Unread.EventsTooMany)
    return tooMany(Path, *T, Available);
  return T;
}

/// Says which part the timeline is.
llvm::Expected<Timeline> named(Timeline T, StringRef Path,
                               const WindowRequest &Asked) {
  T.Part->Asked = Asked.text().str();
  if (T.Recorded.List.empty() || !(T.Host.size() + T.Ops.size()))
    return failure(Path, "nothing was recorded in --window=" + Asked.text());
  return T;
}

/// The beginning and the end of the recording must be known first, because a
/// file is not in order.
llvm::Expected<Timeline> readWindow(StringRef Path,
                                    const LoadOptions &Options) {
  if (!llvm::sys::fs::is_regular_file(Path))
    return failure(Path, "the whole does not fit into memory, and --window "
                         "reads the input again, so it must be a regular file");
  Selection Select;
  Select.Keep = Window{0, 0};
  llvm::Expected<Timeline> Empty =
      read(Path, {Options.Pid, nullptr, std::nullopt}, Select);
  if (!Empty)
    return Empty;
  llvm::Expected<Window> Keep = Options.Part->in(Empty->Part->Whole);
  if (!Keep)
    return failure(Path, Keep.takeError());
  Select.Keep = *Keep;
  llvm::Expected<Timeline> T = readWithin(Path, Options, Select);
  return T ? named(std::move(*T), Path, *Options.Part) : std::move(T);
}

} // namespace

llvm::Expected<Timeline> autoprof::trace::load(StringRef Path,
                                               const LoadOptions &Options) {
  return Options.Part ? readWindow(Path, Options)
                      : readWithin(Path, Options, {});
}

llvm::Expected<Timeline> autoprof::trace::cut(const Timeline &Whole,
                                              const WindowRequest &Asked,
                                              StringRef Path) {
  llvm::Expected<Window> Keep = Asked.in({Whole.begin(), Whole.end()});
  if (!Keep)
    return failure(Path, Keep.takeError());
  return named(partOf(Whole, *Keep), Path, Asked);
}

Survey autoprof::trace::survey(StringRef Path) {
  Selection Nothing;
  Nothing.Keep = Window{0, 0};
  Survey Result;
  llvm::Expected<Timeline> T = read(Path, {}, Nothing);
  if (!T) {
    llvm::consumeError(T.takeError());
    return Result;
  }
  Result.Pid = T->Info.Pid;
  Result.Rank = T->Info.Rank;
  Result.HasCupti = T->Info.CuptiState == "ok" && T->Info.Mode != "light";
  Result.Operations = T->Ops.size() + T->Part->Operations;
  return Result;
}

bool autoprof::trace::isReplaceable(StringRef Path) {
  uint64_t Size;
  if (llvm::sys::fs::file_size(Path, Size))
    return false;
  if (!Size)
    return true;
  // The first packets of a trace identify its writer.
  auto Start = llvm::MemoryBuffer::getFileSlice(
      Path, std::min<uint64_t>(Size, 1 << 16), 0);
  return Start && (*Start)->getBuffer().starts_with("\x0a") &&
         (*Start)->getBuffer().contains("autoprof-trace/");
}
