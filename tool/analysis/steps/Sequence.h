// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What threads did to the GPU, as a sequence of words: launches by the name of
// what they launched, and waits by the name of the call. Repetition in a
// program is visible in it, marked or not.
#ifndef AUTOPROF_ANALYSIS_STEPS_SEQUENCE_H
#define AUTOPROF_ANALYSIS_STEPS_SEQUENCE_H

#include "trace/timeline/Timeline.h"

#include <string>
#include <vector>

namespace autoprof::analysis {

struct Word {
  enum Class : uint8_t { Kernel, Graph, Copy, Wait } Kind = Kernel;
  std::string Text; ///< A kernel's name; "copy HtoD"; a call's name.
  uint64_t Id = 0;  ///< Of the text: the same in every recording.
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

using Sequence = std::vector<Element>;

struct Sequences {
  std::vector<Word> Words;
  std::vector<Form> Forms;
  /// First that of all threads together, in order of time: threads of a program
  /// work for each other. Then, if there are several, that of each thread, for
  /// programs whose threads do not: the longest first.
  std::vector<Sequence> List;
};

/// Of a form: the same in every recording of the program.
uint64_t idOf(const Sequences &All, const Form &F);

/// The same elements, with forms made of each word and those before it: these
/// may be distinct where no single word is.
Sequence withWordsBefore(Sequences &All, const Sequence &S);

Sequences readSequences(const trace::Timeline &T);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_STEPS_SEQUENCE_H
