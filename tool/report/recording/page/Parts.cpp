// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/page/Parts.h"

#include "report/Format.h"
#include "report/Html.h"
#include "report/recording/Sentences.h"
#include "report/recording/WhatIfs.h"

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

std::string report::tableSection(StringRef Heading, const TextTable &Table,
                                 StringRef Note) {
  if (Table.empty())
    return "";
  std::string Result;
  llvm::raw_string_ostream Out(Result);
  Out << "<section class=\"sheet\">\n<h2>" << escapeHtml(Heading) << "</h2>\n";
  if (!Note.empty())
    Out << "<p class=\"what\">" << escapeHtml(Note) << "</p>\n";
  Out << "<div class=\"scroll\">\n";
  Table.printHtml(Out, MaxTableRows, MaxCellBytes);
  Out << "</div>\n";
  if (Table.size() > MaxTableRows)
    Out << fmt::format("<p class=\"what\">{} more rows are omitted; "
                       "--format=json lists all.</p>\n",
                       count(Table.size() - MaxTableRows));
  Out << "</section>\n";
  return Result;
}

std::string report::changesSection(StringRef Heading, const Input &Subject) {
  std::string Note = "The recording is replayed with the calls changed. ";
  if (Subject.R.WhatIfs.UnrecordedWhole)
    Note += "The first figures are for an unrecorded run: the time that "
            "recording adds to each call is subtracted. ";
  Note += "In the recorded run, the gain of changing a wait is never more than "
          "the exposed stall "
          "and, where an operator goes with its call, the operator's own CPU "
          "time; savings beyond it are less certain.";
  return tableSection(Heading, whatIfTable(Subject), Note);
}

std::string report::findingsSection(StringRef Heading, const Input &Subject) {
  if (Subject.R.Findings.empty())
    return "";
  std::string Result = "<section class=\"findings\">\n<h2>" +
                       escapeHtml(Heading) + "</h2>\n<ul>\n";
  for (const analysis::Finding &F : Subject.R.Findings) {
    Result += fmt::format(
        "<li class=\"{0}\"><h3><b>{0}</b> <code>{1}</code></h3>\n<p>{2}</p>\n",
        analysis::name(F.Severity).str(), escapeHtml(F.Rule),
        escapeHtml(F.Message));
    if (!F.Advice.empty())
      Result += "<p>" + escapeHtml(F.Advice) + "</p>\n";
    if (!F.Doubt.empty())
      Result += "<p class=\"what\">Caveat: " + escapeHtml(F.Doubt) + "</p>\n";
    Result += "</li>\n";
  }
  return Result + "</ul>\n</section>\n";
}

std::string report::pageParts(llvm::ArrayRef<Part> Parts) {
  std::string Links, Body;
  for (const Part &P : Parts) {
    if (P.Html.empty())
      continue;
    Links += fmt::format("<a href=\"#{}\">{}</a>\n", P.Id, escapeHtml(P.Name));
    Body += fmt::format("<div id=\"{}\">\n{}</div>\n", P.Id, P.Html);
  }
  return "<nav>\n" + Links + "</nav>\n<main>\n" + Body + "</main>\n";
}

std::string report::timelineSection(StringRef Id, StringRef Heading,
                                    const Input &Subject) {
  const TimelinePart Part = choosePart(Subject);
  if (Part.Start >= Part.End)
    return "";
  return fmt::format(
      "<section class=\"timeline\" id=\"{0}\">\n<h2>{1}</h2>\n"
      "<p class=\"what\">Shown: {2}.</p>\n"
      "<noscript><p class=\"what\">The timeline needs JavaScript; everything "
      "else on this page does not.</p></noscript>\n"
      "<div class=\"stage\" hidden></div>\n"
      "<script type=\"application/json\">{3}</script>\n</section>\n",
      Id.str(), escapeHtml(Heading), escapeHtml(Part.Caption),
      timelineJson(Subject, Part));
}

std::string report::caveatSection(StringRef Heading,
                                  llvm::ArrayRef<std::string> Caveats) {
  if (Caveats.empty())
    return "";
  std::string Result =
      "<aside class=\"caveats\">\n<h2>" + escapeHtml(Heading) + "</h2>\n<ul>\n";
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
  return htmlPage(cut(Title, MaxCellBytes, /*AtEnd=*/true), Style, Body,
                  Script);
}
