// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of GPU work
// ---------------------
// Without a wait of the host, only streams order the GPU's work: work on one
// stream runs in order, and work on the legacy stream is ordered with that of
// all blocking streams. A wait between work that no stream orders must stay, or
// be replaced by an event.
#ifndef AUTOPROF_AUDIT_RULES_ORDER_H
#define AUTOPROF_AUDIT_RULES_ORDER_H

#include "audit/rules/Streams.h"

namespace autoprof::audit {

enum class Order : uint8_t { Kept, Unknown, Lost };

/// Whether work on `Later` runs after the work that was queued on `Earlier`
/// before it.
Order orderOf(const StreamUse &Earlier, const StreamUse &Later);

/// The work, up to the next wait for the same work, whose order after what an
/// explicit wait waits for would be Lost or Unknown without the wait; the most
/// uncertain one.
struct OrderWithout {
  Order Kept = Order::Kept;
  Place Location; ///< Of that work; Line 0: in a caller.
  /// For work that a function may queue whose code is not visible: "'f'", or
  /// "the function that is called". Otherwise "".
  std::string Unseen;
};
OrderWithout orderWithout(const Project &P, const LinkedSite &Wait);

/// The name of the stream that all work is on that an explicit wait waits for;
/// "" if there may be several streams, or it has no name.
std::string onlyStreamOf(const Project &P, const LinkedSite &Wait);

/// Of a Thrust algorithm: why its wait may be needed.
struct WaitReason {
  enum Kind : uint8_t { None, OtherStream, HostReads, Clock, Unseen };
  Kind Class = None;
  Place Location; ///< Line 0: not a single place.
};
WaitReason whyThrustWaits(const Project &P, const LinkedSite &Algorithm);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_ORDER_H
