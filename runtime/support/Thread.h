// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of the recorder. They block all signals: handlers belong to the
// program, and a write to a closed pipe or past a limit must not kill it.
#pragma once

#include <csignal>
#include <pthread.h>

namespace autoprof::runtime {

/// This thread was started by startThread().
inline thread_local bool IsRecorderThread
    __attribute__((tls_model("initial-exec"))) = false;

/// Starts a thread that nobody joins. Returns false if there can be none.
inline bool startThread(void (*Run)()) {
  sigset_t All, Before;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  pthread_attr_t Attributes;
  pthread_attr_init(&Attributes);
  pthread_attr_setdetachstate(&Attributes, PTHREAD_CREATE_DETACHED);
  pthread_t Thread;
  const int Error = pthread_create(
      &Thread, &Attributes,
      [](void *Body) -> void * {
        IsRecorderThread = true;
        reinterpret_cast<void (*)()>(Body)();
        return nullptr;
      },
      reinterpret_cast<void *>(Run));
  pthread_attr_destroy(&Attributes);
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  return Error == 0;
}

} // namespace autoprof::runtime
