// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sites and ranges of the loaded modules, by id. Probes look sites up while
// they run (NVTX names, light mode), so a lookup takes no lock: the table uses
// open addressing, holds pointers, and only ever gains entries; when it grows,
// a larger copy is published and the old one stays for concurrent readers.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace autoprof::runtime {

/// One row of AP_TABLE (include/autoprof/probe.h), decoded. Never freed.
struct Site {
  uint64_t Id = 0;
  uint32_t Line = 0;
  bool IsRange = false;  ///< A function's body or a loop's iteration.
  bool IsLoop = false;   ///< A loop's iteration.
  bool IsLaunch = false; ///< A kernel launch.
  std::string File, Function, Callee;
  /// As a person would write it: `cudaMemcpy train.cu:88`, `train_step`,
  /// `train loop at train.cu:80`.
  std::string Label;
  std::atomic<void *> NvtxString{nullptr}; ///< Registered at first use.
  std::atomic<int8_t> Watched{0};          ///< Cached by Window.cpp.
};

/// Returns the site of `Id`, or null. Thread-safe, async-signal-safe.
Site *findSite(uint64_t Id);

/// Adds the rows of one table, except for rows that are malformed or already
/// known. Returns how many were added. One caller at a time.
unsigned addSites(std::string_view Rows);

} // namespace autoprof::runtime
