// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which streams a call works on or waits for, as far as one function tells.
// A stream is known by its kind and by the text that names it; two calls of
// one function with the same name are on the same stream.
#ifndef AUTOPROF_AUDIT_RULES_STREAMS_H
#define AUTOPROF_AUDIT_RULES_STREAMS_H

#include "audit/rules/Common.h"

namespace autoprof::audit {

struct StreamUse {
  /// Of catalogue::values::Stream; ~0: not known. Legacy | ... : one of them.
  uint32_t Kind = ~0u;
  std::string Name; ///< "": the default stream, or one without a fixed name.

  bool isLegacy() const { return Kind == catalogue::values::Legacy; }
  /// Made by the program, and named by one variable.
  bool isNamed() const;
  /// The legacy stream waits for it, and it for that.
  bool joinsLegacy() const;
};

/// The stream that a call queues on or waits for. For a library's call: the
/// one its handle was given in the same function.
StreamUse streamOf(const Project &P, const LinkedSite &S);

/// Does work that is complete on `Done` include all of `Wanted`?
bool covers(const StreamUse &Done, const StreamUse &Wanted);

/// The streams of all that the function queues; one that is not known among
/// them when it calls functions that may queue.
std::vector<StreamUse> streamsOfWork(const Project &P, unsigned Function);

/// May there be work on a stream that the legacy one does not wait for, when
/// this function runs? Its program may make such streams, or the function and
/// what it calls are given streams that are not known.
bool mayHaveNonBlocking(const Project &P, unsigned Function);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_STREAMS_H
