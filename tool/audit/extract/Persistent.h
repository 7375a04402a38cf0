// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A map whose copies share what they have in common, so that each block of a
// function can have its own at little cost: copying takes no time, and joining
// two takes only as long as they differ. It is a tree with a shape that depends
// only on its keys: each node has a higher rank than the nodes below it, and
// the rank is the key's hash.
#pragma once

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include <string>
#include <tuple>
#include <utility>

namespace autoprof::audit {

template <typename K, typename V> class PersistentMap {
  struct Node;
  using Tree = llvm::IntrusiveRefCntPtr<const Node>;
  struct Node : llvm::RefCountedBase<Node> {
    K Key;
    V Val;
    size_t Rank;
    Tree Left, Right;

    Node(K Key, V Val, size_t Rank, Tree Left, Tree Right)
        : Key(std::move(Key)), Val(std::move(Val)), Rank(Rank),
          Left(std::move(Left)), Right(std::move(Right)) {}
    bool isAbove(const Node &O) const {
      return Rank != O.Rank ? Rank > O.Rank : Key < O.Key;
    }
  };
  Tree Root;

public:
  bool empty() const { return !Root; }
  /// Whether it was made from the other without a change.
  bool isSame(const PersistentMap &O) const { return Root == O.Root; }

  /// Null if there is none.
  const V *find(const K &Key) const {
    const Node *N = Root.get();
    while (N && (Key < N->Key || N->Key < Key))
      N = (Key < N->Key ? N->Left : N->Right).get();
    return N ? &N->Val : nullptr;
  }

  void set(const K &Key, V Val) {
    auto [Left, Old, Right] = split(Root, Key);
    const Tree New(new Node(Key, std::move(Val), llvm::hash_combine(Key),
                            Tree(nullptr), Tree(nullptr)));
    Root = concat(concat(Left, New), Right);
  }

  void erase(const K &Key) {
    if (!find(Key))
      return;
    auto [Left, Old, Right] = split(Root, Key);
    Root = concat(Left, Right);
  }

  /// Calls Visit(Key, Val) in the order of keys, from the first one that is not
  /// less than `From`, until it returns false.
  template <typename F> void forEachFrom(const K &From, const F &Visit) const {
    visit(Root.get(), &From, Visit);
  }
  template <typename F> void forEach(const F &Visit) const {
    visit(Root.get(), nullptr, [&Visit](const K &Key, const V &Val) {
      Visit(Key, Val);
      return true;
    });
  }

  /// Sets each value to Both(Key, its value, that in `O`). The result is the
  /// same map if `IsSame` holds for all values. Values that only one of the two
  /// has stay as they are, or with `ChangesAlone` get Both() with a null.
  template <bool ChangesAlone, typename F, typename Same>
  void merge(const PersistentMap &O, const F &Both, const Same &IsSame) {
    Root = merged<ChangesAlone>(Root, O.Root, Both, IsSame);
  }

private:
  static Tree with(const Tree &N, Tree Left, Tree Right) {
    if (N->Left == Left && N->Right == Right)
      return N;
    return Tree(
        new Node(N->Key, N->Val, N->Rank, std::move(Left), std::move(Right)));
  }

  /// The nodes before the key, that of the key, and those after it.
  static std::tuple<Tree, Tree, Tree> split(const Tree &N, const K &Key) {
    if (!N)
      return std::tuple<Tree, Tree, Tree>();
    if (Key < N->Key) {
      auto [Left, Here, Right] = split(N->Left, Key);
      return {Left, Here, with(N, Right, N->Right)};
    }
    if (N->Key < Key) {
      auto [Left, Here, Right] = split(N->Right, Key);
      return {with(N, N->Left, Left), Here, Right};
    }
    return {N->Left, N, N->Right};
  }

  /// All keys of `A` are less than those of `B`.
  static Tree concat(const Tree &A, const Tree &B) {
    if (!A || !B)
      return A ? A : B;
    return A->isAbove(*B) ? with(A, A->Left, concat(A->Right, B))
                          : with(B, concat(A, B->Left), B->Right);
  }

  template <bool ChangesAlone, typename F, typename Same>
  static Tree merged(const Tree &A, const Tree &B, const F &Both,
                     const Same &IsSame) {
    if (A == B)
      return A;
    if (!ChangesAlone && (!A || !B))
      return A ? A : B;
    const bool FromA = A && (!B || !B->isAbove(*A));
    const Tree &Top = FromA ? A : B;
    // The tree with the lower rank has the key only at its top.
    auto [Left, Here, Right] = split(FromA ? B : A, Top->Key);
    const Tree L = FromA ? merged<ChangesAlone>(A->Left, Left, Both, IsSame)
                         : merged<ChangesAlone>(Left, B->Left, Both, IsSame),
               R = FromA ? merged<ChangesAlone>(A->Right, Right, Both, IsSame)
                         : merged<ChangesAlone>(Right, B->Right, Both, IsSame);
    const V *InA = FromA ? &A->Val : nullptr,
            *InB = FromA ? (Here ? &Here->Val : nullptr) : &B->Val;
    if (!ChangesAlone && (!InA || !InB))
      return with(Top, L, R);
    V Val = Both(Top->Key, InA, InB);
    if (IsSame(Val, Top->Val))
      return with(Top, L, R);
    return Tree(new Node(Top->Key, std::move(Val), Top->Rank, L, R));
  }

  template <typename F>
  static bool visit(const Node *N, const K *From, const F &Visit) {
    if (!N)
      return true;
    if (From && N->Key < *From)
      return visit(N->Right.get(), From, Visit);
    return visit(N->Left.get(), From, Visit) && Visit(N->Key, N->Val) &&
           visit(N->Right.get(), nullptr, Visit);
  }
};

/// A set of strings with the same properties.
class PersistentSet {
  struct Nothing {};
  PersistentMap<std::string, Nothing> Elements;

public:
  bool empty() const { return Elements.empty(); }
  bool isSame(const PersistentSet &O) const {
    return Elements.isSame(O.Elements);
  }
  void insert(const std::string &Element) {
    if (!Elements.find(Element))
      Elements.set(Element, {});
  }
  void insert(const PersistentSet &O) {
    Elements.merge<false>(
        O.Elements, [](const auto &...) { return Nothing(); },
        [](Nothing, Nothing) { return true; });
  }
  /// In order.
  template <typename F> void forEach(const F &Visit) const {
    Elements.forEach([&Visit](const std::string &S, Nothing) { Visit(S); });
  }
};

} // namespace autoprof::audit
