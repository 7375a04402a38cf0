// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A JSON format, described once: its keys in their order, each with what it
// means and the value.
//
//     void rowFields(Fields &F, Row &R) {
//       F.text("file", "relative to the project's root", R.File);
//       F.field("wait_ns", "sum of its waits; null: not known", R.Wait);
//       F.list("callers", "who calls it", R.Callers,
//              [&](Caller &C) { callerFields(F, C); });
//     }
//
// The same functions write a document, describe the format (docs/schemas is
// made from that), and, where the values can be changed, read a document back.
// To describe a format they run on values that are default-constructed, also
// for what is in a list or may be null.
//
// The type of a key follows from that of its value (FieldValues.h), the unit
// from its suffix.
#pragma once

#include "fields/FieldValues.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

namespace autoprof::fields {

class Fields {
  using StringRef = llvm::StringRef;
  using Value = llvm::json::Value;
  using Body = llvm::function_ref<void()>;
  enum { Write, Describe, Read } Mode;
  llvm::json::OStream *J = nullptr;         ///< Write, Describe.
  const llvm::json::Object *From = nullptr; ///< Read.
  std::string Wrong;
  bool MayLack = false;
  std::vector<std::string> Required; ///< Of the object that is described.
  StringRef Name, Doc;

public:
  /// Writes into an object that is open.
  explicit Fields(llvm::json::OStream &J) : Mode(Write), J(&J) {}
  explicit Fields(const llvm::json::Object &O) : Mode(Read), From(&O) {}
  Fields(const Fields &) = delete;

  bool reads() const { return Mode == Read; }
  bool describes() const { return Mode == Describe; }
  /// The first value that could not be read: "'wait_ns' is missing"; "": none.
  const std::string &wrong() const { return Wrong; }
  void complain(StringRef Key, const llvm::Twine &Problem) {
    if (Wrong.empty())
      Wrong = ("'" + Key + "' " + Problem).str();
  }

  /// The format's name, "autoprof-report/1", as the key "schema".
  void format(StringRef Named, StringRef About) {
    Name = Named;
    Doc = About;
    attribute("schema", Named);
    property("schema", "format of the document",
             [&] { J->attribute("const", Named); });
  }

  template <typename T>
  void field(StringRef Key, StringRef About, T &&V, Bounds B = Bounds::ByType) {
    using Type = std::decay_t<T>;
    if (Mode == Write) {
      J->attributeBegin(Key);
      writeValue(*J, V);
      J->attributeEnd();
    }
    property(Key, About, [&] { fields::describe(*J, TypeOf<Type>(), Key, B); });
    if constexpr (isMutable<T>()) {
      if (const Value *Found = found(Key))
        check(Key, readValue(*Found, V, B));
      else if (Mode == Read && IsNeeded<Type>::Value && !MayLack)
        complain(Key, "is missing");
    }
  }

  /// A text; null if it is empty.
  template <typename T> void text(StringRef Key, StringRef About, T &&V) {
    attribute(Key, StringRef(V));
    property(Key, About, [&] { describeType(*J, "string", true); });
    readText(Key, std::forward<T>(V));
  }

  /// A number; null if it is 0.
  template <typename T> void unlessZero(StringRef Key, StringRef About, T &&V) {
    auto Known = V ? std::optional<std::decay_t<T>>(V) : std::nullopt;
    field(Key, About, Known);
    if constexpr (isMutable<T>())
      if (Mode == Read)
        V = Known.value_or(0);
  }

  /// A number as people write it, 0.005, with at most so many digits. `T`:
  /// double, or std::optional of it.
  template <typename T>
  void rounded(StringRef Key, StringRef About, T &V, int Digits) {
    const std::optional<double> Known = V;
    if (Mode != Write || !Known)
      return field(Key, About, V, Bounds::NotNegative);
    J->attributeBegin(Key);
    J->rawValue([&](llvm::raw_ostream &Out) {
      Out << llvm::format("%.*g", Digits, *Known);
    });
    J->attributeEnd();
  }

