// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of Fields: how their types are written, described and read. Truth
// values, numbers, texts; std::vector and std::map of these, by name;
// std::optional: null where it is not known.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace autoprof::fields {

/// Which numbers a key can have.
enum class Bounds : uint8_t {
  ByType, ///< Integers are 0 or more, others any.
  Any,
  NotNegative,
  Share ///< 0 to 1.
};

template <typename T> bool isNotNegative(Bounds B) {
  return B == Bounds::ByType ? std::is_integral_v<T> : B != Bounds::Any;
}

/// Integers that are read are at most this, so that sums over thousands of
/// documents stay below 64 bits: 46 days in ns.
constexpr int64_t MostInteger = 4'000'000'000'000'000;

// Writing.

template <typename T>
void writeValue(llvm::json::OStream &J, const std::vector<T> &All);
template <typename T>
void writeValue(llvm::json::OStream &J, const std::map<std::string, T> &All);

template <typename T> void writeValue(llvm::json::OStream &J, const T &V) {
  if constexpr (std::is_same_v<T, bool> || std::is_floating_point_v<T>)
    J.value(V);
  else if constexpr (std::is_same_v<T, llvm::json::Object>)
    J.value(llvm::json::Object(V));
  else if constexpr (std::is_integral_v<T>)
    J.value(int64_t(V));
  else
    J.value(llvm::json::fixUTF8(V));
}
template <typename T>
void writeValue(llvm::json::OStream &J, const std::optional<T> &V) {
  V ? writeValue(J, *V) : J.value(nullptr);
}
template <typename T>
void writeValue(llvm::json::OStream &J, const std::vector<T> &All) {
  J.array([&] {
    for (const T &One : All)
      writeValue(J, One);
  });
}
template <typename T>
void writeValue(llvm::json::OStream &J, const std::map<std::string, T> &All) {
  J.object([&] {
    for (const auto &[Key, V] : All) {
      J.attributeBegin(llvm::json::fixUTF8(Key));
      writeValue(J, V);
      J.attributeEnd();
    }
  });
}

// Describing, as attributes of a schema that is open.

inline void describeType(llvm::json::OStream &J, llvm::StringRef Type,
                         bool IsNullable) {
  if (IsNullable)
    J.attribute("type", llvm::json::Array{Type, "null"});
  else
    J.attribute("type", Type);
}

/// "" among them is null.
inline void describeNames(llvm::json::OStream &J,
                          llvm::ArrayRef<llvm::StringRef> Names) {
  J.attributeArray("enum", [&] {
    for (llvm::StringRef One : Names)
      if (!One.empty())
        J.value(One);
    if (llvm::is_contained(Names, ""))
      J.value(nullptr);
  });
}

/// A type to describe: values of it are never made.
template <typename T> struct TypeOf {};

template <typename T>
void describe(llvm::json::OStream &J, TypeOf<T>, llvm::StringRef Key, Bounds B,
              bool IsNullable = false) {
  if constexpr (std::is_same_v<T, bool>) {
    describeType(J, "boolean", IsNullable);
  } else if constexpr (std::is_arithmetic_v<T>) {
    describeType(J, std::is_integral_v<T> ? "integer" : "number", IsNullable);
    if (isNotNegative<T>(B))
      J.attribute("minimum", 0);
    if (B == Bounds::Share)
      J.attribute("maximum", 1);
    const llvm::StringRef Unit = Key.ends_with("_ns")                ? "ns"
                                 : Key.ends_with("_mhz")             ? "MHz"
                                 : Key.ends_with("bytes_per_second") ? "bytes/s"
                                 : Key.contains("bytes")             ? "bytes"
                                                                     : "";
    if (!Unit.empty())
      J.attribute("x-unit", Unit);
  } else if constexpr (std::is_same_v<T, llvm::json::Object>) {
    describeType(J, "object", IsNullable);
    J.attribute(
        "additionalProperties",
        llvm::json::Object{
            {"type", llvm::json::Array{"integer", "number", "string"}}});
  } else {
    describeType(J, "string", IsNullable);
  }
}
template <typename T>
void describe(llvm::json::OStream &J, TypeOf<std::optional<T>>,
              llvm::StringRef Key, Bounds B) {
  if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    describeType(J, "array", /*IsNullable=*/true);
    J.attribute("items", llvm::json::Object{{"type", "string"}});
  } else {
    describe(J, TypeOf<T>(), Key, B, /*IsNullable=*/true);
  }
}
template <typename T>
void describe(llvm::json::OStream &J, TypeOf<std::vector<T>>,
              llvm::StringRef Key, Bounds B) {
  describeType(J, "array", /*IsNullable=*/false);
  J.attributeObject("items", [&] { describe(J, TypeOf<T>(), Key, B); });
}
template <typename T>
void describe(llvm::json::OStream &J, TypeOf<std::map<std::string, T>>,
              llvm::StringRef Key, Bounds B) {
  describeType(J, "object", /*IsNullable=*/false);
  J.attributeObject("additionalProperties",
                    [&] { describe(J, TypeOf<T>(), Key, B); });
}

