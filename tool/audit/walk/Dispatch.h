// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions virtual calls may reach. An object has one class: after one
// virtual call has chosen a function, others on the same object choose those of
// the same class.
#pragma once

#include "audit/Link.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringMap.h"

#include <map>

namespace autoprof::audit {

/// The classes that an object may have, as a set of their numbers; empty (of
/// size 0): any.
using Objects = llvm::BitVector;

class Dispatch {
public:
  explicit Dispatch(const Project &P);

  /// The functions of `Callees` that a call may reach if the caller's object is
  /// one of `Of`, each with what is then known of its own object.
  std::vector<std::pair<unsigned, Objects>>
  targets(const Call &Made, llvm::ArrayRef<unsigned> Callees,
          const Objects &Of);

private:
  /// The classes for which the method named is the function with this USR.
  const Objects &classesOf(llvm::StringRef Method, llvm::StringRef Usr);
  void addObjects(unsigned Class);
  /// The class, and those derived from it; empty if it is not known.
  const Objects &derivedFrom(llvm::StringRef Usr);
  bool isDerived(unsigned Class, unsigned From) const;
  /// `In`: the functions that the method may be, by class.
  llvm::StringRef
  finalOverrider(unsigned Class,
                 const std::map<unsigned, llvm::StringRef> &In) const;

  const Project &P;
  llvm::StringMap<unsigned> Numbers;        ///< Of classes, by USR.
  std::vector<std::vector<unsigned>> Bases; ///< By class.
  std::vector<bool> IsAbstract;             ///< Likewise.
  std::vector<bool>
      HasObjects; ///< Likewise: objects of it, or derived from it.
  llvm::StringMap<const Function *> Methods; ///< Virtual ones, by USR.
  /// The functions that directly override one, by its USR.
  llvm::StringMap<std::vector<const Function *>> Overriders;
  std::map<std::string, llvm::StringMap<Objects>> Known; ///< By method.
  llvm::StringMap<Objects> Derived;                      ///< See derivedFrom().
};

} // namespace autoprof::audit