  /// 64 bits as hex digits; null if they are 0.
  template <typename T> void id(StringRef Key, StringRef About, T &&V) {
    attribute(Key, V ? "0x" + llvm::utohexstr(V, /*LowerCase=*/true, 16) : "");
    property(Key, About, [&] {
      describeType(*J, "string", true);
      J->attribute("pattern", "^0x[0-9a-f]{16}$");
    });
    if constexpr (isMutable<T>())
      if (const Value *Found = found(Key)) {
        StringRef Digits = Found->getAsString().value_or("");
        if (!Digits.consume_front("0x") || Digits.getAsInteger(16, V))
          complain(Key, "is not an id (0x and hex digits)");
      }
  }

  /// One of `Names`; "" among them is null.
  template <typename T>
  void choice(StringRef Key, StringRef About, T &&V,
              llvm::ArrayRef<StringRef> Names) {
    attribute(Key, StringRef(V));
    property(Key, About, [&] { describeNames(*J, Names); });
    readText(Key, std::forward<T>(V));
  }

  /// One of an enumeration's values, from the first one to `Last`, by their
  /// names (`name(E)`, in the enumeration's namespace); those without a name
  /// are null.
  template <typename T, typename E = std::decay_t<T>>
  std::enable_if_t<std::is_enum_v<E>>
  choice(StringRef Key, StringRef About, T &&V, std::common_type_t<E> Last) {
    choice(Key, About, StringRef(name(V)), names(Last));
    if constexpr (isMutable<T>())
      if (const Value *Found = found(Key)) {
        for (unsigned I = 0; I <= unsigned(Last); ++I)
          if (Found->getAsString() == name(E(I)))
            return void(V = E(I));
        complain(Key, "is none of " +
                          StringRef(llvm::join(names(Last), ", ")).ltrim(", "));
      }
  }
  template <typename E>
  void choice(StringRef Key, StringRef About, const std::optional<E> &V,
              std::common_type_t<E> Last) {
    std::vector<StringRef> Names = names(Last);
    Names.push_back("");
    choice(Key, About, V ? StringRef(name(*V)) : "", Names);
  }
  /// One of these values.
  template <typename E>
  std::enable_if_t<std::is_enum_v<E>>
  choice(StringRef Key, StringRef About, E V, std::initializer_list<E> Values) {
    choice(Key, About, StringRef(name(V)), names<E>(Values));
  }
  template <typename E>
  void choice(StringRef Key, StringRef About, const std::optional<E> &V,
              std::initializer_list<std::common_type_t<E>> Values) {
    std::vector<StringRef> Names = names<E>(Values);
    Names.push_back("");
    choice(Key, About, V ? StringRef(name(*V)) : "", Names);
  }

  /// The names from that of the first value to that of `Last`.
  template <typename E> static std::vector<StringRef> names(E Last) {
    std::vector<StringRef> Names;
    for (unsigned I = 0; I <= unsigned(Last); ++I)
      Names.push_back(name(E(I)));
    return Names;
  }

  /// One of two names.
  template <typename T>
  void either(StringRef Key, StringRef About, T &&V, StringRef IfTrue,
              StringRef IfFalse) {
    std::string Named = (V ? IfTrue : IfFalse).str();
    choice(Key, About, Named, {IfTrue, IfFalse});
    if constexpr (isMutable<T>())
      if (Mode == Read) {
        V = Named == IfTrue;
        if (!V && Named != IfFalse)
          complain(Key, "is neither " + IfTrue + " nor " + IfFalse);
      }
  }

  /// Some of `Names`; any if there are none.
  void choices(StringRef Key, StringRef About,
               const std::vector<StringRef> &Values,
               llvm::ArrayRef<StringRef> Names) {
    if (Mode == Write || Names.empty())
      return field(Key, About, Values);
    property(Key, About, [&] {
      describeType(*J, "array", false);
      J->attributeObject("items", [&] { describeNames(*J, Names); });
    });
  }

