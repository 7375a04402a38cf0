// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/page/Parts.h"

#include "report/Format.h"
#include "report/Html.h"
#include "report/recording/Sentences.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using llvm::StringRef;

namespace {

// clang-format off: the order matters.
constexpr StringRef Style =
#include "report/base.css.inc"
#include "report/recording.css.inc"
    ;
constexpr StringRef Script =
#include "report/tables.js.inc"
#include "report/timeline_model.js.inc"
#include "report/timeline_draw.js.inc"
#include "report/timeline.js.inc"
    ;
// clang-format on

} // namespace

std::string report::figures(llvm::ArrayRef<Figure> All) {
  std::string Result = "<dl class=\"figures\">\n";
  for (const Figure &F : All)
    Result += fmt::format("<div><dt>{}</dt><dd><b>{}</b> <span>{}</span></dd>"
                          "</div>\n",
                          escapeHtml(F.Name), escapeHtml(F.Value),
                          escapeHtml(F.More));
  return Result + "</dl>\n";
}

std::string report::tableSection(StringRef Heading, const TextTable &Table) {
  if (Table.empty())
    return "";
  std::string Result;
  llvm::raw_string_ostream Out(Result);
  Out << "<section class=\"sheet\">\n<h2>" << escapeHtml(Heading)
      << "</h2>\n<div class=\"scroll\">\n";
  Table.printHtml(Out);
  Out << "</div>\n</section>\n";
  return Result;
}

std::string report::timelineSection(StringRef Id, StringRef Heading,
                                    const Input &In) {
  const TimelinePart Part = choosePart(In);
  if (Part.From >= Part.To)
    return "";
  return fmt::format(
      "<section class=\"timeline\" id=\"{0}\">\n<h2>{1}</h2>\n"
      "<p class=\"what\">Shown: {2}.</p>\n"
      "<noscript><p class=\"what\">The timeline needs JavaScript; everything "
      "else on this page does not.</p></noscript>\n"
      "<div class=\"stage\" hidden></div>\n"
      "<script type=\"application/json\">{3}</script>\n</section>\n",
      Id.str(), escapeHtml(Heading), escapeHtml(Part.What),
      timelineJson(In, Part));
}

std::string report::caveatSection(llvm::ArrayRef<std::string> Caveats) {
  if (Caveats.empty())
    return "";
  std::string Result = "<aside class=\"caveats\">\n<h2>What this recording "
                       "lacks</h2>\n<ul>\n";
  for (const std::string &One : Caveats)
    Result += "<li>" + escapeHtml(One) + "</li>\n";
  return Result + "</ul>\n</aside>\n";
}

std::string report::summarySection(
    StringRef Heading,
    llvm::ArrayRef<std::pair<std::string, std::string>> Lines) {
  std::string Result = "<section>\n<h2>" + escapeHtml(Heading) +
                       "</h2>\n<table class=\"summary\">\n";
  for (const auto &[Name, Value] : Lines)
    Result += "<tr><th scope=\"row\">" + escapeHtml(Name) + "</th><td>" +
              escapeHtml(Value) + "</td></tr>\n";
  return Result + "</table>\n</section>\n";
}

std::string report::recordingPage(StringRef Title, StringRef Body) {
  return htmlPage(Title, Style, Body, Script);
}
