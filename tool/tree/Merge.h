// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One text for all translation units ---------------------------------- The
// plugin gives each translation unit its own view of a header; an annotated
// tree has only one copy. So the probes that the units want in a file are
// merged: a place that only some of them see is annotated for all. Two units
// disagree about a place when
//
// - one puts a probe there and the other found that it cannot have one,
// - they put different probes there, and neither would do for both: a block
//   does where the other wants a prefix, and what C needs does in C++, or
// - they number the calls of a function differently, because an #if hides some
//   from one, and so give two places the same id.
//
// Such a place gets no probe in the tree, and is reported with both units. When
// they only give the same probe different ids, the first unit's id counts.
#ifndef AUTOPROF_TREE_MERGE_H
#define AUTOPROF_TREE_MERGE_H

#include "source/text/Rewriting.h"

#include <functional>
#include <map>
#include <set>

namespace autoprof::tree {

/// One file and what goes into it.
struct MergedFile {
  std::string Path; ///< Absolute, without symbolic links.
  std::string Text; ///< Original.
  std::vector<source::Edit> Probes;
  std::vector<source::Site> Table; ///< Of a main file, over all its units.
};

struct Merged {
  std::vector<MergedFile> Files;   ///< By path; each has probes or a table.
  std::vector<source::Site> Sites; ///< By place.
  std::vector<source::Skipped> NotInstrumented; ///< By place.
};

class Merge {
public:
  /// What may be done with a file.
  struct Rule {
    bool HasProbes = false; ///< It has its probes already: no edits.
    std::string Refused;    ///< Why it takes no edits, "" if it does.
  };
  using Rules = std::function<Rule(llvm::StringRef Path, llvm::StringRef Text)>;

  /// `RuleOf` is asked once for each file with edits; its path is absolute.
  explicit Merge(Rules RuleOf) : RuleOf(std::move(RuleOf)) {}

  /// Adds a translation unit, without its table. `Main` is the absolute path
  /// of its main file and `Name` what messages call it. Files are named by
  /// absolute paths; the main file is among them even when it has no edits. The
  /// order of the units decides whose ids count.
  void add(llvm::StringRef Main, llvm::StringRef Name, source::Rewriting R);

  /// What all units together want. Call it once.
  Merged take();

private:
  /// File, line, column, kind, callee: what two units agree on about a place.
  using Key =
      std::tuple<std::string, unsigned, unsigned, std::string, std::string>;
  struct Place {
    source::Site Site;
    std::string File; ///< Path of the text.
    std::vector<source::Edit> Changes;
    std::set<unsigned> Units;
    std::string Refused; ///< Why it is left alone, "" if it is not.
  };
  struct File {
    std::string Text;
    Rule Handling;
  };

  /// The edits of one unit, by the id of their probe.
  using EditsById =
      std::map<uint64_t, std::pair<std::string, std::vector<source::Edit>>>;

  template <typename PlaceT> static Key keyOf(const PlaceT &P);
  EditsById takeFiles(source::Rewriting &R);
  void addPlace(const source::Site &S, llvm::StringRef Path,
                std::vector<source::Edit> Changes);
  void refuse(Place &P, unsigned A, unsigned B, llvm::StringRef Reason);
  std::map<std::string, std::vector<Place *>> placesByFile();
  void refuseSkipped();
  void refuseClashes(llvm::ArrayRef<Place *> InFile);
  void refuseSameIds(llvm::ArrayRef<Place *> InFile);

  Rules RuleOf;
  std::vector<std::string> Units;
  std::map<Key, Place> Places;
  std::map<Key, std::vector<std::pair<unsigned, source::Skipped>>> Skips;
  std::map<std::string, File> Files;
  std::map<std::string, std::set<Key>> Tables; ///< By main file.
};

} // namespace autoprof::tree

#endif // AUTOPROF_TREE_MERGE_H
