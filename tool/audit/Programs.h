// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which translation units may run in one process
// ----------------------------------------------
// A project may build many programs, and what one of them does says nothing of
// another. A compile database does not say what is linked together, so it is
// found from the sources: a unit with `main` is a program, and so is all that
// it names, directly or by way of other units. What no `main` leads to may be in
// any of them (a library's, or one that registers itself); and a program that
// names what no unit defines, or several do, may hold any unit.
#ifndef AUTOPROF_AUDIT_PROGRAMS_H
#define AUTOPROF_AUDIT_PROGRAMS_H

#include "audit/Model.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace autoprof::audit {

class Programs {
public:
  /// Gives the unit that defines what a function's name in a unit stands for,
  /// or -1.
  using UnitOf = llvm::function_ref<int(llvm::StringRef Usr, unsigned Unit)>;

  Programs(llvm::ArrayRef<TranslationUnit> Units, UnitOf Find);

  bool together(unsigned UnitA, unsigned UnitB) const {
    return Of[UnitA].anyCommon(Of[UnitB]);
  }

private:
  std::vector<llvm::BitVector> Of; ///< The programs of each unit.
};

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_PROGRAMS_H
