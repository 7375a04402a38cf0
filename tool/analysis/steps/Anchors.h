// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How regularly a word, or a form of it, cuts a sequence into parts.
#pragma once

#include "trace/timeline/Timeline.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace autoprof::analysis {

// What threads did to the GPU, as a sequence of words: launches by the name of
// what they launched, and waits by the name of the call. Repetition in a
// program is visible in it, marked or not.

struct Word {
  enum Class : uint8_t { Kernel, Graph, Copy, CopyToHost, Wait } Kind = Kernel;
  std::string Text; ///< A kernel's name; "copy HtoD"; a call's name.
  uint64_t Id = 0;  ///< Of the text: the same in every recording.

  bool computes() const { return Kind == Kernel || Kind == Graph; }
};

/// A word with the size of what it launched, or with the words before it. Not
/// with its place: only some calls have stacks.
struct Form {
  uint32_t Word;                ///< Into Sequences::Words.
  uint64_t Size;                ///< Bytes, blocks, or a graph's operations.
  std::vector<uint32_t> Before; ///< Into Sequences::Words, the nearest first.
};

/// One outermost call.
struct Element {
  uint32_t Call; ///< Into HostEvents.
  uint32_t Word; ///< Into Sequences::Words.
  uint32_t Form; ///< Into Sequences::Forms.
};

/// Of all threads together, in order of time: threads of a program work for
/// each other.
using Sequence = std::vector<Element>;

struct Sequences {
  std::vector<Word> Words;
  std::vector<Form> Forms;
  Sequence All;
};

/// Of a form: the same in every recording of the program.
uint64_t idOf(const Sequences &All, const Form &F);

/// The same elements, with forms made of each word and those before it: these
/// may be distinct where no single word is.
Sequence withWordsBefore(Sequences &All, const Sequence &S);

Sequences readSequences(const trace::Timeline &T);

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

/// Typical and Covered of an anchor whose parts are Alike.
void summarize(Anchor &A);

/// The share of the short runs of words in a part that the part before it has,
/// too, or the one before that; the mean over some parts. Parts that contain
/// the same words by chance have them in another order.
double sameOrder(const Anchor &A, const Sequence &S);

/// Compares parts of a sequence with a reference. The counts are kept between
/// parts, which are many.
class Comparer {
  Counts Reference, Part;
  const Sequence &S;
  uint64_t Size = 0; ///< Of the reference.

public:
  Comparer(Counts Reference, const Sequence &S);
  /// How similar these elements are to it, from 0 to 1: the coefficient of
  /// Sorensen and Dice, of multisets of words.
  float alike(size_t From, size_t To);
};

} // namespace autoprof::analysis
