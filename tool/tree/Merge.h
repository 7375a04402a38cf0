// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One text for all translation units.
// The plugin gives each translation unit its own view of a header; an annotated
// tree has only one copy. So the probes of all units in a file are merged: a
// place that only some of them see is annotated for all. Two units disagree
// about a place if
//
// - one puts a probe there and the other found that it cannot have one,
// - they put different probes there, and neither works for both: a block works
//   where the other unit wants a prefix, and the form for C works in C++, or
// - they number the calls of a function differently, because an #if hides some
//   from one, and so give two places the same id.
//
// Such a place gets no probe in the tree, and is reported with both units. If
// they only give the same probe different ids, the first unit's id counts.
#pragma once

#include "source/text/Rewriting.h"

#include <functional>
#include <map>
#include <set>

namespace autoprof::tree {

/// A file and its probes.
struct MergedFile {
  std::string Path; ///< Absolute, without symbolic links.
  std::string Text; ///< Original.
  std::vector<source::Edit> Probes;
  std::vector<source::Site> Table; ///< For a main file: sites of all its units.
};

struct Merged {
  /// Sorted by path; each has probes or a table.
  std::vector<MergedFile> Files;
  std::vector<source::Site> Sites;              ///< Sorted by place.
  std::vector<source::Skipped> NotInstrumented; ///< Sorted by place.
};

class Merge {
public:
  /// The permitted changes of a file.
  struct Rule {
    bool HasProbes = false; ///< It already has its probes: no edits.
    std::string Refused;    ///< Why it may not be edited, or "".
  };
  using Rules = std::function<Rule(llvm::StringRef Path, llvm::StringRef Text)>;

  /// `RuleOf` is called once for each file with edits; its path is absolute.
  explicit Merge(Rules RuleOf) : RuleOf(std::move(RuleOf)) {}

  /// Adds a translation unit, without its table. `Main` is the absolute path of
  /// its main file and `Name` its name in messages. Files are named by absolute
  /// paths; the main file is among them even if it has no edits. The order of
  /// the units determines whose ids count.
  void add(llvm::StringRef Main, llvm::StringRef Name, source::Rewriting R);

  /// Returns the merged result of all units. Call it once.
  Merged take();

private:
  /// File, line, column, kind, callee: two units agree on these for a place.
  using Key =
      std::tuple<std::string, unsigned, unsigned, std::string, std::string>;
  struct Place {
    source::Site Site;
    std::string File; ///< Path of the text.
    std::vector<source::Edit> Changes;
    std::set<unsigned> Units;
    std::string Refused; ///< Why it is not annotated, or "".
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
  std::map<std::string, std::set<Key>> Tables; ///< Indexed by main file.
};

} // namespace autoprof::tree
