// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Conditionals.h"

#include "clang/Lex/Lexer.h"
#include "clang/Lex/PPCallbacks.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

bool isDebugName(StringRef Name) {
  std::string Upper = Name.upper();
  StringRef U = Upper;
  if (U == "NDEBUG" || U.contains("NO_DEBUG") || U.contains("NODEBUG"))
    return false;
  for (StringRef Word : {"DEBUG", "DBG", "VERBOSE", "TRACE", "SANITY",
                         "PARANOID", "PROFILE", "CHECK_ERRORS"})
    if (U.contains(Word))
      return true;
  return false;
}

class ConditionalsWatcher : public PPCallbacks {
  struct Open {
    SourceLocation Loc;
    std::string Macro; ///< "" if it is not a debug region.
  };
  Conditionals &Out;
  const SourceManager &SM;
  const LangOptions &Options;
  std::vector<Open> Stack;

  void begin(SourceLocation Loc, StringRef Macro) {
    Stack.push_back({Loc, Macro.str()});
  }
  void end(SourceLocation Loc) {
    if (Stack.empty())
      return;
    Open O = std::move(Stack.back());
    Stack.pop_back();
    if (O.Macro.empty() || SM.isInSystemHeader(Loc) ||
        SM.getFileID(O.Loc) != SM.getFileID(Loc))
      return;
    Out.Debug[SM.getFileID(Loc)].push_back(
        {SM.getFileOffset(O.Loc), SM.getFileOffset(Loc), O.Macro, O.Loc});
  }
  /// The debug macro that a condition tests, or "".
  std::string wanted(SourceRange Condition) const {
    StringRef Text = Lexer::getSourceText(
        CharSourceRange::getTokenRange(Condition), SM, Options);
    if (Text.contains("NDEBUG"))
      return Text.contains("!") ? "!NDEBUG" : "";
    return !Text.contains("!") && isDebugName(Text)
               ? Text.take_front(40).trim().str()
               : "";
  }

public:
  ConditionalsWatcher(Conditionals &Out, const Preprocessor &PP)
      : Out(Out), SM(PP.getSourceManager()), Options(PP.getLangOpts()) {}

  void If(SourceLocation Loc, SourceRange Condition,
          ConditionValueKind) override {
    begin(Loc, SM.isInSystemHeader(Loc) ? "" : wanted(Condition));
  }
  void Ifdef(SourceLocation Loc, const Token &Name,
             const MacroDefinition &) override {
    StringRef Text = Name.getIdentifierInfo()->getName();
    begin(Loc, isDebugName(Text) ? Text : "");
  }
  void Ifndef(SourceLocation Loc, const Token &Name,
              const MacroDefinition &) override {
    StringRef Text = Name.getIdentifierInfo()->getName();
    begin(Loc, Text == "NDEBUG" ? "!NDEBUG" : "");
  }
  using PPCallbacks::Elif;
  void Elif(SourceLocation Loc, SourceRange Condition, ConditionValueKind,
            SourceLocation) override {
    end(Loc);
    begin(Loc, SM.isInSystemHeader(Loc) ? "" : wanted(Condition));
  }
  void Else(SourceLocation Loc, SourceLocation) override {
    end(Loc);
    begin(Loc, "");
  }
  void Endif(SourceLocation Loc, SourceLocation) override { end(Loc); }
};

void Conditionals::watch(Preprocessor &PP) {
  PP.addPPCallbacks(std::make_unique<ConditionalsWatcher>(*this, PP));
}

const Conditionals::Region *
Conditionals::regionAround(SourceLocation Loc, const SourceManager &SM) const {
  auto [File, Offset] = SM.getDecomposedLoc(SM.getFileLoc(Loc));
  auto It = Debug.find(File);
  if (It == Debug.end())
    return nullptr;
  const Region *Best = nullptr;
  for (const Region &R : It->second)
    if (R.Begin <= Offset && Offset < R.End && (!Best || R.Begin > Best->Begin))
      Best = &R;
  return Best;
}

} // namespace autoprof::audit
