// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values that options have unless somebody sets them.
#pragma once

#include "audit/Link.h"

#include <map>
#include <optional>

namespace autoprof::audit {

/// A value, none if it is not known, and whether it is a truth value.
using Default = std::pair<std::optional<int64_t>, bool>;

/// Keeps a reference to the project.
class Defaults {
  struct Change {
    unsigned Function;
    const Assignment *Made;
  };
  struct OfSlot {
    std::vector<const Assignment *> Initial;
    std::vector<Change> Changes;
  };

  const Project &P;
  std::map<std::string, OfSlot> Slots;
  std::map<std::pair<std::string, unsigned>, Default> Values;

  using Numbers = std::vector<std::optional<int64_t>>;
  /// By function, root and depth.
  std::map<std::tuple<unsigned, unsigned, unsigned>, Numbers> Given;

  /// What all callers give a function, as far as they agree.
  const Numbers &paramsOf(unsigned Function, unsigned Root, unsigned Depth);
  std::optional<int64_t> valueOf(const Term &T, unsigned Function,
                                 unsigned Root, unsigned Depth = 0);
  Default find(const OfSlot &Slot, unsigned Root);

public:
  explicit Defaults(const Project &P);

  /// The value of a field or a global variable in programs that may run the
  /// function `Root`, as far as no condition decides: what all of its
  /// initializations and assignments outside of conditions agree on. That of a
  /// truth value that copies what is not known says nothing.
  Default of(const std::string &Slot, unsigned Root);
};

} // namespace autoprof::audit
