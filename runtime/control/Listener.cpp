// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/control/Listener.h"

#include "runtime/protocol/LiveSocket.h"
#include "runtime/support/Log.h"

#include <cerrno>
#include <cstring>
#include <poll.h>
#include <unistd.h>

namespace autoprof::runtime {

static constexpr int PatienceMs = 100;
static constexpr int MostAtOnce = 8; // Clients served per call.

void Listener::open() {
  const int Opened =
      socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  sockaddr_un Address;
  socklen_t Size = liveSocketAddress(getpid(), Address);
  if (Opened >= 0 &&
      bind(Opened, reinterpret_cast<sockaddr *>(&Address), Size) == 0 &&
      listen(Opened, MostAtOnce) == 0)
    return Socket.adopt(Opened);
  warn("this process cannot be attached to: %s", strerror(errno));
  if (Opened >= 0)
    ::close(Opened);
}

static bool mayAsk(int Client) {
  ucred Peer;
  return readPeer(Client, Peer) && (Peer.uid == geteuid() || Peer.uid == 0);
}

// Reads up to the newline; returns "" if none arrives.
static std::string_view readRequest(int Client, char *Buffer, size_t Room) {
  size_t Size = 0;
  while (Size < Room) {
    pollfd Ready = {Client, POLLIN, 0};
    if (poll(&Ready, 1, PatienceMs) != 1)
      return {};
    ssize_t Got = recv(Client, Buffer + Size, Room - Size, 0);
    if (Got <= 0)
      return {};
    Size += static_cast<size_t>(Got);
    if (const void *End = memchr(Buffer, '\n', Size))
      return {Buffer,
              static_cast<size_t>(static_cast<const char *>(End) - Buffer)};
  }
  return {};
}

static void answer(int Client, std::string (*Answer)(std::string_view)) {
  char Buffer[LiveRequestSize];
  std::string_view Request = readRequest(Client, Buffer, sizeof Buffer);
  if (Request.empty())
    return;
  std::string Line = Answer(Request) + "\n";
  // The answer fits the socket's buffer; if nobody reads it, it is lost.
  send(Client, Line.data(), Line.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

void Listener::serve(std::string (*Answer)(std::string_view Request)) {
  if (Socket.number() < 0)
    return;
  if (!Socket.isStillOurs())
    return Socket.forget();
  for (int I = 0; I < MostAtOnce; ++I) {
    int Client = accept4(Socket.number(), nullptr, nullptr, SOCK_CLOEXEC);
    if (Client < 0)
      return;
    if (mayAsk(Client))
      answer(Client, Answer);
    ::close(Client);
  }
}

} // namespace autoprof::runtime