  /// Keys that a document may lack; they are written if `Have`.
  void mayLack(bool Have, Body Inner) {
    const bool Outer = std::exchange(MayLack, true);
    if (Mode != Write || Have)
      Inner();
    MayLack = Outer;
  }

  void object(StringRef Key, StringRef About, Body Inner) {
    if (Mode == Write)
      J->attributeObject(Key, Inner);
    property(Key, About, [&] { describeObject(false, Inner); });
    if (const Value *V = found(Key))
      within(Key, *V, Inner);
    else if (Mode == Read && !MayLack)
      complain(Key, "is missing");
  }

  /// Null without a subject; not read.
  template <typename T, typename Function>
  void object(StringRef Key, StringRef About, const T *Subject,
              Function Inner) {
    if (Mode == Write && Subject)
      J->attributeObject(Key, [&] { Inner(*Subject); });
    else
      attribute(Key, "");
    property(Key, About, [&] {
      const T Example{};
      describeObject(true, [&] { Inner(Example); });
    });
  }
  template <typename T, typename Function>
  void object(StringRef Key, StringRef About, const std::optional<T> &Subject,
              Function Inner) {
    object(Key, About, Subject ? &*Subject : nullptr, Inner);
  }
  /// Read, too.
  template <typename T, typename Function>
  void object(StringRef Key, StringRef About, std::optional<T> &Subject,
              Function Inner) {
    if (const Value *V = found(Key))
      return within(Key, *V, [&] { Inner(Subject.emplace()); });
    object(Key, About, Subject ? &*Subject : nullptr,
           [&](const T &One) { Inner(const_cast<T &>(One)); });
  }

  /// Objects, a call of `Inner` for each of `All`, which may be pointers.
  template <typename List, typename Function>
  void list(StringRef Key, StringRef About, List &&All, Function Inner) {
    listOrNull(Key, About, &All, Inner, /*IsNullable=*/false);
  }
  /// Null without a list.
  template <typename List, typename Function>
  void listOrNull(StringRef Key, StringRef About, List *All, Function Inner,
                  bool IsNullable = true) {
    using Element = std::decay_t<decltype(*std::begin(*All))>;
    if (Mode == Write && All)
      J->attributeArray(Key, [&] {
        for (auto &One : *All)
          J->object([&] { Inner(pointee(One)); });
      });
    else
      attribute(Key, "");
    property(Key, About, [&] {
      describeType(*J, "array", IsNullable);
      J->attributeObject("items", [&] {
        std::remove_const_t<std::remove_pointer_t<Element>> Example{};
        describeObject(false, [&] { Inner(Example); });
      });
    });
    if constexpr (std::is_same_v<List, std::vector<Element>> &&
                  !std::is_pointer_v<Element>)
      if (Mode == Read)
        for (const Value &V : array(Key))
          within(Key, V, [&] { Inner(All->emplace_back()); });
  }
  /// Each on a line of its own, so that files can be compared.
  template <typename List, typename Function>
  void lines(StringRef Key, StringRef About, List &&All, Function Inner) {
    if (Mode != Write)
      return list(Key, About, All, Inner);
    J->attributeArray(Key, [&] {
      for (auto &One : All)
        J->rawValue([&](llvm::raw_ostream &Out) {
          llvm::json::OStream Line(Out);
          llvm::json::OStream *Outer = std::exchange(J, &Line);
          Line.object([&] { Inner(One); });
          J = Outer;
        });
    });
  }

