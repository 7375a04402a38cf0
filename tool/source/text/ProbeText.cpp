// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/text/ProbeText.h"

#include "source/project/Site.h"

#include "llvm/ADT/Twine.h"

using llvm::StringRef;

namespace autoprof::source {

size_t ProbeText::longestTable() const {
  return IsC ? LongestTableInC : LongestTable;
}

static std::string macro(const std::string &Name, uint64_t Id) {
  return Name + "(" + hex(Id) + ")";
}

std::string ProbeText::site(uint64_t Id) const {
  return macro("AP_SITE", Id) + " ";
}

std::string ProbeText::scope(uint64_t Id) const {
  return macro("AP_SITE_SCOPE", Id);
}

Wrapping ProbeText::expression(uint64_t Id) const {
  if (IsC)
    return {"__extension__({" + scope(Id) + " ", ";})"};
  return {"(" + site(Id), ")"};
}

Wrapping ProbeText::block(uint64_t Id) const {
  return {"{" + scope(Id) + " ", "}"};
}

Wrapping ProbeText::bracket(uint64_t Id) const {
  return {macro("AP_SITE_BEGIN", Id) + " ", " " + macro("AP_SITE_END", Id)};
}

Wrapping ProbeText::object(uint64_t Id) const {
  return {macro("AP_OBJECT", Id) + " ", " " + macro("AP_OBJECT_END", Id)};
}

std::string ProbeText::range(uint64_t Id) const {
  return macro("AP_RANGE", Id);
}

std::string ProbeText::table(llvm::StringRef Rows) const {
  return "AP_TABLE(\"" + Rows.str() + "\")";
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
