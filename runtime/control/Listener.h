// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of `autoprof attach` in the recorded process (LiveSocket.h).
#ifndef AUTOPROF_RUNTIME_CONTROL_LISTENER_H
#define AUTOPROF_RUNTIME_CONTROL_LISTENER_H

#include <atomic>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace autoprof::runtime {

/// Not thread-safe, but for close(): the flush thread's.
class Listener {
public:
  /// On failure says one sentence.
  void open();

  /// Answers those who have asked since the last call: `Answer` gets the word
  /// and returns the line of JSON. Others than the user of this process and
  /// root are refused. A client that dawdles costs 0.1 s.
  void serve(std::string (*Answer)(std::string_view Request));

  /// Async-signal-safe.
  void close();

private:
  bool stillOurs(int Socket) const;

  std::atomic<int> Descriptor{-1};
  dev_t Device = 0;
  ino_t Inode = 0;
};

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_CONTROL_LISTENER_H
