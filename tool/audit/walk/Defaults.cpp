// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/walk/Defaults.h"

#include "audit/walk/Evaluate.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

Defaults::Defaults(const Project &P) : P(P) {
  for (const TranslationUnit &TU : P.units())
    for (const Assignment &A : TU.Initial)
      Slots[A.Slot].Initial.push_back(&A);
  for (unsigned F = 0; F < P.functions().size(); ++F)
    for (const Assignment &A : P.functions()[F].Model->Assigns)
      Slots[A.Slot].Changes.push_back({F, &A});
}

/// Whether it depends on nothing but options and what a function is given.
static bool isConfiguration(const Term &T) {
  return T.Class >= Term::Constant && T.Class != Term::Local &&
         T.Class != Term::Counter && T.Class != Term::Depends &&
         llvm::all_of(T.Parts, isConfiguration);
}

static bool usesParam(const Term &T) {
  return T.Class == Term::Param || llvm::any_of(T.Parts, usesParam);
}

const Defaults::Numbers &Defaults::paramsOf(unsigned Function, unsigned Root,
                                            unsigned Depth) {
  constexpr unsigned MostDepth = 3;
  auto [It, New] = Given.try_emplace({Function, Root, Depth});
  Numbers &Result = It->second;
  if (!New || Depth == MostDepth)
    return Result;
  bool IsFirst = true;
  for (const LinkedFunction::Caller &C : P.functions()[Function].Callers) {
    if (!P.mayShareProgram(C.Function, Root))
      continue;
    const std::vector<Call::Argument> &Arguments =
        P.functions()[C.Function].Model->Calls[C.Call].Arguments;
    Numbers Here;
    for (const Call::Argument &A : Arguments)
      Here.push_back(valueOf(A.Number, C.Function, Root, Depth + 1));
    Here.resize(IsFirst ? Here.size() : Result.size());
    for (size_t I = 0; I < Result.size(); ++I)
      if (Here[I] != Result[I])
        Here[I] = std::nullopt;
    Result = std::move(Here);
    IsFirst = false;
  }
  return Result;
}

std::optional<int64_t> Defaults::valueOf(const Term &T, unsigned Function,
                                         unsigned Root, unsigned Depth) {
  const auto NoLoop = [](int) { return -1; };
  const auto NoLevel = [](const std::string &) { return -1; };
  const auto Default = [&](const std::string &Slot) { return of(Slot, Root); };
  std::vector<Known> Params;
  if (usesParam(T))
    for (const std::optional<int64_t> &N : paramsOf(Function, Root, Depth))
      Params.emplace_back().Default = N;
  const Known Value =
      evaluate(P, T, {Function, Params, -1, -1, NoLoop, NoLevel, Default});
  return Value.Number ? Value.Number : Value.Default;
}

Default Defaults::find(const OfSlot &Slot, unsigned Root) {
  Default Result;
  auto Agrees = [&Result](std::optional<int64_t> Value) {
    if (!Result.first)
      Result.first = Value;
    return Value && *Value == *Result.first;
  };
  for (const Assignment *A : Slot.Initial) {
    Result.second = A->IsFlag;
    if (!Agrees(valueOf(A->Value, Root, Root)))
      return {};
  }
  for (const Change &C : Slot.Changes) {
    if (C.Made->Sometimes || !P.mayShareProgram(C.Function, Root))
      continue;
    Result.second = C.Made->IsFlag;
    const std::optional<int64_t> Value =
        valueOf(C.Made->Value, C.Function, Root);
    const bool IsCopied = C.Made->IsFlag && isConfiguration(C.Made->Value);
    if (Value ? !Agrees(Value) : !IsCopied)
      return {};
  }
  return Result;
}

Default Defaults::of(const std::string &Slot, unsigned Root) {
  if (Slot == Term::Environment)
    return {0, false};
  // Of two that copy each other, nothing is known.
  auto [It, New] = Values.try_emplace({Slot, Root});
  const auto Found = Slots.find(Slot);
  if (New && Found != Slots.end())
    It->second = find(Found->second, Root);
  return It->second;
}

} // namespace autoprof::audit
