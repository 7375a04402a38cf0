// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A translation unit, and the command with which clang reads it.
#pragma once

#include <string>
#include <vector>

namespace autoprof::sources {

enum class Compiler {
  Nvcc,  ///< A translated command, read with the prelude (Prelude.h).
  Clang, ///< clang or clang++, for CUDA or C++.
  Host   ///< g++ and similar: C++ that includes CUDA's headers.
};

struct Unit {
  std::string File;      ///< Absolute, otherwise as in the command.
  std::string Directory; ///< Absolute: the command's working directory.
  Compiler WrittenFor = Compiler::Host;

  /// Arguments for clang's driver: its name, the options that matter to the
  /// host side, and the file; without -c and -o.
  std::vector<std::string> Args;

  /// The same with another order of include folders (Prelude.h), to be tried if
  /// Args gives errors; empty if there is none.
  std::vector<std::string> Reordered;

  bool IsC = false; ///< For nvcc: a file that it compiles as C.

  std::vector<std::string> Dropped; ///< Options without an equivalent in clang.

  /// Why this unit cannot be read, whatever its text ("it is compiled by hipcc,
  /// ..."), or "". Tasks get such a unit as a failed Outcome.
  std::string Refusal;
};

} // namespace autoprof::sources
