// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which translation units may run in one process.
// A project may build many programs, and the behavior of one implies nothing
// for another. A compilation database does not show what is linked together, so
// this is inferred from the sources: a unit with `main` is a program, and the
// units that it names, directly or through other units, are in it; of several
// that define a name, each may be, but no two. A unit that no `main` leads to
// (of a library, one that registers itself, or one whose `main` could not be
// read) may be in the programs whose `main` is nearest to it in the folder
// tree.
#pragma once

#include "audit/Model.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <set>

namespace autoprof::audit {

/// The length of the folders that two paths have in common.
size_t sharedFolders(llvm::StringRef A, llvm::StringRef B);

class Programs {
public:
  /// Returns the unit that defines the function to which a name in a unit
  /// refers, or -1.
  using UnitOf = llvm::function_ref<int(llvm::StringRef Usr, unsigned Unit)>;
  /// Returns all units that define a function of this name.
  using UnitsOf =
      llvm::function_ref<llvm::SmallVector<unsigned, 4>(llvm::StringRef Usr)>;

  /// `Units` must outlive this.
  Programs(llvm::ArrayRef<TranslationUnit> Units, UnitOf Lookup,
           UnitsOf Candidates);

  /// Whether both may be in one program.
  bool mayShare(unsigned UnitA, unsigned UnitB) const;

private:
  /// For each unit: the functions it defines that others define, too.
  std::vector<std::set<llvm::StringRef>> Contested;
  /// For each unit: its programs.
  std::vector<llvm::BitVector> Of;
};

} // namespace autoprof::audit
