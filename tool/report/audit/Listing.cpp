// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/audit/Listing.h"

#include "report/Html.h"
#include "report/SourceMarkup.h"
#include "report/audit/Prices.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include <map>

using namespace autoprof;
using namespace autoprof::audit;
using catalogue::Waits;
using llvm::StringRef;

namespace autoprof::report {

namespace {

/// Lines shown before and after a marked one.
constexpr unsigned Context = 3;
/// A longer gap cannot be opened.
constexpr unsigned LongestGap = 120;

std::string number(size_t N) { return std::to_string(N); }

/// What a call does to the host, as the class of its mark: it waits, it may
/// wait, or neither.
const char *classOf(const LinkedSite &S) {
  return S.Effects.Wait == Waits::Yes     ? "y"
         : S.Effects.Wait == Waits::Maybe ? "m"
                                          : "n";
}

std::string effectOf(const LinkedSite &S) {
  switch (S.Effects.Wait) {
  case Waits::Yes:
    return "waits";
  case Waits::Maybe:
    return "may wait: " + S.Effects.Reason;
  case Waits::Slow:
    return "does not wait for the GPU, and takes long: " + S.Effects.Reason;
  case Waits::No:
    break;
  }
  return "does not wait";
}

std::string titleOf(const Audit &A, const LinkedSite &S) {
  std::string Result = S.Model->Callee + " " + effectOf(S);
  if (S.Effects.Wait == Waits::Yes && !S.Effects.Reason.empty())
    Result += ": " + S.Effects.Reason;
  return Result + (A.isHot(S) ? "; in a launching loop" : "");
}

/// Writes the lines of one file.
class Lines {
  const Audit &A;
  const Pricing *Priced;
  llvm::ArrayRef<StringRef> Text;
  const std::string Anchor;
  Painter Paint;
  unsigned Next = 1; ///< The first line that was not painted yet.
  std::map<unsigned, std::vector<const LinkedSite *>> Sites;

public:
  Lines(const Audit &A, llvm::ArrayRef<StringRef> Text, const ListedFile &F,
        std::string Anchor)
      : A(A), Priced(A.Priced.get()), Text(Text), Anchor(std::move(Anchor)) {
    for (const LinkedSite *S : F.Sites)
      Sites[S->Model->Location.Line].push_back(S);
  }

  /// Lines have to come in their order; `Linked`: others may link to it.
  std::string line(unsigned Line, bool Linked) {
    skipTo(Line);
    ++Next;
    const std::vector<Ink> Inks = Paint.paint(Text[Line - 1]);
    std::string Class = "l", Notes;
    std::vector<Mark> Marks;
    auto Found = Sites.find(Line);
    if (Found != Sites.end())
      annotate(Found->second, Class, Notes, Marks);
    return "<div class=\"" + Class + "\" data-n=\"" + number(Line) + "\"" +
           (Linked ? " id=\"" + Anchor + "-" + number(Line) + "\"" : "") +
           "><code>" + markupLine(Text[Line - 1], Inks, Marks) + Notes +
           "</code></div>\n";
  }

  /// The lines from First to before End, folded.
  std::string gap(unsigned First, unsigned End, bool MayOpen) {
    const unsigned Count = End - First;
    if (!Count)
      return "";
    const std::string Size = number(Count) + (Count == 1 ? " line" : " lines");
    if (!MayOpen || Count > LongestGap)
      return "<p class=\"gap\">" + Size + "</p>\n";
    std::string Result =
        "<details class=\"gap\"><summary>" + Size + "</summary>\n";
    for (unsigned I = First; I < End; ++I)
      Result += line(I, false);
    return Result + "</details>\n";
  }

private:
  void skipTo(unsigned Line) {
    for (; Next < Line; ++Next)
      Paint.paint(Text[Next - 1]);
  }

