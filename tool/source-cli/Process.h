// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy of this process that computes some bytes.
#ifndef AUTOPROF_SOURCE_CLI_PROCESS_H
#define AUTOPROF_SOURCE_CLI_PROCESS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace autoprof::source {

struct ProcessCopy {
  enum { Failed, Original, Copy } Role = Failed;
  int Pipe = -1; ///< Original: read end. Copy: write end.
  int Id = -1;   ///< Original: the copy's process id.
};

/// Forks the process. The copy writes nothing to stderr, leaves no core file,
/// and ends at a fatal signal without clang's crash report.
ProcessCopy copyProcess();

/// In the original: waits for the copy, and returns what it sent ("" if it
/// failed).
std::string receive(const ProcessCopy &Child);

/// In the copy: sends the bytes and ends the process immediately, without
/// destructors, exit handlers or flushed streams.
[[noreturn]] void sendAndEnd(int Pipe, llvm::StringRef Bytes);

} // namespace autoprof::source

#endif // AUTOPROF_SOURCE_CLI_PROCESS_H
