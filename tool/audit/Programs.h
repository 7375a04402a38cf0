// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which translation units may run in one process
// ----------------------------------------------
// A project may build many programs, and what one of them does says nothing of
// another. A compile database does not say what is linked together, so it is
// found from the sources: a unit with `main` is a program, and what it names,
// directly or by way of other units, is surely in it. Any other unit without a
// `main` may be in it, too,
// - if no `main` leads to that unit, a library's, one that registers itself, or
//   one whose `main` could not be read: in the programs whose `main` is nearest
//   to it in the tree of folders;
// - if it is one of several units that define what the program names, or is
//   led to by one.
#ifndef AUTOPROF_AUDIT_PROGRAMS_H
#define AUTOPROF_AUDIT_PROGRAMS_H

#include "audit/Model.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace autoprof::audit {

/// The length of the folders that two paths have in common.
size_t sharedFolders(llvm::StringRef A, llvm::StringRef B);

class Programs {
public:
  /// Gives the unit that defines what a function's name in a unit stands for,
  /// or -1.
  using UnitOf = llvm::function_ref<int(llvm::StringRef Usr, unsigned Unit)>;
  /// Gives all units that define a function of this name.
  using UnitsOf =
      llvm::function_ref<llvm::SmallVector<unsigned, 4>(llvm::StringRef Usr)>;

  Programs(llvm::ArrayRef<TranslationUnit> Units, UnitOf Lookup,
           UnitsOf Candidates);

  /// May both be in one program? Of two that are only perhaps in the same one:
  /// no, unless nothing is known of either.
  bool mayShare(unsigned UnitA, unsigned UnitB) const;

private:
  void addOrphans(llvm::ArrayRef<TranslationUnit> Units,
                  llvm::ArrayRef<unsigned> Mains);

  /// By unit: its programs.
  std::vector<llvm::BitVector> Certain, Possible;
};

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_PROGRAMS_H
