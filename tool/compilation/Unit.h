// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One translation unit, and the command by which clang reads it.
#ifndef AUTOPROF_COMPILATION_UNIT_H
#define AUTOPROF_COMPILATION_UNIT_H

#include <string>
#include <vector>

namespace autoprof::sources {

enum class Compiler {
  Nvcc,  ///< Translated, and read with the prelude (Prelude.h).
  Clang, ///< clang or clang++, of CUDA or of C++.
  Host   ///< g++ and similar: C++ that includes CUDA's headers.
};

struct Unit {
  std::string File;      ///< Absolute, as the command names it otherwise.
  std::string Directory; ///< Absolute: what the command's paths start from.
  Compiler WrittenFor = Compiler::Host;

  /// For clang's driver: its name, the options that matter to the host side,
  /// the file. Neither -c nor -o.
  std::vector<std::string> Args;

  /// The same with another order of include folders (Prelude.h), to be tried if
  /// Args gives errors; empty: there is none.
  std::vector<std::string> Reordered;

  bool IsC = false;          ///< For nvcc: a file that it compiles as C.
  bool StopAtErrors = false; ///< Text with errors is not to be read in part.

  std::vector<std::string> Dropped; ///< Options without an equivalent in clang.

  /// Why this unit cannot be read whatever its text is ("it is compiled by
  /// hipcc, ..."), or "". Tasks get it as a failed Outcome.
  std::string Refusal;
};

} // namespace autoprof::sources

#endif // AUTOPROF_COMPILATION_UNIT_H
