// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The streams on which a call works or for which it waits, as far as one
// function shows. A stream is identified by its kind and the text that names
// it; two calls of one function with the same name are on the same stream.
#ifndef AUTOPROF_AUDIT_RULES_STREAMS_H
#define AUTOPROF_AUDIT_RULES_STREAMS_H

#include "audit/rules/Common.h"

namespace autoprof::audit {

struct StreamUse {
  /// Bits of catalogue::values::Stream; ~0: unknown. Legacy | ...: one of them.
  uint32_t Kind = ~0u;
  std::string Name; ///< "": the default stream, or one without a fixed name.

  bool isLegacy() const { return Kind == catalogue::values::Legacy; }
  /// Whether the program created it, and a single variable names it.
  bool isNamed() const;
  /// Whether the legacy stream waits for it, and vice versa.
  bool joinsLegacy() const;
};

/// The stream on which a call queues or for which it waits. For a library call:
/// the stream that its handle was given in the same function.
StreamUse streamOf(const Project &P, const LinkedSite &S);

/// Whether the name always means the same stream: `stream`, `this->stream`,
/// `streams[0]`, but not `streams[i]` and `make()`.
bool isFixedName(llvm::StringRef Name);

/// Whether the work that is complete on `Done` includes all work on `Wanted`.
bool covers(const StreamUse &Done, const StreamUse &Wanted);

/// The streams of all work that the function queues; includes an unknown one if
/// it calls functions that may queue work.
std::vector<StreamUse> streamsOfWork(const Project &P, unsigned Function);

/// Whether the program creates one stream only, once, and puts the work of all
/// launching loops on it, or waits for that work where it is queued.
bool isOnlyStream(const Project &P, unsigned Function, const StreamUse &Stream);

/// Whether there may be work on a stream that the legacy stream does not wait
/// for when this function runs: its program may create such streams, or the
/// function and its callees are given unknown streams.
bool mayHaveNonBlocking(const Project &P, unsigned Function);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_STREAMS_H
