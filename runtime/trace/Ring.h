// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last bytes of a trace, in two files: the one that is being written, and
// the previous one. When the current file reaches half of the limit, it
// replaces the previous one, which is deleted, and a new file is started. Each
// can be read alone (Trace::repeat), and both concatenated. So after a crash
// the last moments are on disk, and no byte is written twice until the two are
// joined at the end.
#pragma once

#include "runtime/trace/Output.h"

namespace autoprof::runtime {

/// Owned by the flush thread. Not thread-safe.
class Ring {
public:
  /// Keeps at most `Limit` bytes of `File`, which must outlive the ring; 0: all
  /// of it.
  Ring(Output &File, uint64_t Limit) : File(File), Limit(Limit) {}

  bool isDue() const {
    return Limit && File.size() >= Limit / 2 && !File.isSpecial();
  }

  /// The current file becomes the older half, and the next bytes go into a new
  /// file. Returns false if that could not be created; this was reported, and
  /// the recording ends.
  bool turn();

  /// Copies the contents into a new file, NAME.dump1.EXT or the next free
  /// number. Returns its path; "" and a sentence in `Problem` if it could not
  /// be written.
  std::string dump(std::string &Problem);

  /// Joins the halves under the name of the file, which must be closed. If that
  /// fails, prints where they are.
  void join();

private:
  std::string older() const;

  Output &File;
  const uint64_t Limit;
  bool Turned = false;
};

} // namespace autoprof::runtime
