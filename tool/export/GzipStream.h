// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_EXPORT_GZIPSTREAM_H
#define AUTOPROF_EXPORT_GZIPSTREAM_H

#include "llvm/Support/raw_ostream.h"

#include <zlib.h>

namespace autoprof::exports {

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

} // namespace autoprof::exports

#endif // AUTOPROF_EXPORT_GZIPSTREAM_H
