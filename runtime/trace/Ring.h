// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last bytes of a trace, in two files: one that is being written, and the
// one before it. When the first is half of the limit large it takes the place
// of the other, which is dropped, and a new one is begun. Each can be read
// alone (Trace::repeat), and both together, one behind the other. So after a
// crash the last moments are on disk, and no byte is ever written twice until
// the two are joined at the end.
#ifndef AUTOPROF_RUNTIME_TRACE_RING_H
#define AUTOPROF_RUNTIME_TRACE_RING_H

#include "runtime/trace/Output.h"

namespace autoprof::runtime {

/// Not thread-safe: the flush thread's.
class Ring {
public:
  /// Of `File`, which must live as long, at most `Limit` bytes; 0: all of it.
  Ring(Output &File, uint64_t Limit) : File(File), Limit(Limit) {}

  bool isDue() const {
    return Limit && File.size() >= Limit / 2 && !File.isSpecial();
  }

  /// What is in the file becomes the older half, and the next bytes go into a
  /// new one. False: it could not be created; that was said, and the recording
  /// ends.
  bool turn();

  /// Copies what is kept into a new file, NAME.dump1.EXT or the next number
  /// that is free. Returns its path; "" and a sentence in `Problem` if it could
  /// not be written.
  std::string dump(std::string &Problem);

  /// Joins the halves under the name of the file, which is closed. If that
  /// fails it says where they are.
  void join();

private:
  std::string older() const;

  Output &File;
  const uint64_t Limit;
  bool Turned = false;
};

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_TRACE_RING_H
