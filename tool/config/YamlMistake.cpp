// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "config/YamlMistake.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace autoprof {

/// As it is written in YAML.
static std::string quoted(StringRef Value) {
  if (!Value.contains('\\') && !Value.contains('"'))
    return ("\"" + Value + "\"").str();
  std::string Inner = Value.str();
  for (size_t At = 0; (At = Inner.find('\'', At)) != std::string::npos; At += 2)
    Inner.insert(At, 1, '\'');
  return "'" + Inner + "'";
}

static bool isSpecial(StringRef Value) {
  return StringRef("*&!%@`|>{").contains(Value.front()) ||
         Value.starts_with("? ");
}

static std::string reserved(StringRef Value) {
  return ("YAML reserves '" + Value.take_front() +
          "' at the beginning of a value; put the value in quotes: " +
          quoted(Value))
      .str();
}

/// The mistake in a value that begins with a quote, or "".
static std::string inQuotes(StringRef Value) {
  const char Quote = Value.front();
  if (Value.size() < 2 || Value.back() != Quote)
    return (llvm::Twine("the value ") + Value + " has no closing quote").str();
  const StringRef Inner = Value.drop_front().drop_back();
  if (Quote == '"')
    for (size_t At = 0; (At = Inner.find('\\', At)) != StringRef::npos; At += 2)
      if (!StringRef("0abtnvfre \"/\\N_LPxuU")
               .contains(Inner.substr(At + 1, 1)))
        return ("YAML does not know '" + Inner.substr(At, 2) +
                "' in double quotes; use single quotes: " + quoted(Inner))
            .str();
  return "";
}

/// The mistake in a list on one line, or "".
static std::string inList(StringRef Value) {
  if (!Value.ends_with("]"))
    return Value.contains(']') ? reserved(Value) : "";
  for (StringRef Item : llvm::split(Value.drop_front().drop_back(), ','))
    if (Item = Item.trim(); !Item.empty() && isSpecial(Item))
      return reserved(Item);
  return "";
}

/// The mistake in a value, or "".
static std::string inValue(StringRef Value) {
  if (Value.empty())
    return "";
  if (Value.front() == '"' || Value.front() == '\'')
    return inQuotes(Value);
  if (Value.front() == '[')
    return inList(Value);
  if (Value.starts_with("{") && Value.ends_with("}") && Value.contains(": "))
    return ("this key takes a value, not keys in braces: " + Value).str();
  if (isSpecial(Value))
    return reserved(Value);
  if (Value.contains(": "))
    return "a value with ': ' needs quotes: " + quoted(Value);
  if (Value.ends_with(":"))
    return "a value that ends with ':' needs quotes: " + quoted(Value);
  return "";
}

/// The value of a line "key: value", "- value" or "- key: value".
static StringRef valueOf(StringRef Line) {
  StringRef Rest = Line.trim();
  if (Rest.consume_front("- "))
    return Rest.trim();
  auto [Key, Value] = Rest.split(": ");
  // The rules of the audit may be in braces: audit: { checks: ... }.
  return Key == "audit" ? "" : Value.trim();
}

std::optional<YamlMistake> findYamlMistake(StringRef Text) {
  unsigned Number = 0;
  for (StringRef Line : llvm::split(Text, '\n')) {
    ++Number;
    const StringRef Code = Line.split(" #").first;
    if (Code.trim().empty() || Code.ltrim().starts_with("#"))
      continue;
    if (Code.take_while([](char C) { return C == ' ' || C == '\t'; })
            .contains('\t'))
      return YamlMistake{Number,
                         "YAML does not allow tabs in the indentation; use "
                         "spaces"};
    if (std::string Message = inValue(valueOf(Code)); !Message.empty())
      return YamlMistake{Number, std::move(Message)};
  }
  return std::nullopt;
}

} // namespace autoprof
