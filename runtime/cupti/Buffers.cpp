// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cupti/Buffers.h"

#include "runtime/support/Loss.h"
#include "runtime/support/Memory.h"

#include <atomic>
#include <cstring>
#include <deque>
#include <mutex>
#include <vector>

namespace autoprof::runtime {

namespace {
struct Buffers {
  std::mutex M; // Held for a few instructions; no function is called under it.
  std::vector<uint8_t *> Spare;
  std::deque<ActivityBuffer> Completed;
  std::atomic<bool> Discard{false};
};
} // namespace

// Leaked: CUPTI's threads may come here after the program's destructors.
static Buffers &buffers() {
  static Buffers *B = new Buffers;
  return *B;
}

uint8_t *requestBuffer() {
  Buffers &B = buffers();
  {
    std::lock_guard<std::mutex> Lock(B.M);
    if (!B.Spare.empty()) {
      uint8_t *Data = B.Spare.back();
      B.Spare.pop_back();
      return Data;
    }
  }
  void *Data = allocateBlock(ActivityBufferSize, true);
  if (!Data)
    Lost.BuffersRefused.fetch_add(1, std::memory_order_relaxed);
  return static_cast<uint8_t *>(Data);
}

void completeBuffer(uint8_t *Data, size_t Valid) {
  Buffers &B = buffers();
  if (B.Discard.load())
    return recycle({Data, Valid});
  std::lock_guard<std::mutex> Lock(B.M);
  B.Completed.push_back({Data, Valid});
}

bool takeCompleted(ActivityBuffer &Buffer) {
  Buffers &B = buffers();
  std::lock_guard<std::mutex> Lock(B.M);
  if (B.Completed.empty())
    return false;
  Buffer = B.Completed.front();
  B.Completed.pop_front();
  return true;
}

void recycle(const ActivityBuffer &Buffer) {
  memset(Buffer.Data, 0, Buffer.Valid);
  Buffers &B = buffers();
  std::lock_guard<std::mutex> Lock(B.M);
  B.Spare.push_back(Buffer.Data);
}

void refillBuffers() {
  const size_t Ready = 4;
  Buffers &B = buffers();
  for (;;) {
    {
      std::lock_guard<std::mutex> Lock(B.M);
      if (B.Spare.size() >= Ready)
        return;
    }
    auto *Data =
        static_cast<uint8_t *>(allocateBlock(ActivityBufferSize, true));
    if (!Data)
      return;
    recycle({Data, 0});
  }
}

void discardBuffers() {
  buffers().Discard.store(true);
  for (ActivityBuffer Buffer; takeCompleted(Buffer);)
    recycle(Buffer);
}

} // namespace autoprof::runtime
