// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explains why a file is not YAML: the parser's own messages are about tokens,
// and often at a line after the mistake.
#ifndef AUTOPROF_CONFIG_YAMLMISTAKE_H
#define AUTOPROF_CONFIG_YAMLMISTAKE_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace autoprof {

struct YamlMistake {
  unsigned Line; ///< From 1.
  std::string Message;
};

/// The likely mistake in a file that could not be read: most are patterns and
/// regular expressions without quotes.
std::optional<YamlMistake> findYamlMistake(llvm::StringRef Text);

} // namespace autoprof

#endif // AUTOPROF_CONFIG_YAMLMISTAKE_H
