// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/walk/Evaluate.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

static Known number(int64_t N) {
  Known Result;
  Result.Number = N;
  return Result;
}

/// What is not known, but stays the same while these do.
static Known mixture(llvm::ArrayRef<Known> Parts) {
  Known Result;
  for (const Known &Part : Parts) {
    Result.Level = std::max(Result.Level, Part.Level);
    Result.Counted = std::max(Result.Counted, Part.Counted);
  }
  return Result;
}

/// && and ||: `Decides` is the value of a part that decides.
static Known junction(llvm::ArrayRef<Known> Parts, bool Decides) {
  std::vector<Known> Open;
  bool AllUsual = true, OneDecides = false;
  for (const Known &Part : Parts) {
    const std::optional<bool> Truth = Part.truth();
    if (Truth == Decides)
      return number(Decides);
    if (Truth)
      continue;
    Open.push_back(Part);
    AllUsual &= Part.Usual == !Decides;
    OneDecides |= Part.Usual == Decides;
  }
  if (Open.empty())
    return number(!Decides);
  Known Result = mixture(Open);
  if (AllUsual || OneDecides)
    Result.Usual = OneDecides ? Decides : !Decides;
  return Result;
}

static Known extreme(llvm::ArrayRef<Known> Parts, bool Least) {
  std::optional<int64_t> Best;
  bool AllKnown = true;
  for (const Known &Part : Parts) {
    AllKnown &= Part.Number.has_value();
    if (Part.Number)
      Best = !Best   ? *Part.Number
             : Least ? std::min(*Best, *Part.Number)
                     : std::max(*Best, *Part.Number);
  }
  return AllKnown && Best ? number(*Best) : mixture(Parts);
}

static Known operation(Term::Kind K, llvm::ArrayRef<Known> Parts) {
  if (Parts.size() != 2)
    return {};
  const Known &A = Parts[0], &B = Parts[1];
  if (A.Number && B.Number)
    if (std::optional<int64_t> Result = compute(K, *A.Number, *B.Number))
      return number(*Result);
  if (K == Term::Equal &&
      ((A.NonNull && B.Number == 0) || (B.NonNull && A.Number == 0)))
    return number(0);
  if (((K == Term::Multiply || K == Term::BitAnd) &&
       (A.Number == 0 || B.Number == 0)) ||
      (K == Term::Remainder && B.Number == 1))
    return number(0);
  return mixture(Parts);
}

bool isNumber(const Term &T) {
  return T.Class == Term::Param || T.Class == Term::Counter;
}

/// Whether an equality holds for one of n numbers: with a remainder, or of what
/// a loop counts and a constant.
static bool isOfOneInMany(const Term &Equal, const Known &Value) {
  return llvm::any_of(Equal.Parts, [&](const Term &Part) {
    return Part.Class == Term::Remainder ||
           (Part.Class == Term::Constant && Value.Counted >= 0);
  });
}

/// Whether it asks for one of several modes, not if an option is on.
static bool isChoice(const Term &T, llvm::ArrayRef<Known> Parts) {
  return T.Class == Term::Equal && llvm::none_of(Parts, [](const Known &Part) {
           return Part.IsFlag || Part.Number == 0;
         });
}

/// `Unknown`: what is not known at all.
static Known combine(const Term &T, std::vector<Known> Parts, Known Unknown) {
  switch (T.Class) {
  case Term::Equal: {
    Known Result = operation(T.Class, Parts);
    if (!Result.Number && isOfOneInMany(T, Result))
      Result.Usual = false;
    return Result;
  }
  case Term::Element:
    Unknown.Counted = Parts.front().Counted;
    return Unknown;
  case Term::Usually:
    Parts.front().Usual = T.Number != 0;
    return Parts.front();
  case Term::Depends:
    return mixture(Parts);
  case Term::Not: {
    if (const std::optional<bool> Truth = Parts.front().truth())
      return number(!*Truth);
    Known Result = mixture(Parts);
    if (Parts.front().Usual)
      Result.Usual = !*Parts.front().Usual;
    else if (T.Parts.front().Class == Term::Remainder ||
             (Result.Counted >= 0 && isNumber(T.Parts.front())))
      Result.Usual = false;
    return Result;
  }
  case Term::Both:
    return junction(Parts, false);
  case Term::Either:
    return junction(Parts, true);
  case Term::Least:
  case Term::Most:
    return extreme(Parts, T.Class == Term::Least);
  default:
    return operation(T.Class, Parts);
  }
}

