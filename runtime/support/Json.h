// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON for the few documents of a trace's metadata: flat objects, written once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace autoprof::runtime {

/// `Text` as a JSON string, quotes included.
std::string quoted(std::string_view Text);

/// An object, built field by field.
class JsonObject {
  std::string Body;

public:
  /// Adds a field; `Value` must already be JSON.
  JsonObject &raw(std::string_view Key, std::string_view Value);
  JsonObject &text(std::string_view Key, std::string_view Value) {
    return raw(Key, quoted(Value));
  }
  JsonObject &number(std::string_view Key, uint64_t Value) {
    return raw(Key, std::to_string(Value));
  }
  std::string str() const { return "{" + Body + "}"; }
};

} // namespace autoprof::runtime
