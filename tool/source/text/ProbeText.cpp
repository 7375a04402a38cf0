// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/text/ProbeText.h"

#include "source/project/Site.h"

using llvm::StringRef;

namespace autoprof::source {

ProbeText ProbeText::of(const clang::CompilerInstance &CI) {
  return {CI.getFrontendOpts().Inputs[0].isPreprocessed(),
          CI.getLangOpts().CPlusPlus ? Language::Cxx : Language::C};
}

size_t ProbeText::longestTable() const {
  return L == Language::C ? LongestTableInC : LongestTable;
}

/// Declares a variable of one of the classes of probe.h.
static std::string variable(const std::string &Class, const std::string &Prefix,
                            uint64_t Id, const std::string &Init) {
  return "::autoprof::" + Class + " autoprof_" + Prefix + "_" + hex(Id) + "(" +
         Init + ");";
}

/// The same in C; `What` is site or range.
static std::string cleanup(const std::string &What, uint64_t Id) {
  return "__attribute__((cleanup(autoprof_" + What +
         "_end))) struct autoprof_scope autoprof_" + What + "_" + hex(Id) +
         " = autoprof_" + What + "_begin(" + hex(Id) + ");";
}

static std::string macro(const std::string &Name, uint64_t Id) {
  return Name + "(" + hex(Id) + ")";
}

std::string ProbeText::site(uint64_t Id) const {
  return Expanded ? "(void)::autoprof::scope(" + hex(Id) + "), "
                  : macro("AP_SITE", Id) + " ";
}

std::string ProbeText::scope(uint64_t Id) const {
  if (!Expanded)
    return macro("AP_SITE_SCOPE", Id);
  return L == Language::C
             ? cleanup("site", Id)
             : "const " + variable("site_scope", "site", Id, hex(Id));
}

Wrapping ProbeText::expression(uint64_t Id) const {
  if (L == Language::C)
    return {"__extension__({" + scope(Id) + " ", ";})"};
  return {"(" + site(Id), ")"};
}

Wrapping ProbeText::block(uint64_t Id) const {
  return {"{" + scope(Id) + " ", "}"};
}

Wrapping ProbeText::bracket(uint64_t Id) const {
  if (!Expanded)
    return {macro("AP_SITE_BEGIN", Id) + " ", " " + macro("AP_SITE_END", Id)};
  if (L == Language::C)
    return {cleanup("site", Id) + " ",
            " autoprof_site_end(&autoprof_site_" + hex(Id) + ");"};
  return {variable("site_scope", "site", Id, hex(Id)) + " ",
          " autoprof_site_" + hex(Id) + ".end();"};
}

Wrapping ProbeText::object(uint64_t Id) const {
  if (!Expanded)
    return {macro("AP_OBJECT", Id) + " ", " " + macro("AP_OBJECT_END", Id)};
  return {variable("destruction", "object", Id, hex(Id)) + " ",
          " const " + variable("destruction_start", "start", Id,
                               "autoprof_object_" + hex(Id))};
}

Wrapping ProbeText::postponed(uint64_t Id) const {
  return {Expanded ? "::autoprof::postponed<" + hex(Id) + ">::"
                   : macro("AP_POSTPONED", Id),
          ""};
}

Wrapping ProbeText::removed(uint64_t Id) const {
  if (Expanded)
    return {"::autoprof::removed<" + hex(Id) + ", decltype(", ")>()"};
  return {macro("AP_REMOVED", Id), "AP_REMOVED_END"};
}

std::string ProbeText::postponedObject(uint64_t Id, StringRef Callee) const {
  const bool Async = Callee == "cudaMemcpyAsync";
  if (!Expanded)
    return (Async ? "AP_POSTPONED_ASYNC(" : "AP_POSTPONED_CALL(") + hex(Id) +
           ", " + Callee.str() + ") ";
  return std::string("const ::autoprof::postponed") +
         (Async ? "_async<" : "<") + hex(Id) + "> " + Callee.str() + " = {}; ";
}

std::string ProbeText::removedObject(uint64_t Id, StringRef Callee) const {
  if (!Expanded)
    return "AP_REMOVED_CALL(" + hex(Id) + ", " + Callee.str() + ") ";
  return "const auto " + Callee.str() + " = ::autoprof::remove_function<" +
         hex(Id) + ">(::" + Callee.str() + "); ";
}

std::string ProbeText::range(uint64_t Id) const {
  if (!Expanded)
    return macro("AP_RANGE", Id);
  return L == Language::C
             ? cleanup("range", Id)
             : "const " + variable("range_scope", "range", Id, hex(Id));
}

std::string ProbeText::table(llvm::StringRef Rows) const {
  if (!Expanded)
    return "AP_TABLE(\"" + Rows.str() + "\")";
  return "__asm__(\".pushsection .note.autoprof,\\\"a\\\",@note\\n\""
         "\".balign 4\\n\""
         "\".long 9, 772f - 771f, 1\\n\""
         "\".asciz \\\"autoprof\\\"\\n\""
         "\".balign 4\\n\""
         "\"771: .long autoprof_hooks_v1 - .\\n\""
         "\".asciz \\\"" +
         Rows.str() +
         "\\\"\\n\""
         "\"772: .balign 4\\n\""
         "\".popsection\\n\");";
}

std::string tableAssembly(llvm::StringRef Rows) {
  return (".pushsection .note.autoprof,\"a\",@note\n"
          ".balign 4\n"
          ".long 9, 772f - 771f, 1\n"
          ".asciz \"autoprof\"\n"
          ".balign 4\n"
          "771: .long autoprof_hooks_v1 - .\n"
          ".asciz \"" +
          Rows +
          "\"\n"
          "772: .balign 4\n"
          ".popsection\n")
      .str();
}

std::optional<uint64_t> probeId(llvm::StringRef Text) {
  uint64_t Id = 0;
  llvm::StringRef Digits = Text.split("0x").second;
  if (Digits.size() < 16 || Digits.take_front(16).getAsInteger(16, Id))
    return std::nullopt;
  return Id;
}

} // namespace autoprof::source
