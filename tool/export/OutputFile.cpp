// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "export/OutputFile.h"

#include "llvm/Support/ErrorHandling.h"

#include <zlib.h>

using namespace autoprof::exports;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {

/// Packs what is written to it into `Target`, which must outlive it. The file
/// is whole when it is destroyed.
class GzipStream : public llvm::raw_ostream {
  llvm::raw_ostream &Target;
  z_stream Z{};
  uint64_t Position = 0;

  void pack(const char *Bytes, size_t Size, int Flush);
  void write_impl(const char *Bytes, size_t Size) override;
  uint64_t current_pos() const override { return Position; }

public:
  explicit GzipStream(llvm::raw_ostream &Target);
  ~GzipStream() override;
};

GzipStream::GzipStream(llvm::raw_ostream &Target) : Target(Target) {
  // Level 1: packing is slower than all the rest, and traces pack well.
  // 31: the largest window, with gzip's header.
  if (deflateInit2(&Z, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    llvm::report_bad_alloc_error("zlib is out of memory");
  SetBufferSize(1 << 16);
}

GzipStream::~GzipStream() {
  flush();
  pack(nullptr, 0, Z_FINISH);
  deflateEnd(&Z);
}

void GzipStream::write_impl(const char *Bytes, size_t Size) {
  Position += Size;
  pack(Bytes, Size, Z_NO_FLUSH);
}

void GzipStream::pack(const char *Bytes, size_t Size, int Flush) {
  Z.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(Bytes));
  Z.avail_in = Size;
  do {
    char Chunk[1 << 16];
    Z.next_out = reinterpret_cast<Bytef *>(Chunk);
    Z.avail_out = sizeof(Chunk);
    deflate(&Z, Flush);
    Target.write(Chunk, sizeof(Chunk) - Z.avail_out);
  } while (!Z.avail_out);
}

llvm::Error failure(StringRef Path, const std::string &Reason) {
  return llvm::createStringError("cannot write '" + Path + "': " + Reason);
}

/// The target of a name: follows symbolic links, so that these stay.
std::string target(StringRef Path) {
  llvm::SmallString<256> Real;
  return fs::real_path(Path, Real) ? Path.str() : Real.str().str();
}

bool isDevice(StringRef Path) {
  fs::file_status Status;
  return Path == "-" ||
         (!fs::status(Path, Status) && fs::exists(Status) &&
          !fs::is_regular_file(Status) && !fs::is_directory(Status));
}

} // namespace

llvm::Expected<OutputFile> OutputFile::create(StringRef Path) {
  OutputFile Result;
  if (isDevice(Path)) {
    std::error_code E;
    Result.Path = Path.str();
    Result.Plain = std::make_unique<llvm::raw_fd_ostream>(Path, E);
    if (E)
      return failure(Path, E.message());
  } else {
    Result.Path = target(Path);
    if (fs::is_directory(Result.Path))
      return failure(Path, "it is a directory");
    llvm::Expected<fs::TempFile> File =
        fs::TempFile::create(Result.Path + ".%%%%%%.tmp");
    if (!File)
      return failure(Path, llvm::toString(File.takeError()));
    Result.Temporary.emplace(std::move(*File));
    Result.Plain = std::make_unique<llvm::raw_fd_ostream>(
        Result.Temporary->FD, /*shouldClose=*/false);
  }
  Result.Plain->SetBufferSize(1 << 18);
  if (Path.ends_with(".gz"))
    Result.Packed = std::make_unique<GzipStream>(*Result.Plain);
  return Result;
}

llvm::Error OutputFile::commit() {
  Packed.reset();
  if (Plain) {
    Plain->flush();
    std::error_code E = Plain->error();
    Plain->clear_error();
    if (E)
      return failure(Path, E.message());
    Plain.reset();
  }
  if (!Temporary)
    return llvm::Error::success();
  llvm::Error E = Temporary->keep(Path);
  Temporary.reset();
  return E ? failure(Path, llvm::toString(std::move(E)))
           : llvm::Error::success();
}

OutputFile::~OutputFile() {
  Packed.reset();
  if (Plain) // A caller that did not commit already has an error to report.
    Plain->clear_error();
  Plain.reset();
  if (Temporary)
    llvm::consumeError(Temporary->discard());
}
