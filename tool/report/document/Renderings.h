// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formats of documents. A new one is a file in formats/.
#pragma once

#include "report/Formats.h"
#include "report/document/Document.h"

#include <array>
#include <utility>

namespace autoprof::report {

// Of each file in formats/, as formats/List.cmake lists them.
#define AUTOPROF_FORMAT(Name, Render)                                          \
  void Render(llvm::raw_ostream &Out, const Document &D,                       \
              const TextStyle &Style);
#include "report/Formats.def"
#undef AUTOPROF_FORMAT

/// Only the diagnostics, and the answer; for subjects that have diagnostics.
void renderGithub(llvm::raw_ostream &Out, const Document &D,
                  const TextStyle &Style);

inline constexpr Format<Document> Renderings[] = {
#define AUTOPROF_FORMAT(Name, Render) {Name, Render},
#include "report/Formats.def"
#undef AUTOPROF_FORMAT
};

/// Whether a terminal or Markdown shows a block or a section.
inline bool isInText(Shown Where, const TextStyle &Style) {
  return Where == Shown::Everywhere || (Where == Shown::InFull && Style.All);
}
inline bool isInText(const Section &S, const TextStyle &Style) {
  return isInText(S.Where, Style) &&
         std::any_of(S.Blocks.begin(), S.Blocks.end(),
                     [&](const Block &B) { return isInText(B.Where, Style); });
}
/// Calls `Use` with the contents of the blocks that a terminal or Markdown
/// shows.
template <typename Visitor>
void visitInText(const Section &S, const TextStyle &Style, Visitor &Use) {
  for (const Block &B : S.Blocks)
    if (isInText(B.Where, Style))
      std::visit(Use, B.Content);
}
inline size_t rowsInText(const Table &T, const TextStyle &Style) {
  return Style.All ? T.size() : std::min(T.size(), T.Limit);
}

/// The row of a subject's own table for a rendering that is not one of
/// Renderings: {"github", as<checkDocument, renderGithub>}.
template <auto Build, Format<Document>::Writer Render, typename Subject>
void as(llvm::raw_ostream &Out, const Subject &About, const TextStyle &Style) {
  Render(Out, Build(About, Style), Style);
}

template <auto Build, typename Subject, size_t... I, typename... Own>
constexpr auto formatsOf(std::index_sequence<I...>, const Own &...Others) {
  return std::array{
      Others..., Format<Subject>{Renderings[I].Name,
                                 as<Build, Renderings[I].Write, Subject>}...};
}

/// The formats of a subject of which Build makes a document: its own, and all
/// Renderings that none of these replaces.
template <auto Build, typename Subject, typename... Own>
constexpr auto formatsOf(const Format<Subject> &First, const Own &...Others) {
  return formatsOf<Build, Subject>(
      std::make_index_sequence<std::size(Renderings)>(), First, Others...);
}

} // namespace autoprof::report