  /// The schema of a format, on one line: `First` calls format(). `Others`: of
  /// the further lines of a file with an object on each line.
  static void describe(llvm::raw_ostream &Out,
                       llvm::function_ref<void(Fields &)> First,
                       llvm::function_ref<void(Fields &)> Others = nullptr) {
    llvm::json::OStream J(Out);
    Fields F(J);
    F.Mode = Describe;
    auto Line = [&](StringRef About, llvm::function_ref<void(Fields &)> Of) {
      J.object([&] {
        J.attribute("description", About);
        F.describeObject(false, [&] { Of(F); });
      });
    };
    J.object([&] {
      if (Others)
        J.attributeArray("oneOf", [&] {
          Line("the first line", First);
          Line("each of the other lines", Others);
        });
      else
        F.describeObject(false, [&] { First(F); });
      J.attribute("title", F.Name);
      J.attribute("description", F.Doc);
    });
    J.flush();
    Out << '\n';
  }

private:
  /// Whether a document can be read into it.
  template <typename T> static constexpr bool isMutable() {
    using Type = std::remove_reference_t<T>;
    return std::is_lvalue_reference_v<T> && !std::is_const_v<Type> &&
           !std::is_same_v<Type, StringRef> && !std::is_pointer_v<Type>;
  }
  template <typename T> static T &pointee(T *One) { return *One; }
  template <typename T>
  static std::enable_if_t<!std::is_pointer_v<T>, T &> pointee(T &One) {
    // NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter): of a caller.
    return One;
  }
  template <typename E>
  static std::vector<StringRef> names(std::initializer_list<E> Values) {
    std::vector<StringRef> Names;
    for (E One : Values)
      Names.push_back(name(One));
    return Names;
  }

  /// Null for "".
  void attribute(StringRef Key, StringRef Text) {
    if (Mode == Write)
      J->attribute(Key, Text.empty() ? Value(nullptr)
                                     : Value(llvm::json::fixUTF8(Text)));
  }

  void property(StringRef Key, StringRef About, Body Inner) {
    if (Mode != Describe)
      return;
    J->attributeObject(Key, [&] {
      if (!About.empty())
        J->attribute("description", About);
      Inner();
    });
    if (!MayLack)
      Required.push_back(Key.str());
  }
  void describeObject(bool IsNullable, Body Inner) {
    describeType(*J, "object", IsNullable);
    std::vector<std::string> Outer = std::exchange(Required, {});
    const bool OuterMayLack = std::exchange(MayLack, false);
    J->attributeObject("properties", Inner);
    J->attributeBegin("required");
    writeValue(*J, Required);
    J->attributeEnd();
    Required = std::move(Outer);
    MayLack = OuterMayLack;
  }

  /// Null where the document lacks the key, or it is null.
  const Value *found(StringRef Key) const {
    const Value *V = Mode == Read ? From->get(Key) : nullptr;
    return V && V->kind() != Value::Null ? V : nullptr;
  }
  void check(StringRef Key, const std::string &Problem) {
    if (!Problem.empty())
      complain(Key, Problem);
  }
  template <typename T> void readText(StringRef Key, T &&V) {
    if constexpr (isMutable<T>())
      if (const Value *Found = found(Key))
        check(Key, readValue(*Found, V, Bounds::Any));
  }
  const llvm::json::Array &array(StringRef Key) {
    static const llvm::json::Array None;
    const Value *V = found(Key);
    const llvm::json::Array *A = V ? V->getAsArray() : nullptr;
    if (!A && (V || !MayLack))
      complain(Key, V ? "is not a list" : "is missing");
    return A ? *A : None;
  }
  void within(StringRef Key, const Value &V, Body Inner) {
    const llvm::json::Object *O = V.getAsObject();
    if (!O)
      return complain(Key, "is not an object");
    const llvm::json::Object *Outer = std::exchange(From, O);
    const bool OuterMayLack = std::exchange(MayLack, false);
    Inner();
    From = Outer;
    MayLack = OuterMayLack;
  }
};

/// Writes a document.
inline void writeFields(llvm::raw_ostream &Out,
                        llvm::function_ref<void(Fields &)> Write,
                        unsigned Indent = 2) {
  llvm::json::OStream J(Out, Indent);
  J.object([&] {
    Fields F(J);
    Write(F);
  });
  J.flush();
  Out << '\n';
}

} // namespace autoprof::fields
