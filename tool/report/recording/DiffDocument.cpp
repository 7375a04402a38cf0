// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two recordings, or groups of them: the sections in order.
#include "report/recording/Sections.h"

#include "report/recording/DiffText.h"

using namespace autoprof;
using namespace autoprof::report;
using analysis::RunSummary;

namespace {

Phrase side(const std::vector<RunSummary> &Side) {
  Phrase Text = diffTitle(Side);
  if (const std::string &Command = Side[0].Info.CommandLine; !Command.empty())
    Text += ": " + code(Command);
  if (Side.size() > 1)
    Text += "; charts and timeline of the first";
  return Text;
}

/// A section of one side's report, on pages.
Section ofSide(Section S, const std::string &HeadingEnd, std::string Id = "",
               std::string Link = "") {
  S.Heading += HeadingEnd;
  S.Id = std::move(Id);
  S.Link = std::move(Link);
  S.Where = Shown::OnPages;
  return S;
}

} // namespace

Document report::diffDocument(const DiffInput &About, const TextStyle &Style) {
  const analysis::Difference &D = About.D;
  const Input &Base = About.Base, &New = About.New;
  Document Doc;
  Doc.Title = "autoprof: before and after";
  Doc.Page = recordingParts();
  Doc.Answer.say(diffEffect(D), Paragraph::Answer).say(diffCause(D));
  for (const std::string &Note : diffNotes(D))
    Doc.Answer.say(Note, Paragraph::Note);
  Doc.Answer.add(Facts{{{"base", side(D.Base)}, {"new", side(D.New)}}});

  Doc.Sections = {
      proofSection(D),
      waitChangeSection(D),
      partChangeSection(D),
      sidesSection(D),
      causeChangeSection(D),
      D.Step ? stepSection(Base, &New) : Section(),
      ofSide(timeSection(Base, Style), ", base", "time", "Where time goes"),
      ofSide(timeSection(New, Style), ", new"),
      ofSide(timelineSection(Base), ", base", "timeline-base"),
      ofSide(timelineSection(New), ", new", "timeline-new"),
      ofSide(answerSection(New), " in the new recording", "next",
             "Next changes"),
      ofSide(findingSection(New), " in the new recording")};
  for (const Section &S : memorySections(Base))
    Doc.Sections.push_back(ofSide(S, ", base", S.Id, S.Link));
  for (const Section &S : memorySections(New))
    Doc.Sections.push_back(ofSide(S, ", new"));
  Doc.LimitsHeading = "Limitations of this comparison";
  Doc.Limits = diffCaveats(D);
  return Doc;
}
