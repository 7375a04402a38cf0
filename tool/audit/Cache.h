// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models of translation units that were read before. An entry holds for one
// build of autoprof, one command, and the contents of all files that were read;
// where anything differs it is as if it were not there.
#ifndef AUTOPROF_AUDIT_CACHE_H
#define AUTOPROF_AUDIT_CACHE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace autoprof::audit {

/// Safe to use from several processes at once: entries appear whole or not, and
/// one that another process removes is as if it had not been there.
class Cache {
  std::string Folder; ///< "": there is no cache.
  uint64_t MaxBytes;

public:
  /// Some 6,000 translation units.
  static constexpr uint64_t DefaultMaxBytes = uint64_t(256) << 20;

  /// Nothing is created before something is stored.
  explicit Cache(std::string Folder, uint64_t MaxBytes = DefaultMaxBytes)
      : Folder(std::move(Folder)), MaxBytes(MaxBytes) {}

  /// <the user's cache folder>/autoprof/audit, or "".
  static std::string defaultFolder();

  /// What identifies a command: its arguments, its folder, and this program.
  static uint64_t key(llvm::ArrayRef<std::string> Args,
                      llvm::StringRef Directory);

  /// The bytes that were stored, if all files are still the same.
  std::optional<std::string> find(uint64_t Key) const;

  /// `Files`: absolute paths. A cache that cannot be written is none.
  void store(uint64_t Key, llvm::ArrayRef<std::string> Files,
             llvm::StringRef Bytes) const;

  /// Removes entries that were not used for 30 days, and those that were used
  /// least recently until the others fit into `MaxBytes`.
  void prune() const;

private:
  std::string pathOf(uint64_t Key) const;
};

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_CACHE_H
