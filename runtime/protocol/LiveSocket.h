// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The socket on which a recorded process listens for `autoprof attach`, for
// both sides: a Unix stream socket in the abstract namespace. It has no file,
// so a process that is killed leaves nothing behind, and nobody can block the
// name with a file in /tmp. Who may use it is decided by the credentials of the
// two processes, which the kernel vouches for (SO_PEERCRED).
//
// A client writes one word and a newline: start, stop, status or dump. The
// answer is one line of JSON, {"ok":true,...} or {"ok":false,"error":"..."},
// and the connection is closed.
#pragma once

#include <cstddef>
#include <cstdio>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>

namespace autoprof::runtime {

/// The process id follows this prefix.
constexpr const char *LiveSocketPrefix = "autoprof-";

/// The longest request, with its newline.
constexpr size_t LiveRequestSize = 32;

/// Fills in `Address`; returns its size.
inline socklen_t liveSocketAddress(pid_t Process, sockaddr_un &Address) {
  Address = {};
  Address.sun_family = AF_UNIX;
  // sun_path[0] stays 0: an abstract name is the bytes after it, without a
  // terminator.
  int Length = snprintf(Address.sun_path + 1, sizeof Address.sun_path - 1,
                        "%s%d", LiveSocketPrefix, static_cast<int>(Process));
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 +
                                static_cast<size_t>(Length));
}

/// The credentials of the process at the other end. Returns false if they are
/// not available.
inline bool readPeer(int Socket, ucred &Peer) {
  socklen_t Size = sizeof Peer;
  return getsockopt(Socket, SOL_SOCKET, SO_PEERCRED, &Peer, &Size) == 0;
}

} // namespace autoprof::runtime