/// What a function of the project returns.
static Known resultOf(const Project &P, const Term &T,
                      llvm::ArrayRef<Known> Parts, const Surroundings &In,
                      Known Unknown, unsigned CallDepth) {
  constexpr unsigned MostCalls = 8;
  const int Callee = P.definition(T.Name, P.functions()[In.Function].Unit);
  if (Callee < 0 || CallDepth >= MostCalls)
    return Unknown;
  const Term &Returned = P.functions()[Callee].Model->Result;
  const auto NoLoop = [](int) { return -1; };
  const Surroundings Inside{unsigned(Callee), Parts,  In.Innermost,
                            In.Innermost,     NoLoop, In.LevelOf,
                            In.DefaultOf};
  return Returned.isOpaque() ? Unknown
                             : evaluate(P, Returned, Inside, CallDepth + 1);
}

Known evaluate(const Project &P, const Term &T, const Surroundings &In,
               unsigned CallDepth) {
  Known Unknown;
  Unknown.Level = In.Innermost;
  switch (T.Class) {
  case Term::Constant:
    return number(T.Number);
  case Term::NonNull:
    Unknown.Level = -1;
    Unknown.NonNull = true;
    return Unknown;
  case Term::Status:
    return number(0); // Failures are not followed.
  case Term::Param:
    if (size_t(T.Number) < In.Params.size())
      return In.Params[T.Number];
    Unknown.Level = In.Depth;
    return Unknown;
  case Term::Local:
    if (T.Number < 0)
      Unknown.Level = In.Depth;
    else if (const int Depth = In.DepthOf(int(T.Number)); Depth >= 0)
      Unknown.Level = Depth;
    return Unknown;
  case Term::Counter:
    if (const int Depth = In.DepthOf(int(T.Number)); Depth >= 0) {
      Unknown.Level = -1;
      Unknown.Counted = Depth;
    }
    return Unknown;
  case Term::Slot:
    Unknown.Level = In.LevelOf(T.Name);
    if (Unknown.Level < 0)
      std::tie(Unknown.Default, Unknown.IsFlag) = In.DefaultOf(T.Name);
    return Unknown;
  case Term::Opaque:
    return Unknown;
  default:
    break;
  }
  std::vector<Known> Parts;
  for (const Term &Part : T.Parts)
    Parts.push_back(evaluate(P, Part, In, CallDepth));
  if (T.Class == Term::Result)
    return resultOf(P, T, Parts, In, Unknown, CallDepth);
  Known Result = combine(T, Parts, Unknown);
  const auto HasDefault = [](const Known &Part) {
    return Part.Default.has_value();
  };
  if (!Result.Number && !isChoice(T, Parts) &&
      llvm::any_of(Parts, HasDefault)) {
    for (Known &Part : Parts)
      if (!Part.Number)
        Part.Number = Part.Default;
    Result.Default = combine(T, std::move(Parts), Unknown).Number;
  }
  return Result;
}

bool isPartlyOpaque(const Term &T) {
  return T.isOpaque() || llvm::any_of(T.Parts, [](const Term &Part) {
           return Part.Class != Term::Element && isPartlyOpaque(Part);
         });
}

bool isNonNull(const Term &Condition, const Term &Pointer) {
  const Term Null = Term::constant(0);
  return !Pointer.isOpaque() &&
         (Condition == Pointer ||
          (Condition.Class == Term::Not &&
           Condition.Parts[0].Class == Term::Equal &&
           llvm::is_contained(Condition.Parts[0].Parts, Pointer) &&
           llvm::is_contained(Condition.Parts[0].Parts, Null)));
}

/// At most 1: comparing with it asks whether there is anything.
static bool isNothing(const Term &T) {
  return T.Class == Term::Constant && T.Number <= 1;
}

bool isThere(const Term &T) {
  return (T.Class == Term::Less && isNothing(T.Parts[0])) ||
         (T.Class == Term::Not && T.Parts[0].Class == Term::Less &&
          isNothing(T.Parts[0].Parts[1]));
}

bool mostlyHolds(const Term &T) {
  switch (T.Class) {
  case Term::Not: {
    const Term::Kind Of = T.Parts[0].Class;
    return Of == Term::Status || Of == Term::Less || Of == Term::Equal;
  }
  case Term::Both:
    return llvm::all_of(T.Parts, mostlyHolds);
  case Term::Either:
    return llvm::any_of(T.Parts, mostlyHolds);
  case Term::Equal:
    return false;
  default:
    return true;
  }
}

bool isFew(const Term &Trips, const Known &Value) {
  constexpr int64_t Few = 4;
  if (Value.Number)
    return *Value.Number <= Few;
  if (Trips.Class == Term::Least)
    return llvm::any_of(Trips.Parts,
                        [](const Term &Part) { return isFew(Part, {}); });
  return Trips.Class == Term::Constant && Trips.Number <= Few;
}

} // namespace autoprof::audit