// Reading: what is wrong with the value, or "".

template <typename T>
std::string readValue(const llvm::json::Value &V, std::vector<T> &Out,
                      Bounds B);

template <typename T>
std::string readValue(const llvm::json::Value &V, T &Out, Bounds B) {
  if constexpr (std::is_same_v<T, bool>) {
    const std::optional<bool> Found = V.getAsBoolean();
    Out = Found.value_or(false);
    return Found ? "" : "is neither true nor false";
  } else if constexpr (std::is_integral_v<T>) {
    const int64_t High = int64_t(std::min<uint64_t>(
        MostInteger, uint64_t(std::numeric_limits<T>::max())));
    const int64_t Low = isNotNegative<T>(B) ? 0 : -High;
    const std::optional<int64_t> Found = V.getAsInteger();
    if (!Found || *Found < Low || *Found > High)
      return "is not an integer from " + std::to_string(Low) + " to " +
             std::to_string(High);
    Out = T(*Found);
    return "";
  } else if constexpr (std::is_floating_point_v<T>) {
    const std::optional<double> Found = V.getAsNumber();
    Out = Found.value_or(0);
    return Found && (!isNotNegative<T>(B) || Out >= 0) ? ""
           : isNotNegative<T>(B) ? "is not a number from 0 on"
                                 : "is not a number";
  } else {
    const std::optional<llvm::StringRef> Found = V.getAsString();
    Out = Found.value_or("").str();
    return Found ? "" : "is not a string";
  }
}
template <typename T>
std::string readValue(const llvm::json::Value &V, std::optional<T> &Out,
                      Bounds B) {
  return readValue(V, Out.emplace(), B);
}
template <typename T>
std::string readValue(const llvm::json::Value &V, std::vector<T> &Out,
                      Bounds B) {
  const llvm::json::Array *A = V.getAsArray();
  if (!A)
    return "is not a list";
  std::string Wrong;
  for (const llvm::json::Value &One : *A)
    if (std::string Problem = readValue(One, Out.emplace_back(), B);
        Wrong.empty() && !Problem.empty())
      Wrong = "has an element that " + Problem;
  return Wrong;
}
template <typename T>
std::string readValue(const llvm::json::Value &V, std::map<std::string, T> &Out,
                      Bounds B) {
  const llvm::json::Object *O = V.getAsObject();
  if (!O)
    return "is not an object";
  std::string Wrong;
  for (const auto &[Key, One] : *O)
    if (std::string Problem = readValue(One, Out[Key.str()], B);
        Wrong.empty() && !Problem.empty())
      Wrong = "has a value that " + Problem;
  return Wrong;
}

/// Whether a document that lacks a value of this type is damaged. Other values
/// may be missing in what an older version wrote.
template <typename T> struct IsNeeded {
  static constexpr bool Value =
      std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;
};
template <typename T> struct IsNeeded<std::vector<T>> {
  static constexpr bool Value = true;
};

} // namespace autoprof::fields