  void annotate(llvm::ArrayRef<const LinkedSite *> LineSites,
                std::string &Class, std::string &Notes,
                std::vector<Mark> &Marks) const {
    bool Waits = false, May = false, Hot = false;
    for (const LinkedSite *S : LineSites) {
      const char *Kind = classOf(*S);
      Marks.push_back({S->Model->Location.Column, Kind, titleOf(A, *S)});
      if (catalogue::mayWait(S->Effects.Wait))
        annotateWait(*S, LineSites.size() > 1, Notes);
      if (Priced)
        annotatePrice(*S, LineSites.size() > 1, Notes);
      if (!catalogue::mayWait(S->Effects.Wait))
        continue;
      (S->Effects.Wait == Waits::Yes ? Waits : May) = true;
      Hot |= A.isHot(*S);
    }
    Class += Waits ? " y" : May ? " m" : " n";
    Class += Hot ? " hot" : "";
  }

  void annotateWait(const LinkedSite &S, bool Several,
                    std::string &Notes) const {
    Notes += "<span class=\"a " + std::string(classOf(S)) + "\">" +
             (Several ? escapeHtml(S.Model->Callee) + " " : "") +
             escapeHtml(effectOf(S)) +
             (A.isHot(S) ? ", in a launching loop" : "") + "</span>";
  }

