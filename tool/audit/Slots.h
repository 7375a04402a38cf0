// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contents of slots: each flow is a constraint, "this slot contains at
// least that", and iterating until nothing changes gives the least solution. A
// slot to which nothing is stored is unknown, except for what a function stores
// through a parameter: there it means that the function does not change it.
#pragma once

#include "audit/Link.h"

#include <functional>

namespace autoprof::audit {

class Project::Slots {
public:
  /// Returns the number of the definition to which a function's name in a unit
  /// refers, or -1.
  using Definition = std::function<int(llvm::StringRef Usr, unsigned Unit)>;

  explicit Slots(Definition Lookup) : Lookup(std::move(Lookup)) {}

  void add(const TranslationUnit &TU, unsigned Unit);
  void addUse(const Use &U, unsigned Function, unsigned Unit);
  void solve();

  Resolved resolve(const Value &V, unsigned Unit) const;

  /// The uses of the data in a slot.
  llvm::ArrayRef<std::pair<unsigned, const Use *>> usesOf(llvm::StringRef Slot,
                                                          unsigned Unit) const;

private:
  struct Content {
    uint32_t Mask = 0;
    bool Unknown = false, HasFlow = false;
    Place Location;
    std::vector<unsigned> Sources;
  };
  void add(const Flow &F, unsigned Unit);
  /// The slot's name with the function's name replaced by the number of its
  /// definition; "" if there is none.
  std::string canonical(llvm::StringRef Slot, unsigned Unit) const;
  unsigned numberOf(llvm::StringRef Canonical);
  bool absorb(Content &To, const Content &From) const;
  bool isLeftAlone(const Content &C, llvm::StringRef Name) const;

  Definition Lookup;
  llvm::StringMap<unsigned> Numbers;
  std::vector<Content> Contents;
  std::vector<std::string> Spelled;
  llvm::StringMap<std::vector<std::pair<unsigned, const Use *>>> Uses;
};

} // namespace autoprof::audit
