// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How regularly a word, or a form of it, cuts a sequence into parts.
#ifndef AUTOPROF_ANALYSIS_STEPS_ANCHORS_H
#define AUTOPROF_ANALYSIS_STEPS_ANCHORS_H

#include "analysis/steps/Sequence.h"

#include "llvm/ADT/ArrayRef.h"

namespace autoprof::analysis {

/// How often each word occurs in a part; by word.
using Counts = std::vector<uint32_t>;

struct Anchor {
  uint32_t Word = 0;
  uint32_t Form = trace::None; ///< None: the word in all its forms.
  std::vector<uint32_t> At;    ///< Into the sequence.
  // Results of judge():
  uint32_t Length = 0; ///< Median of the parts', elements.
  Counts Reference;    ///< What a typical part holds.
  /// By part (part I begins at At[I]): how similar it is to the reference, from
  /// 0 to 1.
  std::vector<float> Alike;
  double Typical = 0; ///< Share of the parts that are typical.
  double Covered = 0; ///< Share of the elements between the first and the last
                      ///< anchor that lie in typical parts.

  double MeanAlike = 0; ///< Of the typical parts.

  double score() const { return Typical * Covered; }
  size_t parts() const { return At.size() - 1; }
};

/// A part that is at least this similar to the reference is typical.
constexpr float TypicalPart = 0.8F;

/// Words and forms that occur at least `Fewest` times in the sequence and whose
/// parts have similar lengths, by number of occurrences, ascending; among
/// equals, the most regular first.
std::vector<Anchor> findAnchors(const Sequences &All, const Sequence &S,
                                size_t Fewest);

/// The word or form with this id; empty if the sequence does not have it.
Anchor anchorOf(const Sequences &All, const Sequence &S, uint64_t Id);

/// Compares the parts.
void judge(Anchor &A, const Sequences &All, const Sequence &S);

/// Typical, Covered and MeanAlike of an anchor whose parts are Alike.
void summarize(Anchor &A);

/// The share of the short runs of words in a part that the part before it has,
/// too; the mean over some parts. Parts that contain the same words by chance
/// have them in another order.
double sameOrder(const Anchor &A, const Sequence &S);

/// How similar these elements are to the reference, from 0 to 1.
float alike(const Anchor &A, const Sequence &S, size_t From, size_t To);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_STEPS_ANCHORS_H
