// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/Symbols.h"

#include "llvm/DebugInfo/Symbolize/Symbolize.h"
#include "llvm/Support/FileSystem.h"

#include <map>

using namespace autoprof::trace;
using llvm::StringRef;

namespace {

/// Whether the file is still the one that ran.
bool isUnchanged(const Module &M) {
  llvm::sys::fs::file_status Status;
  return !llvm::sys::fs::status(M.Path, Status) &&
         int64_t(Status.getSize()) == M.Bytes &&
         Status.getLastModificationTime().time_since_epoch().count() == M.Time;
}

class FileResolver {
  llvm::symbolize::LLVMSymbolizer Symbolizer;
  std::map<std::string, bool> Usable;

public:
  std::vector<Frame> operator()(const Module &M, uint64_t Offset);
};

std::vector<Frame> FileResolver::operator()(const Module &M, uint64_t Offset) {
  auto [It, IsNew] = Usable.try_emplace(M.Path, false);
  if (IsNew)
    It->second = isUnchanged(M);
  if (!It->second)
    return {};
  auto Found = Symbolizer.symbolizeInlinedCode(
      M.Path, {Offset, llvm::object::SectionedAddress::UndefSection});
  if (!Found) {
    llvm::consumeError(Found.takeError());
    return {};
  }
  auto Known = [](StringRef Text) {
    return Text == llvm::DILineInfo::BadString ? "" : Text.str();
  };
  std::vector<Frame> Frames;
  for (uint32_t I = 0; I < Found->getNumberOfFrames(); ++I) {
    const llvm::DILineInfo &Info = Found->getFrame(I);
    Frame F{Known(Info.FunctionName), Known(Info.FileName), Info.Line};
    if (!F.Function.empty() || F.Line)
      Frames.push_back(std::move(F));
  }
  return Frames;
}

} // namespace

Resolver autoprof::trace::fileResolver() {
  // std::function copies; the symbolizer cannot be copied.
  auto R = std::make_shared<FileResolver>();
  return [R](const Module &M, uint64_t Offset) { return (*R)(M, Offset); };
}
