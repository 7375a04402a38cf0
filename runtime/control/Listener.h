// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recorded process's end of `autoprof attach` (LiveSocket.h).
#pragma once

#include "runtime/support/OwnDescriptor.h"

#include <string>
#include <string_view>

namespace autoprof::runtime {

/// Owned by the flush thread. Not thread-safe, except for close().
class Listener {
public:
  /// On failure prints one sentence.
  void open();

  /// Answers the clients that have connected since the last call: `Answer` gets
  /// the word and returns the line of JSON. Only the user of this process and
  /// root may ask. A client that is slow to write costs at most 0.1 s.
  void serve(std::string (*Answer)(std::string_view Request));

  /// Async-signal-safe.
  void close() { Socket.close(); }

private:
  OwnDescriptor Socket;
};

} // namespace autoprof::runtime