  /// What the recordings measured there.
  void annotatePrice(const LinkedSite &S, bool Several,
                     std::string &Notes) const {
    if (const std::string Text = recordedText(*Priced, S); !Text.empty())
      Notes += "<span class=\"a r\">" +
               (Several ? escapeHtml(S.Model->Callee) + " " : "") +
               escapeHtml(Text) + "</span>";
  }
};

} // namespace

std::string anchorOf(unsigned File, unsigned Line) {
  return "f" + number(File) + (Line ? "-" + number(Line) : "");
}

Listing::Listing(const Audit &A) : A(A) {
  auto FileOf = [&](const Place &Position) -> ListedFile & {
    auto [It, New] = ByPath.try_emplace(Position.File, Files.size());
    if (New)
      Files.push_back({Position.File, A.P.shownPath(Position), {}, {}, {}, {}});
    return Files[It->second];
  };
  for (const LinkedSite *S : A.Sites)
    FileOf(S->Model->Location).Sites.push_back(S);
  for (unsigned I = 0; I < A.Findings.size(); ++I)
    FileOf(A.Findings[I].Location).Findings.push_back({I, &A.Findings[I]});
  // The loop may be in a file without calls of the GPU's API.
  for (const Finding &F : A.Findings)
    for (const PathStep &Step : F.Path)
      FileOf(Step.Location);
  mark();
  shortenPaths();
  sortFiles();
}

void Listing::mark() {
  for (ListedFile &F : Files) {
    for (const LinkedSite *S : F.Sites)
      F.Marked.insert(S->Model->Location.Line);
    for (const auto &[Number, Item] : F.Findings)
      F.Marked.insert(Item->Location.Line);
  }
  for (const Finding &F : A.Findings)
    for (const auto *Steps : {&F.Path, &F.Notes})
      for (const PathStep &Step : *Steps)
        if (auto It = ByPath.find(Step.Location.File); It != ByPath.end()) {
          Files[It->second].Marked.insert(Step.Location.Line);
          Files[It->second].Linked.insert(Step.Location.Line);
        }
}

void Listing::shortenPaths() {
  if (Files.empty())
    return;
  Folder = llvm::sys::path::parent_path(Files.front().Shown).str();
  for (const ListedFile &F : Files)
    while (!Folder.empty() && !StringRef(F.Shown).starts_with(Folder + "/"))
      Folder = llvm::sys::path::parent_path(Folder).str();
  if (Folder == "/" || !StringRef(Folder).starts_with("/"))
    Folder.clear(); // they are relative to the root
  for (ListedFile &F : Files)
    F.Shown = shown({F.Path});
}

std::string Listing::shown(const Place &Position) const {
  const std::string Whole = A.P.shownPath(Position);
  return !Folder.empty() && StringRef(Whole).starts_with(Folder + "/")
             ? Whole.substr(Folder.size() + 1)
             : Whole;
}

/// The worst first.
void Listing::sortFiles() {
  auto KeyOf = [](const ListedFile &F) {
    int Worst = -1;
    for (auto &[Number, Item] : F.Findings)
      Worst = std::max(Worst, int(Item->Level));
    return std::tuple(-Worst, -int(F.Findings.size()), StringRef(F.Shown));
  };
  llvm::sort(Files, [&](const ListedFile &X, const ListedFile &Y) {
    return KeyOf(X) < KeyOf(Y);
  });
  for (unsigned I = 0; I < Files.size(); ++I)
    ByPath[Files[I].Path] = I;
}

std::string Listing::link(const Place &Position, StringRef Origin) const {
  std::string Text = Position.File == Origin ? "line " + number(Position.Line)
                                             : escapeHtml(shown(Position)) +
                                                   ":" + number(Position.Line);
  auto It = ByPath.find(Position.File);
  if (It == ByPath.end() || !Files[It->second].Linked.count(Position.Line))
    return Text;
  return "<a href=\"#" + anchorOf(It->second, Position.Line) + "\">" + Text +
         "</a>";
}

std::string Listing::steps(llvm::ArrayRef<PathStep> Steps,
                           StringRef Origin) const {
  std::string Result;
  for (const PathStep &Step : Steps)
    Result += "<li>" + escapeHtml(Step.Description) + ": " +
              link(Step.Location, Origin) + "</li>\n";
  return Result.empty() ? "" : "<ol>\n" + Result + "</ol>\n";
}

std::string Listing::finding(unsigned Number, const Finding &F) const {
  const std::string Level = name(F.Level).str();
  std::string Result = "<article class=\"finding " + Level +
                       "\" id=\"finding-" + number(Number) +
                       "\" data-severity=\"" + Level + "\" data-rule=\"" +
                       escapeHtml(F.Rule) +
                       "\" tabindex=\"-1\">\n<h3><span class=\"severity\">" +
                       Level + "</span> " + escapeHtml(F.Message) + "</h3>\n";
  if (const std::string Price = priceText(A, F); !Price.empty())
    Result += "<p class=\"price\"><span>Measured</span> " + escapeHtml(Price) +
              "</p>\n";
  Result += steps(F.Path, F.Location.File) + steps(F.Notes, F.Location.File);
  if (!F.Replacement.empty())
    Result += "<p class=\"instead\"><span>Instead</span> <code>" +
              escapeHtml(F.Replacement) + "</code></p>\n";
  Result += "<p class=\"rule\"><a href=\"#" + F.Rule + "\">" +
            escapeHtml(F.Rule) + "</a>, confidence " + name(F.Certainty).str();
  if (!F.FixIts.empty())
    Result += ", <code>--fix</code> makes this change";
  return Result + "</p>\n</article>\n";
}

std::string Listing::below(const ListedFile &F, unsigned Line) const {
  std::string Result;
  for (const auto &[Number, Item] : F.Findings)
    if (Item->Location.Line == Line)
      Result += finding(Number, *Item);
  return Result;
}

std::string Listing::write(const ListedFile &F) {
  llvm::ArrayRef<StringRef> Text = Source.lines(F.Path);
  if (!Text.empty() && Text.back().empty())
    Text = Text.drop_back(); // after the last line's end
  Lines Write(A, Text, F, anchorOf(ByPath.lookup(F.Path)));
  const bool MayOpen = !F.Findings.empty();
  std::string Result;
  unsigned Next = 1; // the first line that was not written yet
  auto Show = [&](unsigned End, bool Linked) {
    for (; Next < End; ++Next)
      Result += Write.line(Next, Linked);
  };
  for (const unsigned Line : F.Marked) {
    if (!Line || Line > Text.size()) { // it has changed, or cannot be read
      Result += below(F, Line);
      continue;
    }
    Show(std::min(Line, Next + (Next == 1 ? 0 : Context)), false);
    // A gap of one line is as long as the line.
    if (Line > Next + Context + 1) {
      Result += Write.gap(Next, Line - Context, MayOpen);
      Next = Line - Context;
    }
    Show(Line, false);
    Show(Line + 1, F.Linked.count(Line));
    Result += below(F, Line);
  }
  const unsigned End = unsigned(Text.size()) + 1;
  Show(std::min(End, Next + Context), false);
  return Result + Write.gap(Next, End, MayOpen);
}

} // namespace autoprof::report
