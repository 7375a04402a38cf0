// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/json/Tokens.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include <algorithm>

using namespace autoprof::trace;
using llvm::StringRef;

/// Containers inside one another; a profiler's have 5.
static constexpr size_t MaxDepth = 256;
/// Of one text, which is kept in memory.
static constexpr size_t MaxText = 64 << 20;

JsonTokens::JsonTokens(const ByteReader &Read) : Read(Read), Buffer(1 << 20) {
  Next = End = Buffer.data();
  refill();
  if (StringRef(Next, size_t(End - Next)).starts_with("\xef\xbb\xbf"))
    Next += 3; // A byte order mark.
}

bool JsonTokens::refill() {
  if (Text.data() >= Buffer.data() && Text.data() <= End) {
    Scratch = Text.str();
    Text = Scratch;
  }
  Before += size_t(End - Buffer.data());
  Next = Buffer.data();
  End = Next + Read(Buffer.data(), Buffer.size());
  return Next != End;
}

uint64_t JsonTokens::drain() {
  while (refill())
    ;
  return Before;
}

/// The next character; -1: the end.
int JsonTokens::peek() {
  return Next == End && !refill() ? -1 : static_cast<unsigned char>(*Next);
}

int JsonTokens::peekPastSpace() {
  int C;
  while ((C = peek()) == ' ' || C == '\n' || C == '\r' || C == '\t')
    ++Next;
  return C;
}

JsonTokens::Kind JsonTokens::fail(const char *Reason) {
  if (Failure.empty())
    Failure =
        std::string(Reason) + " (at byte " + std::to_string(position()) + ")";
  return Problem;
}

JsonTokens::Kind JsonTokens::open(char C) {
  if (Open.size() == MaxDepth)
    return fail("it is nested deeper than any trace");
  ++Next;
  Open.push_back(C == '{' ? '}' : ']');
  State = C == '{' ? AtKey : AtValue;
  MayClose = true;
  return C == '{' ? Object : List;
}

JsonTokens::Kind JsonTokens::close() {
  ++Next;
  Open.pop_back();
  State = AfterValue;
  return Close;
}

JsonTokens::Kind JsonTokens::next() {
  int C = peekPastSpace();
  if (State == AfterValue && Open.empty())
    return Done;
  if (C < 0)
    return fail("it ends before its last bracket");
  if ((State == AfterValue || MayClose) && C == Open.back())
    return close();
  if (State == AfterValue) {
    if (C != ',')
      return fail("a comma or a bracket is missing");
    ++Next;
    C = peekPastSpace();
    if (C == Open.back())
      return close();
    State = Open.back() == '}' ? AtKey : AtValue;
  }
  MayClose = false;
  if (State != AtKey)
    return value(C);
  if (C != '"' || !string())
    return fail("the name of a value is missing");
  if (peekPastSpace() != ':')
    return fail("a colon is missing");
  ++Next;
  State = AtValue;
  return Key;
}

JsonTokens::Kind JsonTokens::value(int C) {
  if (C == '{' || C == '[')
    return open(char(C));
  State = AfterValue;
  if (C == '"')
    return string() ? Value : Problem;
  Kind Result = Value;
  return scalar(Result) ? Result : fail("a value is invalid");
}

void JsonTokens::startText() {
  Text = StringRef();
  Scratch.clear();
}

/// The characters from here on that belong to a text; they are not copied if
/// they lie in the buffer together.
template <typename Pred> void JsonTokens::takeWhile(Pred Belongs) {
  for (;;) {
    const char *Stop = std::find_if_not(Next, End, Belongs);
    if (Scratch.empty() && Stop != End) {
      Text = StringRef(Next, size_t(Stop - Next));
      Next = Stop;
      return;
    }
    Scratch.append(Next, Stop);
    Next = Stop;
    Text = Scratch;
    if (Next != End || Scratch.size() > MaxText || !refill())
      return;
  }
}

bool JsonTokens::string() {
  ++Next;
  startText();
  bool HasEscapes = false;
  for (;;) {
    takeWhile([](char C) { return C != '"' && C != '\\'; });
    if (Scratch.size() > MaxText)
      return fail("a text in it is longer than any trace's") != Problem;
    const int C = peek();
    if (C < 0)
      return fail("it ends in a text") != Problem;
    ++Next;
    if (C == '"')
      break;
    if (Scratch.empty())
      Scratch = Text.str();
    Text = StringRef();
    HasEscapes = true;
    Scratch += '\\';
    if (peek() < 0)
      return fail("it ends in a text") != Problem;
    Scratch += *Next++;
  }
  if (HasEscapes)
    unescape();
  return true;
}

/// A text whose escapes are not JSON's stays as it is.
void JsonTokens::unescape() {
  llvm::Expected<llvm::json::Value> Value =
      llvm::json::parse('"' + llvm::json::fixUTF8(Scratch) + '"');
  if (Value)
    Scratch = Value->getAsString()->str();
  else
    llvm::consumeError(Value.takeError());
  Text = Scratch;
}

/// A number, or a word.
bool JsonTokens::scalar(Kind &Result) {
  static constexpr StringRef Words[] = {"null",     "true",     "false",
                                        "nan",      "inf",      "infinity",
                                        "nan(ind)", "nan(snan)"};
  startText();
  takeWhile([](char C) {
    return llvm::isAlnum(C) || StringRef("+-.()").contains(C);
  });
  if (Text.find_first_not_of("0123456789+-.eE") == StringRef::npos)
    return Text.find_first_of("0123456789") != StringRef::npos;
  Result = Word;
  return llvm::is_contained(Words, Text.ltrim("+-").lower());
}
