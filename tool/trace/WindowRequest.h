// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of a recording that a user requests with --window=FROM:TO.
#pragma once

#include "trace/timeline/Timeline.h"

#include "llvm/Support/Error.h"

namespace autoprof::trace {

class WindowRequest {
  /// One end: a share of the recording, or a time from its beginning.
  struct Edge {
    bool IsShare;
    double Value; ///< A share: 0 to 1; else ns.
  };
  Edge From, To;
  std::string Text;

  WindowRequest(Edge From, Edge To, llvm::StringRef Text)
      : From(From), To(To), Text(Text.str()) {}
  static llvm::Expected<Edge> parseEdge(llvm::StringRef Text);

public:
  /// "2s:3.5s", "10%:20%", "500ms:", ":90%". Units: ns, us, ms, s, min. Without
  /// a FROM or TO: to the recording's beginning or end. An error is one
  /// sentence.
  static llvm::Expected<WindowRequest> parse(llvm::StringRef Text);

  /// On the timeline's clock, inside of `Whole`: from the first start to the
  /// last end of anything recorded. An error when nothing of it is inside.
  llvm::Expected<Window> in(const Window &Whole) const;

  llvm::StringRef text() const { return Text; }
};

} // namespace autoprof::trace
