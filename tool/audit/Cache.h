// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models of translation units that were read before. An entry is valid for one
// build of autoprof, one command, and the contents of all files that were read;
// if anything differs, the entry is ignored.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace autoprof::audit {

/// Safe to use from several processes at once: entries appear atomically, and
/// an entry that another process removes counts as missing.
class Cache {
  std::string Folder; ///< "" if there is no cache.
  uint64_t MaxBytes;

public:
  /// Enough for some 6,000 translation units.
  static constexpr uint64_t DefaultMaxBytes = uint64_t(256) << 20;

  /// Creates nothing until something is stored.
  explicit Cache(std::string Folder, uint64_t MaxBytes = DefaultMaxBytes)
      : Folder(std::move(Folder)), MaxBytes(MaxBytes) {}

  /// Returns <the user's cache folder>/autoprof/audit, or "".
  static std::string defaultFolder();

  /// Identifies a command: a hash of its arguments, its folder, and this
  /// program.
  static uint64_t key(llvm::ArrayRef<std::string> Args,
                      llvm::StringRef Directory);

  /// Returns the stored bytes if all files are unchanged.
  std::optional<std::string> find(uint64_t Key) const;

  /// `Files`: absolute paths. Does nothing if the cache cannot be written.
  void store(uint64_t Key, llvm::ArrayRef<std::string> Files,
             llvm::StringRef Bytes) const;

  /// Removes entries not used for 30 days, then the least recently used ones
  /// until the others fit into `MaxBytes`.
  void prune() const;

private:
  std::string pathOf(uint64_t Key) const;
};

} // namespace autoprof::audit
