// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a user names ranges, such as the program's step: "function:NAME",
// "loop:FILE:LINE" or "range:NAME" (NVTX), or only the part after the first
// colon.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace autoprof::runtime {

class RangeName {
  static bool endsWith(std::string_view Text, const std::string &End) {
    return Text.size() >= End.size() &&
           Text.substr(Text.size() - End.size()) == End;
  }

public:
  bool Functions = true, Loops = true;
  bool Ranges = true; ///< NVTX ranges of the program's own.
  std::string_view Text;

  /// `Name` must live as long.
  explicit RangeName(std::string_view Name) : Text(Name) {
    const size_t Colon = Name.find(':');
    if (Colon == std::string_view::npos)
      return;
    const std::string_view Kind = Name.substr(0, Colon),
                           Rest = Name.substr(Colon + 1);
    const bool IsFunction = Kind == "function", IsRange = Kind == "range",
               IsLoop = Kind == "loop";
    // std::sort and train.cu:88 have no kind before their colon.
    if (Rest.empty() || Rest[0] == ':' || !(IsFunction || IsRange || IsLoop))
      return;
    Functions = IsFunction;
    Loops = IsLoop;
    Ranges = IsRange;
    Text = Rest;
  }

  /// `Function` as net::train_step or net::train_step(int), which is also
  /// called train_step.
  bool meansFunction(std::string_view Function) const {
    if (!Functions || Text.empty())
      return false;
    const std::string_view Bare = Function.substr(0, Function.find('('));
    return Text == Function || Text == Bare ||
           endsWith(Bare, "::" + std::string(Text));
  }

  /// `File` may be given in full, from the project root on, or by its name.
  bool meansLoop(std::string_view File, uint32_t Line) const {
    const size_t Colon = Text.rfind(':');
    const char *End = Text.data() + Text.size();
    uint32_t Asked = 0;
    if (!Loops || Colon == std::string_view::npos ||
        std::from_chars(Text.data() + Colon + 1, End, Asked).ptr != End ||
        Asked != Line)
      return false;
    const std::string_view Name = Text.substr(0, Colon);
    return Name == File || endsWith(File, "/" + std::string(Name)) ||
           endsWith(Name, "/" + std::string(File));
  }

  /// "epoch #" means "epoch 1", "epoch 2", ...
  bool meansRange(std::string_view Message) const {
    constexpr std::string_view Digits = "0123456789";
    if (!Ranges || Text.empty())
      return false;
    if (Text == Message)
      return true;
    const size_t Last = Message.find_last_of(Digits);
    if (Last == std::string_view::npos ||
        Text.find('#') == std::string_view::npos)
      return false;
    const size_t Before = Message.find_last_not_of(Digits, Last);
    const size_t First = Before == std::string_view::npos ? 0 : Before + 1;
    return std::string(Message.substr(0, First)) + "#" +
               std::string(Message.substr(Last + 1)) ==
           Text;
  }
};

} // namespace autoprof::runtime
