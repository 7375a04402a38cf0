// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/ProbeText.h"

#include "source/Site.h"

namespace autoprof::source {

static std::string variable(const char *Class, const char *Prefix,
                            uint64_t Id) {
  std::string Name = hex(Id);
  return std::string("const ::autoprof::") + Class + " " + Prefix + Name + "(" +
         Name + ");";
}

std::string ProbeText::site(uint64_t Id) const {
  return Expanded ? "(void)::autoprof::scope(" + hex(Id) + "), "
                  : "AP_SITE(" + hex(Id) + ") ";
}

std::string ProbeText::siteScope(uint64_t Id) const {
  return Expanded ? variable("site_scope", "autoprof_site_", Id)
                  : "AP_SITE_SCOPE(" + hex(Id) + ")";
}

std::string ProbeText::range(uint64_t Id) const {
  return Expanded ? variable("range_scope", "autoprof_range_", Id)
                  : "AP_RANGE(" + hex(Id) + ")";
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

} // namespace autoprof::source
