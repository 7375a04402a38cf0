// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Terms without clang: folding and negation.
#include "audit/extract/Terms.h"

namespace autoprof::audit {

static constexpr unsigned MaxNodes = 40;

static unsigned nodesOf(const Term &T) {
  unsigned Sum = 1;
  for (const Term &Part : T.Parts)
    Sum += nodesOf(Part);
  return Sum;
}

static bool isConstant(const Term &T) { return T.Class == Term::Constant; }

/// Whether it is true or false for sure.
static std::optional<bool> known(const Term &T) {
  if (isConstant(T))
    return T.Number != 0;
  return T.Class == Term::NonNull ? std::optional(true) : std::nullopt;
}

Term negate(const Term &T) {
  if (std::optional<bool> Known = known(T))
    return Term::constant(!*Known);
  if (T.isOpaque())
    return T;
  if (T.Class == Term::Not)
    return T.Parts[0];
  if (T.Class == Term::Both || T.Class == Term::Either) {
    std::vector<Term> Parts;
    for (const Term &Part : T.Parts)
      Parts.push_back(negate(Part));
    return simplify(T.Class == Term::Both ? Term::Either : Term::Both,
                    std::move(Parts));
  }
  return simplify(Term::Not, {T});
}

bool impliesFailure(const Term &T) {
  if (T.Class == Term::Either)
    return llvm::all_of(T.Parts, impliesFailure);
  return T.Class == Term::Status ||
         (T.Class == Term::Both && llvm::any_of(T.Parts, impliesFailure));
}

/// For `&&` and `||`: without parts that are known.
static Term joined(Term::Kind Class, std::vector<Term> Parts) {
  const bool Decides = Class == Term::Either;
  std::vector<Term> Open;
  for (Term &Part : Parts) {
    const std::optional<bool> Known = known(Part);
    if (Known == Decides)
      return Term::constant(Decides);
    if (Known)
      continue;
    if (Part.Class == Class)
      Open.insert(Open.end(), Part.Parts.begin(), Part.Parts.end());
    else
      Open.push_back(std::move(Part));
  }
  if (llvm::all_of(Open, [](const Term &T) { return T.isOpaque(); }))
    return Open.empty() ? Term::constant(!Decides) : Term();
  return Open.size() == 1 ? Open[0] : Term::of(Class, std::move(Open));
}

static Term equal(Term A, Term B) {
  if (isConstant(A))
    std::swap(A, B);
  if (!isConstant(B))
    return Term::of(Term::Equal, {std::move(A), std::move(B)});
  if (B.Number == 0)
    return negate(A);
  // Status is not a code, and an address is no small number.
  return A.Class == Term::Status || A.Class == Term::NonNull
             ? Term()
             : Term::of(Term::Equal, {std::move(A), std::move(B)});
}

/// Adding 0, multiplying by 1 and the like; otherwise none.
static std::optional<Term> neutral(Term::Kind Class, const Term &A,
                                   const Term &B) {
  const bool IsSum = Class == Term::Add || Class == Term::Subtract;
  if (isConstant(B) &&
      ((IsSum && B.Number == 0) ||
       ((Class == Term::Multiply || Class == Term::Divide) && B.Number == 1)))
    return A;
  if (isConstant(A) && ((Class == Term::Add && A.Number == 0) ||
                        (Class == Term::Multiply && A.Number == 1)))
    return B;
  if (Class == Term::Multiply &&
      ((isConstant(A) && A.Number == 0) || (isConstant(B) && B.Number == 0)))
    return Term::constant(0);
  return std::nullopt;
}

Term simplify(Term::Kind Class, std::vector<Term> Parts) {
  unsigned Nodes = 1;
  for (const Term &Part : Parts)
    Nodes += nodesOf(Part);
  if (Nodes > MaxNodes)
    return {};
  if (Class == Term::Both || Class == Term::Either)
    return joined(Class, std::move(Parts));
  if (Parts.size() == 2 && isConstant(Parts[0]) && isConstant(Parts[1])) {
    const std::optional<int64_t> N =
        compute(Class, Parts[0].Number, Parts[1].Number);
    return N ? Term::constant(*N) : Term();
  }
  if (llvm::any_of(Parts, [](const Term &T) { return T.isOpaque(); }))
    return {};
  if (Parts.size() == 1)
    return Class == Term::Least || Class == Term::Most
               ? Parts[0]
               : Term::of(Class, std::move(Parts));
  if (Class == Term::Equal)
    return equal(std::move(Parts[0]), std::move(Parts[1]));
  if (std::optional<Term> Same = neutral(Class, Parts[0], Parts[1]))
    return std::move(*Same);
  return Term::of(Class, std::move(Parts));
}

} // namespace autoprof::audit
